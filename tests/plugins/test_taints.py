"""Taints: what keeps pods away, and who puts up with it."""

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.framework import PredicateSpec, Reason
from kubesched.model import Taint, Toleration
from kubesched.plugins.taints import (
    NOT_TOLERATED,
    POD_TOLERATES_NODE_NO_EXECUTE_TAINTS,
    POD_TOLERATES_NODE_TAINTS,
    TAINT_TOLERATION,
    prepare_soft_tolerations,
)
from kubesched.state import Cluster, NodeInfo
from tests.plugins.asking import fits, reasons, scores
from tests.strategies import taints, tolerations_maybe_odd

PREDICATES = [POD_TOLERATES_NODE_TAINTS, POD_TOLERATES_NODE_NO_EXECUTE_TAINTS]

CASES = [
    pytest.param([], [], True, id="no taints"),
    pytest.param(["gpu:NoSchedule"], [], False, id="NoSchedule keeps pods away"),
    pytest.param(["gpu:NoExecute"], [], False, id="NoExecute keeps pods away"),
    pytest.param(["gpu:PreferNoSchedule"], [], True, id="PreferNoSchedule keeps nobody away"),
    pytest.param(["gpu:Sometimes"], [], True, id="nor does an effect that nobody knows"),
    pytest.param(["gpu:NoSchedule"], ["gpu:NoSchedule"], True, id="a taint that is tolerated"),
    pytest.param(["gpu:NoSchedule"], ["gpu:NoExecute"], False, id="tolerated for another effect"),
    pytest.param(["gpu:NoSchedule"], ["gpu"], True, id="tolerated for every effect"),
    pytest.param(
        ["gpu:NoSchedule", "spot:NoExecute"], ["gpu"], False, id="every taint must be tolerated"
    ),
    pytest.param(
        ["gpu:NoSchedule", "spot:NoExecute"],
        ["gpu", "spot"],
        True,
        id="each taint by a toleration of its own",
    ),
    pytest.param(["gpu:NoSchedule", "spot:NoExecute"], ["*"], True, id="all by one"),
    pytest.param(
        ["gpu:NoSchedule"], [Toleration()], True, id="an empty toleration is for an empty value"
    ),
    pytest.param(["gpu=a:NoSchedule"], [Toleration()], False, id="and for no other"),
    pytest.param(
        ["gpu=a:NoSchedule", "spot=a:NoExecute"],
        [Toleration(operator="Equal", value="a")],
        True,
        id="without a key a value is for every key",
    ),
    pytest.param(
        ["gpu:NoSchedule"],
        [Toleration(key="gpu", operator="In")],
        False,
        id="an operator that nobody knows tolerates nothing",
    ),
]


@pytest.mark.parametrize(("on_node", "tolerations", "expected"), CASES)
def test_a_pod_fits_where_its_tolerations_cover_the_taints(
    *, on_node: list[str], tolerations: list[str | Toleration], expected: bool
) -> None:
    asked = pod("web-1", tolerations=tolerations)
    assert fits(POD_TOLERATES_NODE_TAINTS, asked, node("n1", taints=on_node)) is expected


@pytest.mark.parametrize("effect", ["NoSchedule", "PreferNoSchedule"])
def test_of_no_execute_alone_other_effects_do_not_matter(effect: str) -> None:
    tainted = node("n1", taints=[f"gpu:{effect}"])
    assert fits(POD_TOLERATES_NODE_NO_EXECUTE_TAINTS, pod("web-1"), tainted)
    assert not fits(
        POD_TOLERATES_NODE_NO_EXECUTE_TAINTS, pod("web-1"), node("n1", taints=["gpu:NoExecute"])
    )


def test_it_says_so_once_and_eviction_is_no_cure() -> None:
    tainted = node("n1", taints=["gpu:NoExecute", "spot:NoExecute"])
    for spec in PREDICATES:
        assert reasons(spec, pod("web-1"), tainted) == [NOT_TOLERATED.text]
    expected = Reason("node(s) had taints that the pod didn't tolerate", resolvable=False)
    assert expected == NOT_TOLERATED


