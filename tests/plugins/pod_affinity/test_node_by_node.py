"""Affinity to pods where the original has given its overview up."""

import pytest
from hypothesis import assume, given, strategies as st

from kubesched.builders import node, pod
from kubesched.model import Affinity, KubeObject, LabelSelector, Pod
from kubesched.plugins.pod_affinity import MATCH_INTER_POD_AFFINITY
from kubesched.plugins.pod_affinity.node_by_node import NodeByNode
from kubesched.plugins.pod_affinity.reasons import (
    KEPT_OFF,
    TOO_FAR,
    TOO_NEAR,
    PodAffinityError,
)
from kubesched.plugins.pod_affinity.required import Neighbours, prepare_neighbours
from kubesched.state import NodeInfo
from tests.plugins.asking import nodes_of, snapshot_of
from tests.plugins.pod_affinity import naive
from tests.plugins.pod_affinity.saying import ODD, ODD_TEXT, odd, saying, term
from tests.plugins.pod_affinity.worlds import odd_terms, pods, worlds

A1 = node("a1", labels={"zone": "a"})
NEAR_ODD, FAR_FROM_ODD = saying(near=[term(ODD)]), saying(far=[term(ODD)])


def web(affinity: Affinity | None = None) -> Pod:
    return pod("shop/web", labels={"app": "web"}, affinity=affinity)


def db(affinity: Affinity | None = None, node_name: str = "a1") -> Pod:
    return pod("shop/db", labels={"app": "db"}, affinity=affinity, node_name=node_name)


GHOST = pod("shop/ghost", labels={"app": "ghost"}, node_name="gone")


def answer_of(meta: Neighbours | NodeByNode, asked: Pod, info: NodeInfo) -> naive.Answer:
    try:
        return MATCH_INTER_POD_AFFINITY.check(asked, meta, info).reasons
    except PodAffinityError as error:
        return str(error)


def answer(asked: Pod, *others: Pod) -> naive.Answer:
    snapshot = snapshot_of([A1, *others])
    return answer_of(prepare_neighbours(asked, snapshot), asked, snapshot.node_infos["a1"])


ONTO_A1 = "Cannot schedule pod shop/web onto node a1, because of PodAffinity, err: "
EMPTY_KEY = (
    "empty topologyKey is not allowed except for PreferredDuringScheduling pod anti-affinity"
)


@pytest.mark.parametrize(
    ("asked", "others", "expected"),
    [
        pytest.param(
            web(),
            [db(FAR_FROM_ODD)],
            f"Failed to get all terms that pod shop/web matches, err: {ODD_TEXT}",
            id="anti-affinity of a placed pod",
        ),
        pytest.param(web(), [db(NEAR_ODD)], (), id="its affinity does not matter"),
        pytest.param(web(), [db(FAR_FROM_ODD, "gone")], (), id="nor what it says on no node"),
        pytest.param(web(NEAR_ODD), [db()], ONTO_A1 + ODD_TEXT, id="own affinity"),
        pytest.param(web(NEAR_ODD), [], TOO_FAR.reasons, id="own affinity and no pods"),
        pytest.param(web(FAR_FROM_ODD), [db()], TOO_NEAR.reasons, id="own anti-affinity"),
        pytest.param(web(FAR_FROM_ODD), [], (), id="own anti-affinity and no pods"),
        pytest.param(web(), [GHOST], (), id="a pod on no node"),
        pytest.param(
            web(saying(near=[term("ghost")])),
            [GHOST],
            f'{ONTO_A1}node "gone" not found',
            id="a pod on no node that is wanted",
        ),
        pytest.param(
            web(saying(far=[term("ghost")])),
            [GHOST],
            TOO_NEAR.reasons,
            id="a pod on no node that is unwanted",
        ),
        pytest.param(web(saying(near=[term("db")])), [GHOST, db()], (), id="another is wanted"),
        pytest.param(
            web(saying(near=[term("db", "")])),
            [GHOST, db()],
            ONTO_A1 + EMPTY_KEY,
            id="affinity by no key",
        ),
        pytest.param(
            web(saying(far=[term("db", "")])), [GHOST, db()], TOO_NEAR.reasons, id="far by no key"
        ),
        pytest.param(
            web(saying(near=[term("db", "")])), [GHOST], TOO_FAR.reasons, id="about nobody"
        ),
        pytest.param(web(saying(near=[term("web")])), [GHOST], (), id="the first of its kind"),
        pytest.param(
            web(saying(near=[term("web", "row")])),
            [GHOST, pod("shop/w", labels={"app": "web"}, node_name="a1")],
            TOO_FAR.reasons,
            id="one of its kind counts even where it is at no such place",
        ),
        pytest.param(
            web(saying(far=[term("db"), term("cache")])),
            [GHOST, db()],
            (),
            id="one pod must meet all terms of anti-affinity",
        ),
        pytest.param(
            web(), [GHOST, db(saying(far=[term("web")]))], KEPT_OFF.reasons, id="others still mind"
        ),
    ],
)
def test_what_cannot_be_told_in_advance_is_told_node_by_node(
    asked: Pod, others: list[Pod], expected: naive.Answer
) -> None:
    assert answer(asked, *others) == expected


