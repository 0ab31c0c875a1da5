"""A decision and its evidence."""

from kubesched.builders import node, pod
from kubesched.engine import Decision, FirstByName, GenericScheduler
from kubesched.framework import PrioritySpec, RuleSet
from kubesched.model import Pod
from kubesched.plugins.resources import POD_FITS_RESOURCES
from kubesched.state import Cluster, NodeInfo

POD = pod("web-1", cpu=2)


def cores(_pod: Pod, _meta: None, info: NodeInfo, /) -> int:
    return info.allocatable.milli_cpu // 1000


def length(_pod: Pod, _meta: None, info: NodeInfo, /) -> int:
    return len(info.name)


RULES = RuleSet(
    [POD_FITS_RESOURCES],
    [PrioritySpec("Cores", cores, weight=10), PrioritySpec("Length", length)],
)


def decided(**cpu: int) -> Decision:
    cluster = Cluster.of(node(name, cpu=amount) for name, amount in cpu.items())
    return GenericScheduler(cluster, RULES, select=FirstByName()).schedule(POD)


def test_it_gives_each_node_that_fits_its_scores_and_total() -> None:
    decision = decided(small=2, tiny=1, big=8)
    assert decision.pod is POD
    assert decision.node == "big"
    assert decision.feasible == ("small", "big")
    assert decision.scores == {"Cores": {"small": 2, "big": 8}, "Length": {"small": 5, "big": 3}}
    assert decision.totals == {"small": 25, "big": 83}
    assert decision.score == 83
    assert decision.top == ("big",)


def test_it_says_why_the_others_do_not_fit() -> None:
    decision = decided(small=2, tiny=1, big=8)
    assert {
        name: [str(reason) for reason in reasons] for name, reasons in decision.refusals.items()
    } == {"tiny": ["Insufficient cpu"]}


def test_the_best_are_named_in_order() -> None:
    decision = decided(c=4, b=3, a=4)
    assert decision.top == ("a", "c")
    assert decision.node == "a"


def test_the_only_node_that_fits_has_no_scores() -> None:
    decision = decided(tiny=1, big=8)
    assert decision.node == "big"
    assert decision.feasible == ("big",)
    assert decision.scores == {}
    assert decision.totals == {}
    assert decision.score is None
    assert decision.top == ()


def test_without_priorities_every_node_has_a_total_of_1() -> None:
    cluster = Cluster.of([node("a"), node("b")])
    decision = GenericScheduler(cluster, RuleSet()).schedule(POD)
    assert decision.scores == {}
    assert decision.totals == {"a": 1, "b": 1}
    assert decision.top == ("a", "b")


def test_its_text_is_short() -> None:
    assert "_scored" not in repr(decided(a=4, b=4))
