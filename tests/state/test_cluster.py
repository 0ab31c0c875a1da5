"""What a cluster keeps, what it refuses, and what it tells."""

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
from kubesched.state.loading import load
from tests.state.pictures import picture_of_cluster

Move: TypeAlias = Callable[[Cluster], object]

WEB = make_pod("shop/web", cpu=1)
ON_N1 = WEB.bound_to("n1")
ENDED_ON_N1 = make_pod("shop/web", phase="Succeeded", node_name="n1")


def nodes_alone() -> Cluster:
    return Cluster.of([make_node("n1"), make_node("n2")])


def changes_told(cluster: Cluster) -> list[Change]:
    """Return a list to which the changes of the cluster come."""
    told: list[Change] = []
    cluster.subscribe(told.append)
    return told


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
    assert cluster.nodes == {}
    assert cluster.snapshot().node_infos["n1"].requested.milli_cpu == 1000
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


def test_a_cluster_is_loaded_from_manifests() -> None:
    node = {"kind": "Node", "metadata": {"name": "n1"}}
    pod = {"kind": "Pod", "metadata": {"name": "web"}, "spec": {"nodeName": "n1"}}
    cluster = load({"kind": "List", "items": [pod, {"kind": "Odd"}]}, node)
    assert [*cluster.nodes, *cluster.pods] == ["n1", "web"]


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
    cluster.expire(ASSUME_TTL + 1)
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
        Change("expired", ON_N1, WEB),
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
    assert cluster.is_assumed(WEB)
    assert cluster.pods[WEB.key].node_name == "n2"


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


def test_a_copy_goes_its_own_way() -> None:
    cluster = nodes_alone()
    cluster.assume(WEB, "n1")
    copy = cluster.copy()
    before = picture_of_cluster(cluster)
    copy.finish_binding(WEB, now=0)
    assert picture_of_cluster(cluster) == before
    assert copy.expire(ASSUME_TTL + 1) == (ON_N1,)
    assert picture_of_cluster(cluster) == before


def test_nodes_and_pods_are_given_as_values_of_their_own() -> None:
    cluster = nodes_alone()
    cluster.add(WEB)
    nodes: dict[str, Node] = dict(cluster.nodes)
    pods, pending = cluster.pods, cluster.pending
    cluster.remove(make_node("n1"))
    cluster.remove(WEB)
    assert nodes.keys() == {"n1", "n2"}
    assert pods.keys() == pending.keys() == {WEB.key}
