"""Each move that a cluster allows, and each that it refuses."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import pytest

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.model import (
    Deployment,
    KubeObject,
    Namespace,
    Node,
    ObjectMeta,
    Pod,
    Service,
    ServiceSpec,
    StorageClass,
)
from kubesched.state import ASSUME_TTL, FACET_OF_KIND, Change, Cluster, Facet, ImageState
from tests.state.pictures import picture_of_cluster

Move: TypeAlias = Callable[[Cluster], object]

WEB = make_pod("shop/web", cpu=1)
ON_N1, ON_N2 = WEB.bound_to("n1"), WEB.bound_to("n2")
ENDED = make_pod("shop/web", phase="Succeeded")
ENDED_ON_N1 = ENDED.bound_to("n1")


def nodes_alone() -> Cluster:
    cluster = Cluster()
    for name in ("n1", "n2"):
        cluster.add_node(make_node(name))
    return cluster


def changes_told(cluster: Cluster) -> list[Change]:
    """Return a list to which the changes of the cluster come."""
    told: list[Change] = []
    cluster.subscribe(told.append)
    return told


# -- the life of a pod -----------------------------------------------------------------------------


def assume_unseen(cluster: Cluster) -> None:
    cluster.assume(WEB, "n1")


def assume_seen(cluster: Cluster) -> None:
    cluster.add_pod(WEB)
    cluster.assume(WEB, "n1")


def finish_unseen(cluster: Cluster) -> None:
    assume_unseen(cluster)
    cluster.finish_binding(WEB, now=0)


def finish_seen(cluster: Cluster) -> None:
    assume_seen(cluster)
    cluster.finish_binding(WEB, now=0)


STATES: Mapping[str, Move] = {
    "unknown": lambda _cluster: None,
    "waiting": lambda cluster: cluster.add_pod(WEB),
    "assumed": assume_seen,
    "assumed unseen": assume_unseen,
    "assumed, binding over": finish_seen,
    "assumed unseen, binding over": finish_unseen,
    "bound": lambda cluster: cluster.add_pod(ON_N1),
    "ended": lambda cluster: cluster.add_pod(ENDED_ON_N1),
}
ASSUMED = [state for state in STATES if state.startswith("assumed")]

LATE = ASSUME_TTL + 1
MOVES: Mapping[str, Move] = {
    "added, waiting": lambda cluster: cluster.add_pod(WEB),
    "added on n1": lambda cluster: cluster.add_pod(ON_N1),
    "added on n2": lambda cluster: cluster.add_pod(ON_N2),
    "added, ended": lambda cluster: cluster.add_pod(ENDED_ON_N1),
    "updated, waiting": lambda cluster: cluster.update_pod(WEB),
    "updated on n1": lambda cluster: cluster.update_pod(ON_N1),
    "updated on n2": lambda cluster: cluster.update_pod(ON_N2),
    "updated, ended on n1": lambda cluster: cluster.update_pod(ENDED_ON_N1),
    "updated, ended without a node": lambda cluster: cluster.update_pod(ENDED),
    "removed": lambda cluster: cluster.remove_pod(WEB),
    "assumed on n1": lambda cluster: cluster.assume(WEB, "n1"),
    "assumed on n2": lambda cluster: cluster.assume(WEB, "n2"),
    "assumed on no node": lambda cluster: cluster.assume(WEB, ""),
    "assumed, having ended": lambda cluster: cluster.assume(ENDED, "n1"),
    "forgotten": lambda cluster: cluster.forget(WEB),
    "forgotten on n1": lambda cluster: cluster.forget(ON_N1),
    "forgotten on n2": lambda cluster: cluster.forget(ON_N2),
    "left to time": lambda cluster: cluster.expire(now=LATE),
}


def all_of(states: list[str], outcome: str) -> dict[str, str]:
    return dict.fromkeys(states, outcome)


THERE = {state: f"the pod is {state} already" for state in ("bound", "ended")} | {
    "waiting": "the pod is pending already"
}
NOT_ASSUMED = all_of(["unknown", "waiting", "bound", "ended"], "the pod is not assumed")
NAMELESS = "the pod cannot be assumed on a node without a name"
ONE_IS_ASSUMED = all_of(ASSUMED, "the pod is assumed already")
FORGOTTEN = {
    "assumed": "waiting",
    "assumed, binding over": "waiting",
    "assumed unseen": "gone",
    "assumed unseen, binding over": "gone",
}

# What becomes of the pod by each move, from each state; a refusal begins with "the pod".
OUTCOMES: Mapping[str, Mapping[str, str]] = {
    "added, waiting": {"unknown": "waiting"} | THERE | ONE_IS_ASSUMED,
    "added on n1": {"unknown": "bound to n1"} | THERE | all_of(ASSUMED, "bound to n1"),
    "added on n2": {"unknown": "bound to n2"} | THERE | all_of(ASSUMED, "bound to n2"),
    "added, ended": {"unknown": "ended"} | THERE | all_of(ASSUMED, "ended"),
    "updated, waiting": {
        "unknown": "the pod is not there",
        "waiting": "waiting",
        "bound": "the pod is on n1 and cannot move to no node",
        "ended": "waiting",
    }
    | all_of(ASSUMED, "assumed on n1"),
    "updated on n1": {
        "unknown": "the pod is not there",
        "waiting": "bound to n1",
        "bound": "bound to n1",
        "ended": "bound to n1",
    }
    | all_of(ASSUMED, "bound to n1"),
    "updated on n2": {
        "unknown": "the pod is not there",
        "waiting": "bound to n2",
        "bound": "the pod is on n1 and cannot move to n2",
        "ended": "bound to n2",
    }
    | all_of(ASSUMED, "bound to n2"),
    "updated, ended on n1": {
        "unknown": "the pod is not there",
        "waiting": "ended",
        "bound": "ended",
        "ended": "ended",
    }
    | all_of(ASSUMED, "ended"),
    "updated, ended without a node": {
        "unknown": "the pod is not there",
        "waiting": "ended",
        "bound": "the pod is on n1 and cannot move to no node",
        "ended": "ended",
    }
    | all_of(ASSUMED, "assumed on n1"),
    "removed": {
        "unknown": "the pod is not there",
        "waiting": "gone",
        "bound": "gone",
        "ended": "gone",
    }
    | all_of(ASSUMED, "the pod is assumed; forget it instead"),
    "assumed on n1": THERE
    | ONE_IS_ASSUMED
    | {"unknown": "assumed on n1", "waiting": "assumed on n1"},
    "assumed on n2": THERE
    | ONE_IS_ASSUMED
    | {"unknown": "assumed on n2", "waiting": "assumed on n2"},
    "assumed on no node": THERE | ONE_IS_ASSUMED | {"unknown": NAMELESS, "waiting": NAMELESS},
    "assumed, having ended": all_of(list(STATES), "the pod is ended already"),
    "forgotten": NOT_ASSUMED | FORGOTTEN,
    "forgotten on n1": NOT_ASSUMED | FORGOTTEN,
    "forgotten on n2": NOT_ASSUMED | all_of(ASSUMED, "the pod is assumed on n1, not n2"),
    "left to time": {
        "unknown": "gone",
        "waiting": "waiting",
        "bound": "bound to n1",
        "ended": "ended",
        "assumed": "assumed on n1",
        "assumed unseen": "assumed on n1",
        "assumed, binding over": "waiting",
        "assumed unseen, binding over": "gone",
    },
}


def stands(cluster: Cluster) -> str:
    """Say where the pod stands."""
    if WEB.key in cluster.pending:
        return "waiting"
    if WEB.key in cluster.pods:
        how = "assumed on" if cluster.is_assumed(WEB) else "bound to"
        return f"{how} {cluster.pods[WEB.key].node_name}"
    return "ended" if WEB.key in cluster._pods.ended else "gone"


def taken(cluster: Cluster) -> dict[str, int]:
    infos = cluster.snapshot().node_infos
    return {name: info.requested.milli_cpu for name, info in infos.items() if info.pods}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("move", MOVES)
def test_a_pod_goes_where_the_move_leads_or_stays_where_it_is(move: str, state: str) -> None:
    cluster, outcome = nodes_alone(), OUTCOMES[move][state]
    STATES[state](cluster)
    before, told = picture_of_cluster(cluster), changes_told(cluster)
    if outcome.startswith("the pod"):
        with pytest.raises(ClusterError) as caught:
            MOVES[move](cluster)
        assert (str(caught.value), caught.value.key) == (f"{WEB.key}: {outcome}", WEB.key)
        assert (picture_of_cluster(cluster), told) == (before, [])
    else:
        MOVES[move](cluster)
        assert stands(cluster) == outcome
        on_a_node = outcome.startswith(("assumed", "bound"))
        assert taken(cluster) == ({outcome.split()[-1]: 1000} if on_a_node else {})
        assert told or picture_of_cluster(cluster) == before
    cluster._check()


def test_every_move_from_every_state_has_an_outcome() -> None:
    assert OUTCOMES.keys() == MOVES.keys()
    assert all(outcomes.keys() == STATES.keys() for outcomes in OUTCOMES.values())


def test_a_pod_that_comes_back_waits_as_it_was_last_seen() -> None:
    cluster, seen = nodes_alone(), make_pod("shop/web", cpu=2)
    assume_seen(cluster)
    cluster.update_pod(seen)
    assert cluster.pods[WEB.key] == ON_N1
    cluster.forget(WEB)
    assert cluster.pending[WEB.key] == seen


def test_a_pod_that_ended_while_it_was_assumed_has_ended_once_it_is_forgotten() -> None:
    cluster = nodes_alone()
    assume_seen(cluster)
    cluster.update_pod(ENDED)
    cluster.forget(WEB)
    assert stands(cluster) == "ended"


def test_assuming_gives_the_pod_back_with_its_node() -> None:
    cluster = nodes_alone()
    assert cluster.assume(WEB, "n1") == ON_N1
    assert cluster.is_assumed(ON_N1)


def test_pods_wait_in_order_of_arrival_and_an_update_changes_no_place() -> None:
    cluster = Cluster()
    for name in ("a", "b", "c"):
        cluster.add_pod(make_pod(name))
    cluster.update_pod(make_pod("a", cpu=1))
    assert list(cluster.pending) == ["default/a", "default/b", "default/c"]


# -- time ------------------------------------------------------------------------------------------


class Finished(NamedTuple):
    """When bindings finished, and who has expired when."""

    says: str
    finished: tuple[tuple[str, float], ...]
    now: float
    expired: tuple[str, ...]


FINISHED = [
    Finished("a pod that is still being bound never expires", (), 1e9, ()),
    Finished("its time is not over at the last moment", (("a", 5),), 5 + ASSUME_TTL, ()),
    Finished("its time is over after that", (("a", 5),), 5.1 + ASSUME_TTL, ("a",)),
    Finished("each has its own time", (("a", 0), ("b", 9)), 5 + ASSUME_TTL, ("a",)),
    Finished("all that are late expire", (("b", 0), ("a", 0)), 5 + ASSUME_TTL, ("a", "b")),
    Finished("finishing again gives it more time", (("a", 0), ("a", 9)), 5 + ASSUME_TTL, ()),
    Finished("one that is not assumed is left alone", (("none", 0),), 1e9, ()),
]


@pytest.mark.parametrize("finished", FINISHED, ids=lambda it: it.says)
def test_an_assumed_pod_expires_some_time_after_its_binding(finished: Finished) -> None:
    cluster = nodes_alone()
    for name in ("a", "b"):
        cluster.assume(make_pod(name), "n1")
    for name, at in finished.finished:
        cluster.finish_binding(make_pod(name), at)
    expired = cluster.expire(finished.now)
    assert tuple(pod.name for pod in expired) == finished.expired
    assert all(pod.node_name == "n1" for pod in expired)
    assert {pod.name for pod in cluster.pods.values()} == {"a", "b"} - {*finished.expired}
    cluster._check()


def test_confirmed_pods_do_not_expire() -> None:
    cluster = nodes_alone()
    finish_seen(cluster)
    cluster.update_pod(ON_N1)
    assert cluster.expire(LATE) == ()


# -- nodes and other objects -----------------------------------------------------------------------

SERVICE = Service(metadata=ObjectMeta(name="web", namespace="shop"))
SELECTING = Service(metadata=SERVICE.metadata, spec=ServiceSpec(selector={"app": "web"}))
DEPLOYMENT = Deployment(metadata=ObjectMeta(name="web", namespace="shop"))
NO_SUCH_KIND = "Deployment: a cluster keeps no objects of this kind"


class Refused(NamedTuple):
    """A change that is refused, and in which words."""

    says: str
    change: Move
    text: str


REFUSED = [
    Refused("a node twice", lambda it: it.add(make_node("n1")), "n1: the node is there already"),
    Refused(
        "no such node to update", lambda it: it.update(make_node("n9")), "n9: the node is not there"
    ),
    Refused(
        "no such node to remove", lambda it: it.remove(make_node("n9")), "n9: the node is not there"
    ),
    Refused(
        "a node of which pods only claim to know",
        lambda it: it.update(make_node("n8")),
        "n8: the node is not there",
    ),
    Refused(
        "nor can that be removed",
        lambda it: it.remove(make_node("n8")),
        "n8: the node is not there",
    ),
    Refused(
        "a service twice", lambda it: it.add(SELECTING), "shop/web: the Service is there already"
    ),
    Refused(
        "no such object to update",
        lambda it: it.update(StorageClass(metadata=ObjectMeta(name="ssd"))),
        "ssd: the StorageClass is not there",
    ),
    Refused(
        "no such object to remove",
        lambda it: it.remove(Namespace(metadata=ObjectMeta(name="shop"))),
        "shop: the Namespace is not there",
    ),
    Refused("no such pod to update", lambda it: it.update(WEB), "shop/web: the pod is not there"),
    Refused("adding what no cluster keeps", lambda it: it.add(DEPLOYMENT), NO_SUCH_KIND),
    Refused("updating what no cluster keeps", lambda it: it.update(DEPLOYMENT), NO_SUCH_KIND),
    Refused("removing what no cluster keeps", lambda it: it.remove(DEPLOYMENT), NO_SUCH_KIND),
    Refused("asking for what no cluster keeps", lambda it: it.of_kind(Deployment), NO_SUCH_KIND),
    Refused(
        "asking for pods as plain objects",
        lambda it: it.of_kind(Pod),
        "Pod: a cluster keeps no objects of this kind",
    ),
]


@pytest.mark.parametrize("refused", REFUSED, ids=lambda it: it.says)
def test_a_refused_change_leaves_all_as_it_was(refused: Refused) -> None:
    cluster = nodes_alone()
    cluster.add(SERVICE)
    cluster.add(make_pod("lost", node_name="n8"))
    before, told = picture_of_cluster(cluster), changes_told(cluster)
    with pytest.raises(ClusterError) as caught:
        refused.change(cluster)
    assert str(caught.value) == refused.text
    assert (picture_of_cluster(cluster), told) == (before, [])
    cluster._check()


@pytest.mark.parametrize("kind", FACET_OF_KIND)
def test_objects_of_a_kind_come_change_and_go(kind: type[KubeObject]) -> None:
    cluster, key = Cluster(), "shop/x"
    first, second = (
        kind(metadata=ObjectMeta(name="x", namespace="shop", labels={"v": v})) for v in "12"
    )
    cluster.add(first)
    assert dict(cluster.of_kind(kind)) == {key: first}
    cluster.update(second)
    assert dict(cluster.of_kind(kind)) == {key: second}
    cluster.remove(first)
    assert dict(cluster.of_kind(kind)) == {}


def test_a_pod_may_come_before_its_node_and_outlive_it() -> None:
    cluster = Cluster()
    cluster.add(ON_N1)
    assert cluster.nodes == {}
    assert cluster.snapshot().node_infos["n1"].node is None
    cluster.add(make_node("n1"))
    assert cluster.snapshot().node_infos["n1"].pods == {WEB.key: ON_N1}
    cluster.remove(make_node("n1"))
    assert (cluster.nodes, taken(cluster)) == ({}, {"n1": 1000})
    cluster.remove(WEB)
    assert len(cluster.snapshot().node_infos) == 0


def test_a_node_that_changes_its_zone_changes_its_place_in_the_order() -> None:
    cluster = Cluster.of([make_node(name, zone=zone) for name, zone in ("ax", "bx", "cy")])
    assert cluster.snapshot().order.round == ("a", "c", "b")
    cluster.update(make_node("a", zone="y"))
    assert cluster.snapshot().order.round == ("b", "c", "a")


def test_a_node_knows_how_many_held_its_images_when_it_was_last_told() -> None:
    cluster, images = Cluster(), {"web:1": 10}
    cluster.add_node(make_node("n1", images=images))
    cluster.add_node(make_node("n2", images=images))
    infos = cluster.snapshot().node_infos
    assert infos["n1"].images == {"web:1": ImageState(10, 1)}
    assert infos["n2"].images == {"web:1": ImageState(10, 2)}
    cluster.update_node(make_node("n1", images=images))
    assert cluster.snapshot().node_infos["n1"].images == {"web:1": ImageState(10, 2)}


# -- made of many objects --------------------------------------------------------------------------


def test_a_cluster_is_made_of_objects_in_whatever_order() -> None:
    images = {"web:1": 10}
    nodes = [make_node(name, images=images) for name in ("n1", "n2")]
    cluster = Cluster.of([ON_N1, SERVICE, nodes[0], make_pod("b"), DEPLOYMENT, nodes[1]])
    assert cluster.nodes == {node.name: node for node in nodes}
    assert cluster.pods.keys() == {WEB.key, "default/b"}
    assert dict(cluster.of_kind(Service)) == {"shop/web": SERVICE}
    held = [info.images["web:1"].num_nodes for info in cluster.snapshot().node_infos.values()]
    assert held == [2, 2]
    cluster._check()


@pytest.mark.parametrize("twice", [WEB, make_node("n1"), SERVICE], ids=lambda it: it.kind)
def test_a_cluster_is_not_made_of_the_same_object_twice(twice: KubeObject) -> None:
    with pytest.raises(ClusterError, match="already"):
        Cluster.of([twice, twice])


# -- generations -----------------------------------------------------------------------------------

TOUCHES: Mapping[str, tuple[Move, set[Facet]]] = {
    "a new node": (lambda it: it.add(make_node("n3")), {Facet.CLUSTER_NODES}),
    "a node that changed": (lambda it: it.update(make_node("n1", cpu=9)), {Facet.CLUSTER_NODES}),
    "a node that went": (lambda it: it.remove(make_node("n1")), {Facet.CLUSTER_NODES}),
    "a pod that waits": (lambda it: it.add(make_pod("b")), set()),
    "a pod on a node": (lambda it: it.add(make_pod("b", node_name="n1")), {Facet.CLUSTER_PODS}),
    "a pod on a node that is not known": (
        lambda it: it.add(make_pod("b", node_name="n9")),
        {Facet.CLUSTER_PODS, Facet.CLUSTER_NODES},
    ),
    "a pod that ended": (lambda it: it.update(ENDED_ON_N1), {Facet.CLUSTER_PODS}),
    "a pod that went": (lambda it: it.remove(WEB), {Facet.CLUSTER_PODS}),
    "an assumed pod": (lambda it: it.assume(make_pod("b"), "n1"), {Facet.CLUSTER_PODS}),
    "a service": (lambda it: it.add(SERVICE), {Facet.SERVICES}),
}


@pytest.mark.parametrize("what", TOUCHES)
def test_a_change_moves_the_facets_of_the_cluster_that_it_touches(what: str) -> None:
    change, touched = TOUCHES[what]
    cluster = nodes_alone()
    cluster.add(ON_N1)
    before = cluster.snapshot().generations
    change(cluster)
    after = cluster.snapshot().generations
    assert {facet for facet in Facet if before[facet] != after[facet]} == touched
    assert all(now >= then for now, then in zip(after, before, strict=True))


@pytest.mark.parametrize("kind", FACET_OF_KIND)
def test_each_kind_counts_its_own_changes(kind: type[KubeObject]) -> None:
    cluster, made = Cluster(), kind(metadata=ObjectMeta(name="x"))
    for change in (cluster.add, cluster.update, cluster.remove):
        before = cluster.snapshot().generations
        change(made)
        after = cluster.snapshot().generations
        assert {f for f in Facet if before[f] != after[f]} == {FACET_OF_KIND[kind]}


# -- listeners -------------------------------------------------------------------------------------


def test_listeners_are_told_what_happened_in_order() -> None:
    cluster, node = Cluster(), make_node("n1")
    told = changes_told(cluster)
    cluster.add(node)
    cluster.add(WEB)
    cluster.assume(WEB, "n1")
    cluster.finish_binding(WEB, now=0)
    cluster.expire(LATE)
    cluster.update(ON_N1)
    cluster.remove(WEB)
    cluster.add(SERVICE)
    cluster.update(SELECTING)
    cluster.remove(SERVICE)
    cluster.remove(node)
    assert told == [
        Change("added", None, node),
        Change("added", None, WEB),
        Change("assumed", WEB, ON_N1),
        Change("forgotten", ON_N1, WEB),
        Change("updated", WEB, ON_N1),
        Change("removed", ON_N1, None),
        Change("added", None, SERVICE),
        Change("updated", SERVICE, SELECTING),
        Change("removed", SELECTING, None),
        Change("removed", node, None),
    ]


def test_a_listener_sees_the_cluster_as_it_is_after_the_change() -> None:
    cluster, seen = nodes_alone(), list[int]()
    cluster.snapshot()
    cluster.subscribe(lambda _change: seen.append(len(cluster.snapshot().pending)))
    cluster.add_pod(WEB)
    cluster.remove_pod(WEB)
    assert seen == [1, 0]


def test_a_listener_may_change_the_cluster() -> None:
    cluster = nodes_alone()

    def place(change: Change) -> None:
        if change.action == "added" and isinstance(change.after, Pod):
            cluster.assume(change.after, "n2")

    cluster.subscribe(place)
    cluster.add_pod(WEB)
    assert stands(cluster) == "assumed on n2"


def test_who_unsubscribes_is_told_no_more_even_if_it_does_so_twice() -> None:
    cluster, told = Cluster(), list[Change]()
    stop_first, stop_second = cluster.subscribe(told.append), cluster.subscribe(told.append)
    cluster.add(SERVICE)
    assert len(told) == 2
    stop_first()
    stop_first()
    cluster.update(SERVICE)
    assert len(told) == 3
    stop_second()
    cluster.remove(SERVICE)
    assert len(told) == 3


def test_a_copy_has_no_listeners() -> None:
    cluster = Cluster()
    told = changes_told(cluster)
    cluster.copy().add(SERVICE)
    assert told == []


def test_nodes_and_pods_are_given_as_values_of_their_own() -> None:
    cluster = nodes_alone()
    cluster.add(WEB)
    nodes: dict[str, Node] = dict(cluster.nodes)
    pods, pending = cluster.pods, cluster.pending
    cluster.remove(make_node("n1"))
    cluster.remove(WEB)
    assert nodes.keys() == {"n1", "n2"}
    assert pods.keys() == pending.keys() == {WEB.key}
