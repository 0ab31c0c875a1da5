"""Required affinity and anti-affinity to pods."""

from random import Random

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.framework import Reason
from kubesched.model import Affinity, KubeObject, LabelSelector, Pod, PodAffinity
from kubesched.plugins.pod_affinity import MATCH_INTER_POD_AFFINITY
from kubesched.plugins.pod_affinity.reasons import KEPT_OFF, TOO_FAR, TOO_NEAR
from kubesched.plugins.pod_affinity.required import prepare_neighbours
from kubesched.state import Snapshot
from tests.plugins.asking import nodes_of, ready, snapshot_of
from tests.plugins.pod_affinity import naive
from tests.plugins.pod_affinity.saying import saying, term
from tests.plugins.pod_affinity.worlds import asked_pods, worlds

A1, A2, B1, NOWHERE = (
    node("a1", labels={"zone": "a", "rack": "1"}),
    node("a2", labels={"zone": "a", "rack": "2"}),
    node("b1", labels={"zone": "b", "rack": "1"}),
    node("nowhere"),
)
NODES = (A1, A2, B1, NOWHERE)
EVERYWHERE = ["a1", "a2", "b1", "nowhere"]
NEAR_DB, FAR_FROM_DB = saying(near=[term("db")]), saying(far=[term("db")])
NEAR_WEB, FAR_FROM_WEB = saying(near=[term("web")]), saying(far=[term("web")])


def web(affinity: Affinity | None = None) -> Pod:
    return pod("shop/web", labels={"app": "web"}, affinity=affinity)


def placed(name: str, node_name: str, affinity: Affinity | None = None, app: str = "db") -> Pod:
    return pod(name, labels={"app": app}, affinity=affinity, node_name=node_name)


DB_ON_A1 = placed("shop/db", "a1")


def fitting(asked: Pod, *others: Pod) -> list[str]:
    """Return the names of the nodes that a pod fits."""
    snapshot = snapshot_of([*NODES, *others])
    meta = ready(MATCH_INTER_POD_AFFINITY, asked, snapshot)
    return [it.name for it in nodes_of(snapshot) if MATCH_INTER_POD_AFFINITY.check(asked, meta, it)]


@pytest.mark.parametrize(
    ("asked", "others", "expected"),
    [
        pytest.param(web(), [DB_ON_A1], EVERYWHERE, id="who says nothing and is not spoken of"),
        pytest.param(web(Affinity()), [DB_ON_A1], EVERYWHERE, id="an empty affinity"),
        pytest.param(
            web(Affinity(pod_affinity=PodAffinity())), [DB_ON_A1], EVERYWHERE, id="no terms"
        ),
        # -- own affinity
        pytest.param(
            web(NEAR_DB), [DB_ON_A1], ["a1", "a2"], id="near the one that it must be near"
        ),
        pytest.param(web(NEAR_DB), [], [], id="near one that is not there"),
        pytest.param(
            web(NEAR_DB), [placed("batch/db", "a1")], [], id="near its own namespace's pods alone"
        ),
        pytest.param(
            web(saying(near=[term("db", namespaces=["batch"])])),
            [placed("batch/db", "a1"), placed("shop/db", "b1")],
            ["a1", "a2"],
            id="or near those of the namespaces that it names",
        ),
        pytest.param(
            web(saying(near=[term(LabelSelector())])), [DB_ON_A1], ["a1", "a2"], id="near anybody"
        ),
        pytest.param(
            web(saying(near=[term(None)])), [DB_ON_A1], [], id="without a selector nobody"
        ),
        pytest.param(
            web(saying(near=[term("db"), term("db", "rack")])),
            [DB_ON_A1],
            ["a1"],
            id="near by every term",
        ),
        pytest.param(
            web(saying(near=[term("db"), term("db", "rack")])),
            [placed("shop/db1", "a1"), placed("shop/db2", "b1")],
            ["a1", "b1"],
            id="by one term near one and by the other near another",
        ),
        pytest.param(
            web(saying(near=[term("db"), term("cache")])),
            [DB_ON_A1, placed("shop/cache", "a1", app="cache")],
            [],
            id="two who meet one term each do not count",
        ),
        pytest.param(
            web(saying(near=[term("db", "row")])), [DB_ON_A1], [], id="a label that no node has"
        ),
        # -- the first of its kind
        pytest.param(web(NEAR_WEB), [DB_ON_A1], EVERYWHERE, id="the first of its kind anywhere"),
        pytest.param(
            web(NEAR_WEB),
            [placed("shop/w", "a1", app="web")],
            ["a1", "a2"],
            id="but not the second",
        ),
        pytest.param(
            web(NEAR_WEB),
            [placed("shop/w", "nowhere", app="web")],
            EVERYWHERE,
            id="the second is as the first if the first is at no such place",
        ),
        pytest.param(
            web(saying(near=[term("web"), term("web", "row")])),
            [placed("shop/w", "a1", app="web")],
            [],
            id="unless it is at a place by another term",
        ),
        pytest.param(
            web(saying(near=[term("web"), term("db")])), [], [], id="it must meet all its terms"
        ),
        # -- own anti-affinity
        pytest.param(
            web(FAR_FROM_DB), [DB_ON_A1], ["b1", "nowhere"], id="far from the one that it names"
        ),
        pytest.param(web(FAR_FROM_WEB), [], EVERYWHERE, id="far from itself"),
        pytest.param(
            web(saying(far=[term("db"), term("cache", "rack")])),
            [DB_ON_A1, placed("shop/cache", "b1", app="cache")],
            ["nowhere"],
            id="far by every term",
        ),
        pytest.param(
            web(saying(far=[term("db"), term("cache", "rack")])),
            [DB_ON_A1],
            ["b1", "nowhere"],
            id="each term about its own pods",
        ),
        # -- other pods' anti-affinity
        pytest.param(
            web(), [placed("shop/db", "a1", FAR_FROM_WEB)], ["b1", "nowhere"], id="others mind"
        ),
        pytest.param(
            web(), [placed("batch/db", "a1", FAR_FROM_WEB)], EVERYWHERE, id="in their own namespace"
        ),
        pytest.param(
            web(),
            [placed("batch/db", "a1", saying(far=[term("web", namespaces=["shop"])]))],
            ["b1", "nowhere"],
            id="or in the namespaces that they name",
        ),
        pytest.param(
            web(), [placed("shop/db", "nowhere", FAR_FROM_WEB)], EVERYWHERE, id="at no such place"
        ),
        pytest.param(
            web(), [placed("shop/db", "a1", NEAR_DB)], EVERYWHERE, id="others' affinity is theirs"
        ),
        pytest.param(
            web(),
            [placed("shop/db", "a1", saying(far=[term("db"), term("web", "rack")]))],
            ["a2", "nowhere"],
            id="by the terms that are about the pod",
        ),
        pytest.param(
            web(saying(far=[term("db", "")])),
            [DB_ON_A1],
            EVERYWHERE,
            id="no key is no node's label",
        ),
    ],
)
def test_a_pod_fits_where_it_is_near_enough_and_far_enough(
    asked: Pod, others: list[Pod], expected: list[str]
) -> None:
    assert fitting(asked, *others) == expected


