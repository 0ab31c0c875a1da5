"""In a cluster that is drawn, one thing fits the other."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from kubesched.config import stock_registry
from kubesched.errors import SchedulingError
from kubesched.framework import SKIP, meta_of
from kubesched.model import (
    KubeObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    ReplicaSet,
    Service,
    StorageClass,
)
from kubesched.plugins.volume_binding.claims import is_bound
from kubesched.quantity import Quantity
from kubesched.selectors import label_map_selector
from kubesched.state import Cluster, NodeInfo
from kubesched.testing import cluster_objects, clusters, node_infos, nodes, pods
from kubesched.testing.words import WORDS
from tests.testing.finding import comes_up, smallest

Objects = tuple[KubeObject, ...]


def no_two_objects_of_a_kind_have_the_same_key(objects: Objects) -> None:
    counted = Counter((type(each), each.key) for each in objects)
    assert set(counted.values()) <= {1}


def placed_and_promised_pods_are_on_nodes_that_exist(objects: Objects) -> None:
    names = {each.name for each in objects if isinstance(each, Node)}
    for each in objects:
        if isinstance(each, Pod):
            assert {each.node_name, each.status.nominated_node_name} <= {"", *names}


def services_and_controllers_are_in_the_namespaces_of_pods(objects: Objects) -> None:
    there = {each.namespace for each in objects if isinstance(each, Pod)}
    for each in objects:
        if isinstance(each, (Service, ReplicaSet)) and there:
            assert each.namespace in there


def volumes_know_the_claims_that_are_bound_to_them(objects: Objects) -> None:
    mounted = {key for each in objects if isinstance(each, Pod) for key in each.claim_keys}
    volumes = {each.name: each for each in objects if isinstance(each, PersistentVolume)}
    for each in objects:
        if isinstance(each, PersistentVolumeClaim) and each.key in mounted and is_bound(each):
            volume = volumes.get(each.spec.volume_name)
            reference = volume and volume.spec.claim_ref
            assert reference is None or f"{reference.namespace}/{reference.name}" == each.key


@settings(max_examples=60)
@given(cluster_objects())
def test_one_thing_fits_the_other(objects: Objects) -> None:
    no_two_objects_of_a_kind_have_the_same_key(objects)
    placed_and_promised_pods_are_on_nodes_that_exist(objects)
    services_and_controllers_are_in_the_namespaces_of_pods(objects)
    volumes_know_the_claims_that_are_bound_to_them(objects)


@settings(max_examples=20)
@given(clusters())
def test_a_cluster_is_sound(cluster: Cluster) -> None:
    cluster._check()
    assert cluster.nodes


@settings(max_examples=20)
@given(
    cluster_objects(
        min_nodes=2, max_nodes=6, min_placed=3, max_placed=9, min_pending=1, max_pending=1
    )
)
def test_the_bounds_hold(objects: Objects) -> None:
    there = [each for each in objects if isinstance(each, Node)]
    come = [each for each in objects if isinstance(each, Pod)]
    placed = [each for each in come if each.node_name]
    assert 2 <= len(there) <= 6
    assert 3 <= len(placed) <= 9
    assert len(come) == len(placed) + 1


@settings(max_examples=20)
@given(clusters(min_nodes=0, max_nodes=0, min_placed=1))
def test_without_nodes_all_pods_wait(cluster: Cluster) -> None:
    assert not cluster.nodes
    assert [*cluster.pods] == [*cluster.pending]


@settings(max_examples=20)
@given(
    clusters(
        nodes=nodes(cpu=3, labels={"rack": "r7"}),
        pods=pods(cpu=1, labels={"app": "web"}),
        max_placed=2,
    )
)
def test_nodes_and_pods_are_as_they_were_said_to_be(cluster: Cluster) -> None:
    for each in cluster.nodes.values():
        assert (each.labels["rack"], each.status.allocatable["cpu"]) == ("r7", Quantity(3))
    assert all(each.labels == {"app": "web"} for each in cluster.pods.values())


def is_overfull(info: NodeInfo) -> bool:
    room, taken = info.allocatable, info.requested
    return (
        taken.milli_cpu > room.milli_cpu
        or taken.memory > room.memory
        or len(info.pods) > room.pods
        or any(taken.scalars[name] > room.scalars.get(name, 0) for name in taken.scalars)
    )


def test_most_nodes_have_room_for_their_pods() -> None:
    counted: Counter[bool] = Counter()

    @settings(max_examples=100, derandomize=True, database=None)
    @given(clusters())
    def count(cluster: Cluster) -> None:
        infos = cluster.snapshot().node_infos.values()
        counted.update(is_overfull(info) for info in infos if info.pods)

    count()
    assert counted[False] > 5 * counted[True]


def mounts_a_bound_claim(cluster: Cluster) -> bool:
    claims, volumes = cluster.of_kind(PersistentVolumeClaim), cluster.of_kind(PersistentVolume)
    mounted = (claims.get(key) for pod in cluster.pods.values() for key in pod.claim_keys)
    return any(it and is_bound(it) and it.spec.volume_name in volumes for it in mounted)


def a_claim_has_its_class(cluster: Cluster) -> bool:
    classes = cluster.of_kind(StorageClass)
    claims = cluster.of_kind(PersistentVolumeClaim).values()
    return any((each.spec.storage_class_name or "") in classes for each in claims)


def a_service_finds_a_pod(cluster: Cluster) -> bool:
    return any(
        service.spec.selector
        and service.namespace == pod.namespace
        and label_map_selector(service.spec.selector).matches(pod.labels)
        for service in cluster.of_kind(Service).values()
        for pod in cluster.pods.values()
    )


def two_zones(cluster: Cluster) -> bool:
    return len({info.zone for info in cluster.snapshot().node_infos.values() if info.zone}) > 1


def a_name_in_two_namespaces(cluster: Cluster) -> bool:
    return len({pod.name for pod in cluster.pods.values()}) < len(cluster.pods)


def two_pods_alike(cluster: Cluster) -> bool:
    specs = [pod.bound_to("").spec for pod in cluster.pods.values()]
    return len(set(specs)) < len(specs)


def a_full_node(cluster: Cluster) -> bool:
    return any(
        info.requested.milli_cpu == info.allocatable.milli_cpu > 0
        for info in cluster.snapshot().node_infos.values()
    )


def a_node_that_says_nothing_of_its_cpu(cluster: Cluster) -> bool:
    return any("cpu" not in node.status.allocatable for node in cluster.nodes.values())


def a_huge_request(cluster: Cluster) -> bool:
    infos = cluster.snapshot().node_infos.values()
    return any(info.requested.memory > 2**53 for info in infos)


@pytest.mark.parametrize(
    "condition",
    [
        mounts_a_bound_claim,
        a_claim_has_its_class,
        a_service_finds_a_pod,
        two_zones,
        a_name_in_two_namespaces,
        two_pods_alike,
        a_full_node,
        a_node_that_says_nothing_of_its_cpu,
        a_huge_request,
    ],
)
def test_what_rules_err_about_comes_up_soon(condition: Callable[[Cluster], bool]) -> None:
    assert condition(comes_up(clusters(), condition, within=400))


def refusals(name: str) -> Callable[[Cluster], bool]:
    """Return what looks for a pod that a stock predicate refuses on one node and not on another."""
    spec = stock_registry().predicate(name)

    def is_torn(cluster: Cluster) -> bool:
        snapshot = cluster.snapshot()
        for pod in cluster.pending.values():
            try:
                meta: Any = meta_of(spec, pod, snapshot)
                infos = snapshot.node_infos.values()
                fits = [bool(spec.check(pod, meta, info)) for info in infos if meta is not SKIP]
            except SchedulingError:
                continue
            if len(set(fits)) > 1:
                return True
        return False

    return is_torn


@pytest.mark.parametrize(
    "name",
    [
        "PodFitsResources",
        "PodFitsHostPorts",
        "MatchNodeSelector",
        "PodToleratesNodeTaints",
        "CheckNodeUnschedulable",
        "MatchInterPodAffinity",
    ],
)
def test_a_stock_predicate_is_soon_torn_between_nodes(name: str) -> None:
    torn = refusals(name)
    assert torn(comes_up(clusters(min_pending=1), torn, within=2000))


@settings(max_examples=20)
@given(node_infos(nodes=nodes(name="n9"), pods=pods(memory="1Gi"), max_pods=6))
def test_a_node_info_stands_alone(info: NodeInfo) -> None:
    info._check()
    assert info.name == "n9"
    assert {pod.node_name for pod in info.pods.values()} <= {"n9"}
    assert not info.is_shared


def test_names_of_nodes_come_from_the_words() -> None:
    words = WORDS.with_words(["spot-1"])
    found = smallest(clusters(words=words), lambda it: "spot-1" in it.nodes, within=200)
    assert [*found.nodes] == ["spot-1"]
