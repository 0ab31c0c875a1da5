"""`simulate`: where pods would go, one after the other."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import FirstByName
from kubesched.errors import ClusterError
from kubesched.model import Pod
from kubesched.simulate import in_queue_order, simulate
from kubesched.state import Cluster

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def being_deleted(waiting: Pod) -> Pod:
    return evolve(waiting, metadata=evolve(waiting.metadata, deletion_timestamp=NEW_YEAR))


def test_a_pod_that_is_placed_takes_its_room_from_those_that_follow() -> None:
    cluster = Cluster.of([node("worker-1", cpu=2), pod("first", cpu=2), pod("second", cpu=1)])
    first, second = simulate(cluster)
    assert (first.node, first.message, first.score) == ("worker-1", "", None)
    assert second.node is None
    assert second.message == "0/1 nodes are available: 1 Insufficient cpu."


def test_the_cluster_stays_as_it_is() -> None:
    cluster = Cluster.of([node("worker-1"), pod("web-1")])
    before = cluster.snapshot()
    assert [placement.node for placement in simulate(cluster)] == ["worker-1"]
    assert cluster.snapshot() is before
    assert list(cluster.pending) == ["default/web-1"]


def test_given_pods_are_placed_instead_of_the_pending_ones() -> None:
    cluster = Cluster.of([node("worker-1"), pod("waiting")])
    assert [each.pod.key for each in simulate(cluster, [pod("asked")])] == ["default/asked"]


def test_a_given_pod_with_a_node_is_put_there_first() -> None:
    cluster = Cluster.of([node("worker-1", cpu=2)])
    (asked,) = simulate(cluster, [pod("asked", cpu=2), pod("there", cpu=1, node_name="worker-1")])
    assert asked.pod.key == "default/asked"
    assert asked.node is None


def test_a_given_pod_that_is_in_the_cluster_already_is_an_error() -> None:
    cluster = Cluster.of([node("worker-1"), pod("web-1")])
    with pytest.raises(ClusterError, match=r"^default/web-1: the pod is pending already$"):
        simulate(cluster, [pod("web-1")])


def test_pods_of_other_schedulers_are_passed_over() -> None:
    cluster = Cluster.of([node("worker-1"), pod("ours"), pod("theirs", scheduler_name="other")])
    assert [each.pod.key for each in simulate(cluster)] == ["default/ours"]
    placed = simulate(cluster, scheduler_name="other")
    assert [each.pod.key for each in placed] == ["default/theirs"]


def test_a_pod_that_is_being_deleted_is_skipped() -> None:
    cluster = Cluster.of([node("worker-1"), being_deleted(pod("gone"))])
    (placement,) = simulate(cluster)
    assert placement.node is None
    assert placement.message == "skip schedule deleting pod: default/gone"


def test_a_cluster_without_nodes_says_so() -> None:
    (placement,) = simulate(Cluster.of([pod("web-1")]))
    assert placement.message == "no nodes available to schedule pods"


def test_the_profile_and_the_selector_decide() -> None:
    nodes = [node("b", cpu=8), node("a", cpu=8), node("full", cpu=8)]
    cluster = Cluster.of([*nodes, pod("busy", cpu=4, node_name="full"), pod("web-1", cpu=1)])
    (spread,) = simulate(cluster, select=FirstByName())
    packing = Profile.from_provider("ClusterAutoscalerProvider")
    (packed,) = simulate(cluster, profile=packing.without("BalancedResourceAllocation"))
    assert (spread.node, packed.node) == ("a", "full")


@given(st.permutations(range(6)))
def test_higher_priority_comes_first_then_age_then_the_order_given(order: list[int]) -> None:
    right = [
        pod("critical", priority=1000),
        pod("old", priority=5, created=NEW_YEAR),
        pod("young", priority=5, created=NEW_YEAR + timedelta(hours=1)),
        pod("ageless", priority=5),
        pod("usual"),
        pod("low", priority=-1),
    ]
    shuffled = [right[index] for index in order]
    assert in_queue_order(shuffled) == right


def test_the_order_given_stands_among_equals() -> None:
    equals = [pod("c"), pod("a"), pod("b")]
    assert in_queue_order(equals) == equals