predicates = st.sampled_from(PREDICATES)
many_taints = st.lists(taints(), max_size=3)
many_tolerations = st.lists(tolerations_maybe_odd(), max_size=3)


@given(predicates, many_taints, many_tolerations, tolerations_maybe_odd())
def test_one_more_toleration_never_hurts(
    spec: PredicateSpec[None],
    on_node: list[Taint],
    tolerations: list[Toleration],
    more: Toleration,
) -> None:
    tainted = node("n1", taints=on_node)
    before = fits(spec, pod("web-1", tolerations=tolerations), tainted)
    after = fits(spec, pod("web-1", tolerations=[*tolerations, more]), tainted)
    assert after >= before


@given(predicates, many_taints, taints(), many_tolerations)
def test_one_more_taint_never_helps(
    spec: PredicateSpec[None], on_node: list[Taint], more: Taint, tolerations: list[Toleration]
) -> None:
    asked = pod("web-1", tolerations=tolerations)
    before = fits(spec, asked, node("n1", taints=on_node))
    assert fits(spec, asked, node("n1", taints=[*on_node, more])) <= before


@given(predicates, many_taints)
def test_who_tolerates_everything_fits_everywhere(
    spec: PredicateSpec[None], on_node: list[Taint]
) -> None:
    assert fits(spec, pod("web-1", tolerations=["*"]), node("n1", taints=on_node))


# -- the priority ------------------------------------------------------------------------------


def scores_of(tolerations: list[str | Toleration], *on_nodes: list[str]) -> list[int]:
    nodes = [node(f"n{index}", taints=on_node) for index, on_node in enumerate(on_nodes)]
    return scores(TAINT_TOLERATION, pod("web-1", tolerations=tolerations), *nodes)


SOFT, TWO_SOFT = ["a:PreferNoSchedule"], ["a:PreferNoSchedule", "b:PreferNoSchedule"]

SCORES = [
    pytest.param([], [[], []], [10, 10], id="no taints"),
    pytest.param([], [[], SOFT], [10, 0], id="a taint that is not tolerated"),
    pytest.param([], [SOFT, SOFT], [0, 0], id="the same everywhere is worst everywhere"),
    pytest.param([], [[], SOFT, TWO_SOFT], [10, 5, 0], id="the fewer the better"),
    pytest.param([], [["a:NoSchedule"], SOFT], [10, 0], id="other effects do not count"),
    pytest.param(["a"], [[], SOFT, TWO_SOFT], [10, 10, 0], id="what is tolerated does not count"),
    pytest.param(["a:PreferNoSchedule"], [SOFT, TWO_SOFT], [10, 0], id="nor for its effect alone"),
    pytest.param(["a:NoSchedule"], [[], SOFT], [10, 0], id="a toleration of another effect"),
    pytest.param([Toleration()], [[], SOFT], [10, 10], id="an empty toleration"),
    pytest.param(
        [],
        [SOFT, [f"{key}:PreferNoSchedule" for key in "abc"]],
        [7, 0],
        id="a third of ten is cut off before it is taken away",
    ),
]


@pytest.mark.parametrize(("tolerations", "on_nodes", "expected"), SCORES)
def test_a_node_scores_by_the_taints_that_are_not_tolerated(
    tolerations: list[str | Toleration], on_nodes: list[list[str]], expected: list[int]
) -> None:
    assert scores_of(tolerations, *on_nodes) == expected


@given(many_taints, many_tolerations, tolerations_maybe_odd())
def test_one_more_toleration_never_makes_more_taints_count(
    on_node: list[Taint], tolerations: list[Toleration], more: Toleration
) -> None:
    tainted = NodeInfo.of(node("n1", taints=on_node))
    before, after = (
        TAINT_TOLERATION.map(asked, prepare_soft_tolerations(asked, NO_CLUSTER), tainted)
        for asked in (
            pod("web-1", tolerations=tolerations),
            pod("web-1", tolerations=[*tolerations, more]),
        )
    )
    assert 0 <= after <= before <= len(on_node)


NO_CLUSTER = Cluster().snapshot()