@pytest.mark.parametrize(
    ("affinity", "other", "expected"),
    [
        pytest.param(NEAR_DB, FAR_FROM_WEB, KEPT_OFF.reasons, id="others first"),
        pytest.param(saying(near=[term("x")], far=[term("db")]), None, TOO_FAR.reasons, id="near"),
        pytest.param(
            saying(near=[term("db")], far=[term("db")]), None, TOO_NEAR.reasons, id="then far"
        ),
    ],
)
def test_the_first_rule_that_refuses_is_told(
    affinity: Affinity, other: Affinity | None, expected: tuple[Reason, ...]
) -> None:
    snapshot = snapshot_of([A1, placed("shop/db", "a1", other)])
    assert verdict(web(affinity), snapshot) == expected


def verdict(asked: Pod, snapshot: Snapshot) -> tuple[Reason, ...]:
    """Return the reasons against the only node."""
    (info,) = nodes_of(snapshot)
    meta = ready(MATCH_INTER_POD_AFFINITY, asked, snapshot)
    return MATCH_INTER_POD_AFFINITY.check(asked, meta, info).reasons


def test_there_are_two_reasons_and_only_what_is_too_far_is_hopeless() -> None:
    common = Reason("node(s) didn't match pod affinity/anti-affinity")
    assert KEPT_OFF.reasons == (
        common,
        Reason("node(s) didn't satisfy existing pods anti-affinity rules"),
    )
    far = Reason("node(s) didn't match pod affinity rules", resolvable=False)
    assert TOO_FAR.reasons == (common, far)
    assert TOO_NEAR.reasons == (common, Reason("node(s) didn't match pod anti-affinity rules"))


@given(worlds(), asked_pods)
def test_it_answers_as_if_every_pod_were_asked_at_every_node(
    objects: list[KubeObject], asked: Pod
) -> None:
    snapshot = snapshot_of(objects)
    placed = naive.placed_in(snapshot.node_infos.values())
    meta = ready(MATCH_INTER_POD_AFFINITY, asked, snapshot)
    for info in nodes_of(snapshot):
        got = MATCH_INTER_POD_AFFINITY.check(asked, meta, info).reasons
        assert got == naive.reasons_with_overview(asked, placed, info)


@given(worlds(), asked_pods, st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_pods_does_not_matter(
    objects: list[KubeObject], asked: Pod, chance: Random
) -> None:
    shuffled = chance.sample(objects, len(objects))
    one, other = (prepare_neighbours(asked, snapshot_of(each)) for each in (objects, shuffled))
    assert one == other
    assert hash(one) == hash(other)
