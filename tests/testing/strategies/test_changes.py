"""Whatever may happen to a cluster can happen to any."""

import pytest
from hypothesis import given, settings, strategies as st

from kubesched.builders import node, pod
from kubesched.model import Node, Pod, Service
from kubesched.state import Cluster
from kubesched.testing import (
    AssumePod,
    ChangeNode,
    ClusterChange,
    ConfirmPod,
    ForgetPod,
    PutObject,
    RemoveObject,
    cluster_changes,
    clusters,
    services,
)
from kubesched.testing.strategies.workloads import finder
from tests.testing.finding import comes_up


@settings(max_examples=60)
@given(clusters(), st.lists(cluster_changes(), max_size=8))
def test_a_cluster_is_sound_whatever_happens(
    cluster: Cluster, changes: list[ClusterChange]
) -> None:
    for change in changes:
        change.apply(cluster)
        cluster._check()


@settings(max_examples=60)
@given(clusters(), cluster_changes())
def test_the_same_change_again_changes_nothing_more(
    cluster: Cluster, change: ClusterChange
) -> None:
    change.apply(cluster)
    once = ({**cluster.nodes}, {**cluster.pods})
    change.apply(cluster)
    assert ({**cluster.nodes}, {**cluster.pods}) == once


@pytest.mark.parametrize(
    "kind", [PutObject, RemoveObject, ChangeNode, AssumePod, ConfirmPod, ForgetPod]
)
def test_every_kind_of_change_comes_up(kind: type) -> None:
    comes_up(cluster_changes(), lambda change: isinstance(change, kind), within=200)


def test_the_life_of_a_pod_can_be_written_down() -> None:
    cluster = Cluster()
    web = pod("web", cpu=1)
    steps: list[tuple[ClusterChange, str]] = [
        (ForgetPod("default/web"), "not there"),
        (PutObject(web), "waiting"),
        (ConfirmPod("default/web"), "waiting"),
        (AssumePod("default/web", "n1"), "assumed on n1"),
        (ForgetPod("default/web"), "waiting"),
        (AssumePod("default/web", "n2"), "assumed on n2"),
        (ConfirmPod("default/web"), "on n2"),
        (AssumePod("default/web", "n1"), "on n2"),
        (PutObject(web.bound_to("n1")), "on n1"),
        (PutObject(web), "waiting"),
        (AssumePod("default/web", "n2"), "assumed on n2"),
        (PutObject(web.bound_to("n1")), "on n1"),
        (RemoveObject(Pod, "default/web"), "not there"),
        (RemoveObject(Pod, "default/web"), "not there"),
    ]
    for change, expected in steps:
        change.apply(cluster)
        assert whereabouts(cluster) == expected, change


def whereabouts(cluster: Cluster) -> str:
    """Tell where the pod is."""
    there = cluster.pods.get("default/web")
    if there is None:
        return "not there"
    if not there.node_name:
        return "waiting"
    return f"{'assumed ' if cluster.is_assumed(there) else ''}on {there.node_name}"


def test_a_pod_that_is_assumed_can_be_taken_out() -> None:
    cluster = Cluster.of([pod("web")])
    AssumePod("default/web", "n1").apply(cluster)
    RemoveObject(Pod, "default/web").apply(cluster)
    assert not cluster.pods


def test_a_pod_that_has_ended_can_start_again_and_can_be_taken_out() -> None:
    cluster = Cluster.of([pod("web", node_name="n1", phase="Succeeded")])
    PutObject(pod("web")).apply(cluster)
    assert [*cluster.pending] == ["default/web"]
    PutObject(pod("web", node_name="n1", phase="Succeeded")).apply(cluster)
    RemoveObject(Pod, "default/web").apply(cluster)
    PutObject(pod("web")).apply(cluster)
    assert [*cluster.pending] == ["default/web"]


def test_one_part_of_a_node_changes_and_no_other() -> None:
    before = node("n1", cpu=1, labels={"app": "a"})
    cluster = Cluster.of([before])
    ChangeNode("n1", "metadata.labels", {"app": "b"}).apply(cluster)
    after = cluster.nodes["n1"]
    assert (after.labels, after.status) == ({"app": "b"}, before.status)
    ChangeNode("n2", "metadata.labels", {}).apply(cluster)
    RemoveObject(Node, "n2").apply(cluster)
    assert [*cluster.nodes] == ["n1"]


@settings(max_examples=20)
@given(services(name="s1", namespace="shop"))
def test_other_objects_come_change_and_go(service: Service) -> None:
    cluster = Cluster.of([finder(Service, service.metadata, {"app": "before"})])
    PutObject(service).apply(cluster)
    assert cluster.of_kind(Service) == {"shop/s1": service}
    for _ in range(2):
        RemoveObject(Service, "shop/s1").apply(cluster)
        assert not cluster.of_kind(Service)