def test_the_error_is_about_the_first_pod_in_the_order_of_the_nodes() -> None:
    early = (
        db(FAR_FROM_ODD),
        pod("shop/d", affinity=saying(far=[term(odd("Nearer"))]), node_name="a1"),
    )
    late = pod("shop/late", affinity=saying(far=[term(odd("Nearest"))]), node_name="a2")
    snapshot = snapshot_of([A1, node("a2"), late, *early])
    meta = prepare_neighbours(web(), snapshot)
    assert isinstance(meta, NodeByNode)
    assert [fault.key for fault in meta.faults] == ["shop/db", "shop/d", "shop/late"]
    refusal = answer_of(meta, web(), snapshot.node_infos["a2"])
    assert refusal == f"Failed to get all terms that pod shop/web matches, err: {ODD_TEXT}"


def test_different_pods_do_not_meet_the_terms_together() -> None:
    asked = web(saying(near=[term(LabelSelector()), term(LabelSelector(), "rack")]))
    target = node("t", labels={"zone": "a", "rack": "1"})
    others = [node("x", labels={"zone": "a"}), node("y", labels={"rack": "1"})]
    placed = [db(node_name="x"), pod("shop/db2", node_name="y")]
    with_overview = snapshot_of([target, *others, *placed])
    without = snapshot_of([target, *others, *placed, pod("else/ghost", node_name="gone")])
    info = with_overview.node_infos["t"]
    assert answer_of(prepare_neighbours(asked, with_overview), asked, info) == ()
    assert answer_of(prepare_neighbours(asked, without), asked, info) == TOO_FAR.reasons


odd_asked = pods(["asked"], odd_terms)
odd_worlds = worlds(odd_terms, ghosts=True)


@given(odd_worlds, odd_asked)
def test_it_answers_as_if_every_pod_were_asked_at_every_node(
    objects: list[KubeObject], asked: Pod
) -> None:
    snapshot = snapshot_of(objects)
    placed = naive.placed_in(snapshot.node_infos.values())
    meta = prepare_neighbours(asked, snapshot)
    assert isinstance(meta, Neighbours) == naive.has_overview(asked, placed)
    for info in nodes_of(snapshot):
        if isinstance(meta, Neighbours):
            expected = naive.reasons_with_overview(asked, placed, info)
        else:
            expected = naive.reasons_without_overview(asked, placed, info)
        assert answer_of(meta, asked, info) == expected


@given(odd_worlds, odd_asked, st.data())
def test_a_what_if_goes_on_node_by_node(
    objects: list[KubeObject], asked: Pod, data: st.DataObject
) -> None:
    snapshot = snapshot_of(objects)
    meta = prepare_neighbours(asked, snapshot)
    assume(isinstance(meta, NodeByNode))
    info = data.draw(st.sampled_from(nodes_of(snapshot))).clone()
    infos = [info if it.name == info.name else it for it in snapshot.node_infos.values()]
    for gone in data.draw(st.permutations([*info.pods.values()])):
        info.remove_pod(gone)
        meta = meta.remove_pod(gone, info)
        expected = naive.reasons_without_overview(asked, naive.placed_in(infos), info)
        assert answer_of(meta, asked, info) == expected


@given(odd_worlds, odd_asked, pods(["q"], odd_terms))
def test_nominated_pods_are_not_seen(objects: list[KubeObject], asked: Pod, other: Pod) -> None:
    snapshot = snapshot_of([*objects, GHOST])
    meta = prepare_neighbours(asked, snapshot)
    for info in nodes_of(snapshot):
        assert meta.add_pod(other, info) == meta


def test_a_pod_that_is_put_back_counts_again() -> None:
    odd = db(saying(far=[term(ODD)]))
    wanted = pod(
        "shop/w", labels={"app": "web"}, affinity=saying(far=[term("web")]), node_name="a1"
    )
    asked = web(saying(near=[term("web")]))
    snapshot = snapshot_of([A1, odd, wanted])
    info = snapshot.node_infos["a1"]
    whole = prepare_neighbours(asked, snapshot)
    less = whole.remove_pod(odd, info).remove_pod(wanted, info)
    assert answer_of(less, asked, info) == ()
    assert answer_of(less.add_pod(wanted, info), asked, info) == KEPT_OFF.reasons
    assert less.add_pod(odd, info).add_pod(wanted, info) == whole
    assert isinstance(less, NodeByNode)
