"""What extenders have to say in a decision, and what becomes of one that fails."""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.engine import FitError, GenericScheduler, Workers
from kubesched.engine.extender import (
    bind_by_extender,
    binder_of,
    filter_by_extenders,
    preempt_by_extenders,
    scores_of_extenders,
)
from kubesched.errors import ExtenderError
from kubesched.framework import Extender, ExtenderFilterResult, Reason, RuleSet, Victims
from kubesched.model import Binding, Pod
from kubesched.state import Cluster, NodeInfo

POD = pod("shop/new", cpu=1)
LOW = pod("shop/low").bound_to("b")
LOST = pod("shop/lost").bound_to("ghost")  # on a node that does not exist
CLUSTER = Cluster.of([*(node(name) for name in "abc"), LOW, LOST])
SNAPSHOT = CLUSTER.snapshot()
NODES = SNAPSHOT.node_infos.select("abc")
CPU = Reason("Insufficient cpu")


def keeps(names: str, **failed: str) -> Callable[..., Any]:
    return lambda _pod, _nodes: ExtenderFilterResult(names, failed)


def raises(*_asked: object) -> Any:
    raise LookupError("out of cheese")


def never_asked(*_asked: object) -> Any:
    pytest.fail("it was asked")


def extender(name: str = "x", **verbs: Any) -> Extender:
    return Extender(name, **verbs)


# -- filtering -------------------------------------------------------------------------------------


def filtered(
    *extenders: Extender, feasible: Sequence[NodeInfo] = NODES[:2]
) -> tuple[str, Mapping[str, Sequence[str]]]:
    """Return the names that are left of nodes a and b, and the texts against nodes; c refused."""
    left, against = filter_by_extenders(POD, extenders, [*feasible], {"c": (CPU,)}, SNAPSHOT)
    texts = {name: [str(reason) for reason in reasons] for name, reasons in against.items()}
    return "".join(info.name for info in left), texts


@pytest.mark.parametrize(
    ("keep", "left", "against"),
    [
        pytest.param(keeps("ab"), "ab", {}, id="all are kept"),
        pytest.param(keeps("b", a="loud"), "b", {"a": ["loud"]}, id="one is dropped for a reason"),
        pytest.param(keeps("b"), "b", {}, id="one is dropped without a reason"),
        pytest.param(keeps("ba"), "ba", {}, id="the order is the extender's"),
        pytest.param(keeps("bb"), "bb", {}, id="a node is kept twice"),
        pytest.param(keeps("c"), "c", {}, id="a refused node is brought back"),
        pytest.param(keeps("ab", a="but"), "ab", {"a": ["but"]}, id="a reason against a kept node"),
        pytest.param(keeps("a", z="who"), "a", {"z": ["who"]}, id="a reason against no node"),
        pytest.param(
            keeps("a", c="dear"), "a", {"c": ["Insufficient cpu", "dear"]}, id="one more reason"
        ),
        pytest.param(keeps(""), "", {}, id="none is left"),
    ],
)
def test_a_filter_says_which_nodes_go_on(
    keep: Callable[..., Any], left: str, against: Mapping[str, Sequence[str]]
) -> None:
    assert filtered(extender(filter=keep)) == (left, {"c": ["Insufficient cpu"], **against})


def test_extenders_filter_what_the_one_before_left() -> None:
    seen: list[str] = []

    def drops_first(_pod: Pod, nodes: Sequence[NodeInfo], /) -> ExtenderFilterResult:
        names = [info.name for info in nodes]
        seen.append("".join(names))
        return ExtenderFilterResult(names[1:], {names[0]: f"against {names[0]}"})

    three = [extender(str(number), filter=drops_first) for number in range(3)]
    left, against = filtered(*three)
    assert (left, seen) == ("", ["ab", "b"])
    assert against == {"a": ["against a"], "b": ["against b"], "c": ["Insufficient cpu"]}


