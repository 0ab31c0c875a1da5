"""What was last seen of a pod, and changing it without anybody coming in between."""

from collections.abc import Callable
from threading import Thread

import pytest
from attrs import evolve

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.model import Pod
from kubesched.state import Change, Cluster

WEB = make_pod("shop/web", cpu=1)
ON_N1 = WEB.bound_to("n1")


def known_as(uid: str, pod: Pod = WEB) -> Pod:
    return evolve(pod, metadata=evolve(pod.metadata, uid=uid))


def nominated(pod: Pod) -> Pod:
    return evolve(pod, status=evolve(pod.status, nominated_node_name="n1"))


def cluster_with(*pods: Pod) -> Cluster:
    return Cluster.of([make_node("n1"), *pods])


def assumed(*pods: Pod) -> Cluster:
    cluster = cluster_with(*pods)
    cluster.assume(WEB, "n1")
    return cluster


@pytest.mark.parametrize(
    ("cluster", "seen"),
    [
        pytest.param(cluster_with(), None, id="unknown"),
        pytest.param(cluster_with(WEB), WEB, id="waiting"),
        pytest.param(assumed(WEB), WEB, id="assumed: it still waits"),
        pytest.param(assumed(), WEB, id="assumed without having been seen"),
        pytest.param(cluster_with(ON_N1), ON_N1, id="bound"),
    ],
)
def test_the_latest_of_a_pod_is_what_was_seen_of_it(cluster: Cluster, seen: Pod | None) -> None:
    assert cluster.latest(WEB.metadata) == seen


@pytest.mark.parametrize(
    ("there", "asked", "is_the_same"),
    [
        pytest.param("a", "a", True, id="the same uid"),
        pytest.param("a", "", True, id="asked without a uid"),
        pytest.param("", "a", True, id="known without a uid"),
        pytest.param("a", "b", False, id="another uid"),
    ],
)
@pytest.mark.parametrize("make", [cluster_with, assumed], ids=["waiting", "assumed"])
def test_a_pod_made_anew_under_the_same_name_is_another_one(
    make: Callable[[Pod], Cluster], there: str, asked: str, *, is_the_same: bool
) -> None:
    cluster = make(known_as(there))
    latest = cluster.latest(known_as(asked).metadata)
    assert latest == (known_as(there) if is_the_same else None)
    assert cluster.change_pod(known_as(asked).metadata, nominated) == (
        nominated(known_as(there)) if is_the_same else None
    )


def test_a_change_is_an_update() -> None:
    cluster, heard = cluster_with(WEB), list[Change]()
    cluster.subscribe(heard.append)
    assert cluster.change_pod(WEB.metadata, nominated) == nominated(WEB)
    assert heard == [Change("updated", WEB, nominated(WEB))]
    cluster._check()


def test_what_changes_nothing_is_not_heard_of() -> None:
    cluster, heard = cluster_with(WEB), list[Change]()
    cluster.subscribe(heard.append)
    assert cluster.change_pod(WEB.metadata, evolve) == WEB
    assert heard == []


def test_a_changed_pod_stays_assumed_and_waits_as_changed_when_forgotten() -> None:
    cluster = assumed(WEB)
    cluster.change_pod(WEB.metadata, nominated)
    assert cluster.is_assumed(WEB)
    assert cluster.pods[WEB.key] == ON_N1
    cluster.forget(WEB)
    assert cluster.pending[WEB.key] == nominated(WEB)
    cluster._check()


def test_a_change_that_binds_confirms_an_assumed_pod() -> None:
    cluster = assumed(WEB)
    assert cluster.change_pod(WEB.metadata, lambda pod: pod.bound_to("n1")) == ON_N1
    assert not cluster.is_assumed(WEB)
    cluster._check()


def test_an_illegal_change_leaves_the_pod_as_it_is() -> None:
    cluster = cluster_with(ON_N1)
    with pytest.raises(ClusterError, match="cannot move to n2"):
        cluster.change_pod(WEB.metadata, lambda pod: pod.bound_to("n2"))
    assert cluster.pods[WEB.key] == ON_N1


def test_no_change_is_lost_however_many_change_a_pod_at_once() -> None:
    cluster = cluster_with(WEB)

    def more(pod: Pod) -> Pod:
        priority = pod.priority + 1
        return evolve(pod, spec=evolve(pod.spec, priority=priority))

    def work() -> None:
        for _ in range(100):
            cluster.change_pod(WEB.metadata, more)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cluster.pods[WEB.key].priority == 400
