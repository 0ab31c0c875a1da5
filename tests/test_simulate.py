"""`simulate`: where pods would go, one after the other."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import FirstByName
from kubesched.errors import ClusterError
from kubesched.framework import Extender, Victims
from kubesched.model import Pod, PodStatus
from kubesched.simulate import in_queue_order, simulate
from kubesched.state import Cluster, NodeInfo
from tests.plugins.volume_binding.objects import claim, using, volume, waiting_class

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


def test_less_important_pods_make_room() -> None:
    report = pod("batch/report-9", cpu=2, node_name="worker-1", priority=1)
    cluster = Cluster.of(
        [node("worker-1", cpu=2), report, pod("etl", cpu=2, priority=5), pod("late", cpu=1)]
    )
    etl, late = simulate(cluster)
    assert (etl.node, etl.evicted, etl.message) == ("worker-1", (report,), "")
    assert (late.node, late.evicted) == (None, ())
    assert cluster.pods["batch/report-9"] is report


def test_nobody_makes_room_where_the_rules_do_not_allow_it() -> None:
    report = pod("report", cpu=2, node_name="worker-1")
    cluster = Cluster.of([node("worker-1", cpu=2), report, pod("etl", cpu=2, priority=5)])
    rules = Profile.default().with_options(disable_preemption=True)
    (etl,) = simulate(cluster, profile=rules)
    assert (etl.node, etl.evicted) == (None, ())


def test_a_less_important_nomination_falls_where_room_is_made() -> None:
    promised = evolve(pod("promised", cpu=1, priority=3), status=PodStatus(nominated_node_name="n"))
    cluster = Cluster.of(
        [
            node("n", cpu=2),
            pod("a", cpu=1, node_name="n"),
            pod("b", cpu=1, node_name="n", priority=9),
        ]
    )
    cluster.add_pod(promised)
    vip, less = simulate(cluster, [pod("vip", cpu=1, priority=5), pod("less", cpu=1, priority=3)])
    assert (vip.node, [each.name for each in vip.evicted]) == ("n", ["a"])
    assert less.node is None


def test_an_extender_may_evict_what_was_placed_before() -> None:
    def everybody(
        _pod: Pod, _victims: object, nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        return {"n": Victims(nodes["n"].pods.values())}

    rules = Profile.default().with_extender(Extender("ruthless", preempt=everybody))
    cluster = Cluster.of([node("n", cpu=2), pod("old", cpu=1, node_name="n", priority=-1)])
    asked = [pod("first", cpu=1, priority=9), pod("second", cpu=1, priority=8)]
    first, second = simulate(cluster, asked, profile=rules)
    assert (first.node, second.node) == ("n", "n")
    assert sorted(each.name for each in second.evicted) == ["first", "old"]


# -- volumes ---------------------------------------------------------------------------------------

LOCAL = waiting_class()
NO_VOLUME = "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind."


def test_a_pod_that_is_placed_takes_its_volumes_from_those_that_follow() -> None:
    pods = [using("data", name="db-0"), using("logs", name="db-1")]
    cluster = Cluster.of([node("n1"), LOCAL, volume(), claim(), claim("logs"), *pods])
    first, second = simulate(cluster)
    assert (first.node, second.message) == ("n1", NO_VOLUME)


def test_a_volume_that_is_made_for_one_pod_is_there_for_the_next() -> None:
    pods = [using("data", name="db-0"), using("data", name="db-1")]
    cloud = waiting_class(provisioner="csi.example.com")
    cluster = Cluster.of([node("n1"), node("n2"), cloud, claim(), *pods])
    first, second = simulate(cluster)
    assert first.node == second.node is not None


def test_volumes_are_left_alone_if_the_rules_do_not_look_at_them() -> None:
    cluster = Cluster.of([node("n1"), LOCAL, claim(), using("data")])
    careless = Profile.default().without("CheckVolumeBinding")
    assert [each.node for each in simulate(cluster, profile=careless)] == ["n1"]


def test_a_pod_whose_volume_cannot_be_made_is_not_placed() -> None:
    cloud = waiting_class(provisioner="csi.example.com")
    taken = volume("pvc-default-data", of_class="other")
    (placement,) = simulate(Cluster.of([node("n1"), cloud, claim(), taken, using("data")]))
    assert placement.node is None
    assert placement.message.endswith("pvc-default-data: the PersistentVolume is there already")


def test_that_no_room_could_be_made_is_told_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_pod: Pod, _victims: object, _nodes: object, /) -> Mapping[str, Victims]:
        raise OSError("nobody is there")

    rules = Profile.default().with_extender(Extender("ruthless", preempt=broken))
    cluster = Cluster.of([node("n", cpu=2), pod("old", cpu=2, node_name="n")])
    (vip,) = simulate(cluster, [pod("vip", cpu=1, priority=9)], profile=rules)
    assert (vip.node, vip.evicted) == (None, ())
    assert vip.message == "0/1 nodes are available: 1 Insufficient cpu."
    assert (
        "no room could be made for pod default/vip: preempt of extender 'ruthless'" in caplog.text
    )


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