def test_extenders_that_have_nothing_to_say_are_not_asked() -> None:
    managing = extender(filter=never_asked, managed_resources={"example.com/gpu"})
    assert filtered(managing, extender())[0] == "ab"
    assert filtered(extender(filter=never_asked), feasible=())[0] == ""


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        pytest.param(
            raises, "filter of extender 'x' raised LookupError: out of cheese", id="it raises"
        ),
        pytest.param(
            lambda _pod, _nodes: ["a"], "gave ['a'], expected an ExtenderFilterResult", id="a list"
        ),
        pytest.param(lambda: None, "raised TypeError", id="it takes no arguments"),
        pytest.param(
            keeps("az"), "gave 'z', expected the name of a node that exists", id="no node"
        ),
        pytest.param(
            lambda _pod, _nodes: ExtenderFilterResult(["ghost"]),
            "gave 'ghost', expected the name of a node",
            id="a node of which only pods are known",
        ),
        pytest.param(
            lambda _pod, _nodes: ExtenderFilterResult([["a"]]),  # type: ignore[list-item] # odd
            "gave ['a'], expected a text",
            id="a name that is a list",
        ),
        pytest.param(
            lambda _pod, _nodes: ExtenderFilterResult([], {"a": 4}),  # type: ignore[dict-item] # odd
            "gave 4, expected a text",
            id="a reason that is a number",
        ),
        pytest.param(
            lambda _pod, nodes: nodes.clear(), "raised AttributeError", id="it changes the nodes"
        ),
        pytest.param(
            lambda _pod, nodes: nodes[0].add_pod(pod("other")),
            "raised ClusterError: a: the node belongs to a snapshot",
            id="it changes a node",
        ),
    ],
)
def test_a_filter_that_fails_ends_the_attempt_unless_it_is_ignorable(
    keep: Callable[..., Any], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(ExtenderError) as caught:
        filtered(extender(filter=keep), extender(filter=never_asked))
    assert said in str(caught.value)
    assert caught.value.extender == "x"
    with caplog.at_level(logging.WARNING, "kubesched.engine"):
        ignored = extender(filter=keep, ignorable=True)
        assert filtered(ignored, extender(filter=keeps("b")))[0] == "b"
    assert said in caplog.text


def test_an_error_of_the_extender_s_own_is_passed_on_as_it_is() -> None:
    own = ExtenderError("x", "out of cheese")

    def fails(*_asked: object) -> Any:
        raise own

    with pytest.raises(ExtenderError) as caught:
        filtered(extender(filter=fails))
    assert caught.value is own


# -- scoring ---------------------------------------------------------------------------------------


def scores(names: str = "", **score: Any) -> Callable[..., Any]:
    return lambda _pod, _nodes: {**dict.fromkeys(names, 1), **score}


def test_scores_are_weighted_and_summed_up() -> None:
    three = [
        extender(prioritize=scores(a=5, b=-1), weight=2),
        extender(prioritize=scores(b=3, z=99), weight=3),
        extender(prioritize=scores(a=1), managed_resources={"example.com/gpu"}),
        extender(filter=keeps("")),
    ]
    for workers in (None, Workers(1), Workers(4)):
        totals = scores_of_extenders(POD, three, NODES, workers)
        assert totals == {"a": 10, "b": 7, "z": 297}


def test_all_that_score_see_all_nodes() -> None:
    seen: list[str] = []

    def looks(_pod: Pod, nodes: Sequence[NodeInfo], /) -> Mapping[str, int]:
        seen.append("".join(info.name for info in nodes))
        return {}

    slow = [extender(prioritize=looks, blocks=True) for _ in range(3)]
    assert scores_of_extenders(POD, slow, NODES, Workers(2)) == {}
    assert seen == ["abc"] * 3


@pytest.mark.parametrize(
    "score",
    [
        pytest.param(raises, id="it raises"),
        pytest.param(lambda _pod, _nodes: [("a", 1)], id="a list"),
        pytest.param(scores(a=1, b=1.5), id="a fraction"),
        pytest.param(scores(a=1, b=True), id="a truth value"),
        pytest.param(scores(a=1, z=None), id="nothing for a node that does not exist"),
        pytest.param(lambda _pod, _nodes: {1: 1, "a": 1}, id="a name that is a number"),
    ],
)
def test_a_score_that_cannot_be_used_costs_all_of_the_extender_s_and_nothing_else(
    score: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    odd, other = extender(prioritize=score), extender("y", prioritize=scores(b=4))
    with caplog.at_level(logging.WARNING, "kubesched.engine"):
        assert scores_of_extenders(POD, [odd, other], NODES) == {"b": 4}
    assert "extender x adds no scores" in caplog.text


# -- preemption ------------------------------------------------------------------------------------

CANDIDATES = {"a": Victims(()), "b": Victims((LOW,), 1)}


def answers(**victims: Any) -> Callable[..., Any]:
    return lambda _pod, _victims, _nodes: victims


def preempted(*extenders: Extender) -> Mapping[str, Victims]:
    return preempt_by_extenders(POD, extenders, CANDIDATES, SNAPSHOT)


def test_an_answer_takes_the_candidates_place_and_the_next_one_is_given_it() -> None:
    seen: list[Mapping[str, Victims]] = []

    def drops_first(
        _pod: Pod, victims: Mapping[str, Victims], nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        seen.append(victims)
        assert nodes["c"].node is not None
        return dict([*victims.items()][1:])

    left = preempted(*(extender(preempt=drops_first) for _ in range(3)))
    assert left == {}
    assert seen == [CANDIDATES, {"b": CANDIDATES["b"]}]


@pytest.mark.parametrize(
    ("victims", "left"),
    [
        pytest.param({"c": Victims(())}, {"c": Victims(())}, id="a node that was no candidate"),
        pytest.param({"z": Victims(())}, {"z": Victims(())}, id="no node, and no victims"),
        pytest.param(
            {"b": Victims((LOW, LOW))}, {"b": Victims((LOW, LOW))}, id="the same victim twice"
        ),
        pytest.param(
            {"b": Victims((pod("shop/low", cpu=9),))},
            {"b": Victims((LOW,))},
            id="another pod of the same name stands for the one that is there",
        ),
    ],
)
def test_an_answer_may_name_any_node_and_any_pods_on_it(
    victims: Mapping[str, Victims], left: Mapping[str, Victims]
) -> None:
    assert preempted(extender(preempt=answers(**victims))) == left


@pytest.mark.parametrize(
    ("choose", "said"),
    [
        pytest.param(raises, "preempt of extender 'x' raised LookupError", id="it raises"),
        pytest.param(lambda *_: None, "gave None, expected a mapping", id="nothing"),
        pytest.param(answers(a=None), "gave None, expected Victims", id="null for a node"),
        pytest.param(answers(a=[LOW]), "expected Victims", id="a list for a node"),
        pytest.param(
            answers(a=Victims((LOW,))), "expected a pod that is on node 'a'", id="elsewhere"
        ),
        pytest.param(answers(b=Victims((None,))), "gave None, expected a pod", id="null for a pod"),  # type: ignore[arg-type] # odd
        pytest.param(answers(z=Victims((LOW,))), "on node 'z'", id="victims on no node"),
        pytest.param(answers(ghost=Victims((LOST,))), "on node 'ghost'", id="no node object"),
        pytest.param(
            answers(a=Victims((), "few")),  # type: ignore[arg-type] # odd
            "gave 'few', expected an integer",
            id="a number of violations that is none",
        ),
        pytest.param(
            lambda _pod, victims, _nodes: victims.pop("a"),
            "raised TypeError",
            id="it takes one out",
        ),
    ],
)
def test_victims_that_cannot_be_used_end_the_preemption_unless_they_are_ignorable(
    choose: Callable[..., Any], said: str
) -> None:
    with pytest.raises(ExtenderError) as caught:
        preempted(extender(preempt=choose))
    assert said in str(caught.value)
    assert preempted(extender(preempt=choose, ignorable=True)) == CANDIDATES


def test_extenders_that_do_not_preempt_or_do_not_care_are_left_out() -> None:
    managing = extender(preempt=never_asked, managed_resources={"example.com/gpu"})
    assert preempted(managing, extender(filter=never_asked)) == CANDIDATES
    assert preempt_by_extenders(POD, [extender(preempt=never_asked)], {}, SNAPSHOT) == {}


# -- binding ---------------------------------------------------------------------------------------


def test_the_first_that_binds_does_so_if_it_is_interested() -> None:
    first = extender("first", bind=print)
    picky = extender("picky", bind=print, managed_resources={"example.com/gpu"})
    assert binder_of([extender(), first, picky], POD) is first
    assert binder_of([picky, first], POD) is None
    assert binder_of([extender()], POD) is None


def test_an_extender_binds_or_says_why_not() -> None:
    bindings: list[Binding] = []
    binding = Binding.of(POD, "a")
    bind_by_extender(extender(bind=bindings.append), binding)
    assert bindings == [binding]
    with pytest.raises(ExtenderError, match="bind of extender 'x' raised LookupError"):
        bind_by_extender(extender(bind=raises), binding)
    with pytest.raises(ExtenderError, match="binds no pods"):
        bind_by_extender(extender(), binding)


# -- whole decisions -------------------------------------------------------------------------------


def scheduler(*extenders: Extender) -> GenericScheduler:
    return GenericScheduler(CLUSTER, RuleSet(extenders=extenders))


def test_an_extender_alone_decides_where_there_is_no_rule() -> None:
    decision = scheduler(
        extender(filter=keeps("ab", c="far"), prioritize=scores(a=3, b=7, c=9), weight=2)
    ).schedule(POD)
    assert decision.node == "b"
    assert decision.totals == {"a": 6, "b": 14}
    assert decision.refusals == {"c": (Reason("far"),)}


def test_a_node_that_is_dropped_without_a_reason_is_counted_among_all_only() -> None:
    with pytest.raises(FitError, match=r"^0/3 nodes are available: \.$"):
        scheduler(extender(filter=keeps(""))).schedule(POD)


junk = st.recursive(
    st.one_of(
        st.none(),
        st.integers(),
        st.floats(),
        st.sampled_from(["a", "b", "z", "ghost", ""]),
        st.sampled_from([POD, LOW, LOST, Victims((LOW,)), ExtenderFilterResult("a"), NODES[0]]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["a", "b", "z", "ghost", 1, None]), inner, max_size=3),
        st.builds(ExtenderFilterResult, st.lists(inner, max_size=3)),
        st.builds(Victims, st.lists(inner, max_size=2), inner),
    ),
    max_leaves=8,
)


@given(junk, st.booleans())
def test_whatever_a_filter_answers_only_nodes_that_exist_go_on(
    answer: object,
    ignorable: bool,  # noqa: FBT001 - Hypothesis passes it by position
) -> None:
    odd = extender(filter=lambda *_: answer, ignorable=ignorable)
    try:
        left, _ = filter_by_extenders(POD, [odd], NODES, {}, SNAPSHOT)
    except ExtenderError:
        assert not ignorable
    else:
        assert all(info in NODES for info in left)


@given(junk)
def test_whatever_scores_are_answered_sums_are_integers(answer: object) -> None:
    totals = scores_of_extenders(POD, [extender(prioritize=lambda *_: answer)], NODES)
    assert all(type(name) is str and type(total) is int for name, total in totals.items())


@given(junk)
def test_whatever_victims_are_answered_only_pods_that_are_there_have_to_go(answer: object) -> None:
    try:
        left = preempted(extender(preempt=lambda *_: answer))
    except ExtenderError:
        return
    for name, victims in left.items():
        assert not victims.pods or set(victims.pods) <= {*SNAPSHOT.node_infos[name].pods.values()}
