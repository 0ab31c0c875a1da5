"""Deciding changes nothing, and what goes wrong leaves nothing behind."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import EvaluationError, FitError, GenericScheduler
from kubesched.errors import ClusterError, SpecError
from kubesched.framework import FITS, Fit, PredicateSpec, PrioritySpec, Reason, RuleSet
from kubesched.model import Pod
from kubesched.state import Cluster, NodeInfo, Snapshot
from kubesched.testing.machines.pictures import picture_of_snapshot

POD = pod("shop/web-1", cpu=1)

# -- deciding changes nothing ------------------------------------------------------------------

requests = st.integers(0, 3)


@given(
    nodes=st.lists(requests, min_size=1, max_size=4),
    placed=st.lists(st.tuples(st.integers(0, 3), requests), max_size=4),
    asked=st.lists(requests, min_size=1, max_size=3),
)
def test_deciding_changes_nothing(
    nodes: list[int], placed: list[tuple[int, int]], asked: list[int]
) -> None:
    cluster = Cluster.of(
        [
            *(node(f"n{index}", cpu=cpu) for index, cpu in enumerate(nodes)),
            *(
                pod(f"p{index}", cpu=cpu, node_name=f"n{where}")
                for index, (where, cpu) in enumerate(placed)
            ),
            pod("waiting", cpu=1),
        ]
    )
    snapshot = cluster.snapshot()
    before = picture_of_snapshot(snapshot)
    deciding = GenericScheduler(cluster, Profile.default())
    for index, cpu in enumerate(asked):
        try:
            deciding.schedule(pod(f"asked-{index}", cpu=cpu))
        except FitError:
            continue
    assert cluster.snapshot() is snapshot
    assert picture_of_snapshot(snapshot) == before
    assert list(cluster.pending) == ["default/waiting"]
    cluster._check()


def test_a_rule_cannot_put_pods_on_the_nodes_it_is_handed() -> None:
    handed: list[NodeInfo] = []

    def greedy(asked: Pod, _meta: None, info: NodeInfo, /) -> Fit:
        handed.append(info)
        info.add_pod(asked)
        return FITS

    cluster = Cluster.of([node("a"), node("b"), pod("busy", node_name="a")])
    with pytest.raises(EvaluationError) as caught:
        GenericScheduler(cluster, RuleSet([PredicateSpec("Greedy", greedy)])).schedule(POD)
    assert str(caught.value) == (
        "[a: the node belongs to a snapshot; change a clone() of it, "
        "b: the node belongs to a snapshot; change a clone() of it]"
    )
    assert isinstance(caught.value.__cause__, ClusterError)
    for info in handed:
        with pytest.raises(ClusterError, match="belongs to a snapshot"):
            info.remove_pod(pod("busy"))
        with pytest.raises(ClusterError, match="belongs to a snapshot"):
            info.set_node(None, {})
    assert [list(info.pods) for info in handed] == [["default/busy"], []]
    cluster._check()


def test_a_rule_may_try_things_out_on_a_clone() -> None:
    def crowded(asked: Pod, _meta: None, info: NodeInfo, /) -> Fit:
        trial = info.clone()
        trial.add_pod(asked)
        return FITS if len(trial.pods) < 2 else Fit(Reason("crowded"))

    cluster = Cluster.of([node("a"), node("b"), pod("busy", node_name="a")])
    rules = RuleSet([PredicateSpec("Crowded", crowded)])
    assert GenericScheduler(cluster, rules).schedule(POD).feasible == ("b",)
    cluster._check()


# -- what goes wrong leaves nothing behind -----------------------------------------------------


def failing(failures: list[Exception]) -> dict[str, RuleSet]:
    """Return rules, by the one among them that fails as long as there are failures left."""

    def fail() -> None:
        if failures:
            raise failures.pop()

    def check(_pod: Pod, _meta: object, _node: NodeInfo, /) -> Fit:
        fail()
        return FITS

    def score(_pod: Pod, _meta: object, _node: NodeInfo, /) -> int:
        fail()
        return 1

    def prepare(_pod: Pod, _snapshot: Snapshot, /) -> None:
        fail()

    predicates: dict[str, PredicateSpec[Any]] = {
        "a predicate": PredicateSpec("Failing", check),
        "a predicate that blocks": PredicateSpec("Failing", check, blocks=True),
        "a predicate's prepare": PredicateSpec("Failing", check, prepare=prepare),
    }
    priorities: dict[str, PrioritySpec[Any]] = {
        "a priority": PrioritySpec("Failing", score),
        "a priority that blocks": PrioritySpec("Failing", score, blocks=True),
        "a priority's prepare": PrioritySpec("Failing", score, prepare=prepare),
    }
    rules = Profile.default()
    return {
        **{kind: rules.with_predicate(spec) for kind, spec in predicates.items()},
        **{kind: rules.with_priority(spec) for kind, spec in priorities.items()},
    }


@pytest.mark.parametrize("error", [ValueError("odd"), SpecError("odd")], ids=["error", "breach"])
@pytest.mark.parametrize("kind", failing([]))
def test_after_a_failure_the_next_decision_is_right(kind: str, error: Exception) -> None:
    objects = [node("a"), node("b"), node("c"), pod("busy", cpu=2, node_name="b")]
    failures: list[Exception] = []
    asked = GenericScheduler(Cluster.of(objects), failing(failures)[kind], workers=3)
    untroubled = GenericScheduler(Cluster.of(objects), failing([])[kind], workers=3)
    before = asked.cluster.snapshot()
    for _ in range(3):
        failures.append(error)
        with pytest.raises((EvaluationError, SpecError)):
            asked.schedule(POD)
        failures.clear()
        decision, expected = asked.schedule(POD), untroubled.schedule(POD)
        assert (decision.node, decision.totals) == (expected.node, expected.totals)
        assert (decision.feasible, decision.refusals) == (expected.feasible, expected.refusals)
    assert asked.cluster.snapshot() is before
    asked.cluster._check()
