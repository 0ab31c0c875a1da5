"""Binding in memory: the pod is seen on its node, or an error says why not."""

from datetime import UTC, datetime

import pytest
from attrs import evolve

from kubesched.builders import node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.model import Binding, Pod, PodCondition
from kubesched.runtime import InMemoryBinder, not_scheduled
from kubesched.runtime.conditions import with_condition
from kubesched.state import Change, Cluster

WEB = make_pod("shop/web", cpu=1)
TO_N1 = Binding.of(WEB, "n1")
SCHEDULED = PodCondition(type="PodScheduled", status="True")


def cluster_with(*pods: Pod) -> Cluster:
    return Cluster.of([node("n1"), node("n2"), *pods])


def known_as(uid: str) -> Pod:
    return evolve(WEB, metadata=evolve(WEB.metadata, uid=uid))


def going() -> Pod:
    since = datetime(2024, 1, 1, tzinfo=UTC)
    return evolve(WEB, metadata=evolve(WEB.metadata, deletion_timestamp=since))


def test_an_assumed_pod_is_seen_bound() -> None:
    cluster, heard = cluster_with(WEB), list[Change]()
    cluster.assume(WEB, "n1")
    cluster.subscribe(heard.append)
    InMemoryBinder(cluster).bind(TO_N1)
    assert not cluster.is_assumed(WEB)
    assert cluster.pods[WEB.key] == with_condition(WEB.bound_to("n1"), SCHEDULED)
    assert [change.action for change in heard] == ["updated"]
    cluster._check()


@pytest.mark.parametrize("seen", [(), (WEB,)], ids=["assumed unseen", "waiting"])
def test_a_pod_is_bound_in_whatever_state_it_waits(seen: tuple[Pod, ...]) -> None:
    cluster = cluster_with(*seen)
    if not seen:
        cluster.assume(WEB, "n1")
    InMemoryBinder(cluster).bind(TO_N1)
    assert cluster.pods[WEB.key].node_name == "n1"
    assert not cluster.is_assumed(WEB)


def test_a_pod_goes_where_the_binding_says_even_if_it_was_assumed_elsewhere() -> None:
    cluster = cluster_with(WEB)
    cluster.assume(WEB, "n2")
    InMemoryBinder(cluster).bind(TO_N1)
    infos = cluster.snapshot().node_infos
    assert [len(infos[name].pods) for name in ("n1", "n2")] == [1, 0]


def test_that_it_was_not_scheduled_before_is_over() -> None:
    cluster = cluster_with(with_condition(WEB, not_scheduled("Unschedulable", "no node")))
    InMemoryBinder(cluster).bind(TO_N1)
    assert cluster.pods[WEB.key].status.conditions == (SCHEDULED,)


@pytest.mark.parametrize(
    ("there", "binding", "why"),
    [
        pytest.param((), TO_N1, "the pod is not there", id="gone"),
        pytest.param(
            (known_as("new"),),
            Binding.of(known_as("old"), "n1"),
            "the pod is not there",
            id="another of the same name",
        ),
        pytest.param(
            (going(),), TO_N1, "the pod is being deleted and cannot be bound", id="being deleted"
        ),
        pytest.param(
            (WEB.bound_to("n2"),), TO_N1, "the pod is bound to n2 already", id="bound elsewhere"
        ),
        pytest.param((WEB.bound_to("n1"),), TO_N1, "the pod is bound to n1 already", id="bound"),
    ],
)
def test_what_cannot_be_bound_is_an_error_and_stays_as_it_is(
    there: tuple[Pod, ...], binding: Binding, why: str
) -> None:
    cluster = cluster_with(*there)
    with pytest.raises(ClusterError) as caught:
        InMemoryBinder(cluster).bind(binding)
    assert str(caught.value) == f"shop/web: {why}"
    assert tuple(cluster.pods.values()) == there
