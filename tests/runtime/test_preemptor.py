"""Preemption in memory: victims leave, nominations are kept where decisions look for them."""

import pytest
from attrs import evolve

from kubesched.builders import node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.model import Binding, Pod
from kubesched.runtime import InMemoryBinder, InMemoryPodPreemptor
from kubesched.state import Cluster

WEB, BATCH = make_pod("shop/web", priority=10), make_pod("shop/batch", node_name="n1")


def cluster_with(*pods: Pod) -> Cluster:
    return Cluster.of([node("n1"), *pods])


def nominated_to(name: str) -> Pod:
    return evolve(WEB, status=evolve(WEB.status, nominated_node_name=name))


def known_as(uid: str, pod: Pod) -> Pod:
    return evolve(pod, metadata=evolve(pod.metadata, uid=uid))


def test_the_updated_pod_is_what_was_seen_last() -> None:
    changed = evolve(WEB, spec=evolve(WEB.spec, priority=11))
    assert InMemoryPodPreemptor(cluster_with(changed)).updated_pod(WEB) == changed


@pytest.mark.parametrize(
    "pods",
    [
        pytest.param((), id="gone"),
        pytest.param((known_as("new", WEB),), id="another of the same name"),
    ],
)
def test_a_pod_that_is_gone_has_no_update(pods: tuple[Pod, ...]) -> None:
    preemptor = InMemoryPodPreemptor(cluster_with(*pods))
    with pytest.raises(ClusterError, match="shop/web: the pod is not there"):
        preemptor.updated_pod(known_as("old", WEB))


def test_a_victim_is_gone_and_takes_no_room() -> None:
    cluster = cluster_with(BATCH, WEB)
    InMemoryPodPreemptor(cluster).delete_pod(BATCH)
    assert [*cluster.pods] == [WEB.key]
    assert not cluster.snapshot().node_infos["n1"].pods
    cluster._check()


@pytest.mark.parametrize("seen", [True, False], ids=["seen before", "never seen"])
def test_a_victim_that_is_being_bound_is_gone_and_its_binding_fails(*, seen: bool) -> None:
    waiting = BATCH.bound_to("")
    cluster = cluster_with(*([waiting] if seen else []))
    cluster.assume(waiting, "n1")
    InMemoryPodPreemptor(cluster).delete_pod(BATCH)
    assert not cluster.pods
    with pytest.raises(ClusterError, match="the pod is not there"):
        InMemoryBinder(cluster).bind(Binding.of(waiting, "n1"))
    cluster._check()


def test_a_victim_that_is_gone_already_is_tolerated() -> None:
    cluster = cluster_with(known_as("new", BATCH))
    InMemoryPodPreemptor(cluster).delete_pod(known_as("old", BATCH))
    InMemoryPodPreemptor(cluster).delete_pod(WEB)
    assert [pod.uid for pod in cluster.pods.values()] == ["new"]


def test_a_nomination_stands_in_the_status_and_in_snapshots() -> None:
    cluster = cluster_with(WEB)
    preemptor = InMemoryPodPreemptor(cluster)
    preemptor.set_nominated_node(WEB, "n1")
    assert cluster.pending[WEB.key] == nominated_to("n1")
    assert cluster.snapshot().nominated["n1"] == (nominated_to("n1"),)
    preemptor.remove_nominated_node(WEB)
    assert cluster.pending[WEB.key] == WEB
    assert not cluster.snapshot().nominated


def test_a_nomination_keeps_what_else_has_changed() -> None:
    changed = evolve(WEB, spec=evolve(WEB.spec, priority=11))
    cluster = cluster_with(changed)
    InMemoryPodPreemptor(cluster).set_nominated_node(WEB, "n1")
    assert cluster.pending[WEB.key].priority == 11


def test_to_nominate_a_pod_that_is_gone_is_tolerated() -> None:
    cluster = cluster_with()
    preemptor = InMemoryPodPreemptor(cluster)
    preemptor.set_nominated_node(WEB, "n1")
    preemptor.remove_nominated_node(WEB)
    assert not cluster.pods
