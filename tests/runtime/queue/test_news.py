"""What a queue is told of each change of the cluster."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias

import pytest
from attrs import define, evolve, field

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.model import (
    KubeObject,
    Node,
    NodeCondition,
    ObjectMeta,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
    ReplicaSet,
    Service,
    StorageClass,
)
from kubesched.runtime import ManualClock, PriorityQueue, tell_queue
from kubesched.state import Change, Cluster

Step: TypeAlias = Callable[[Cluster], object]

WEB, WEB_OF_OTHERS = make_pod("web"), make_pod("web", scheduler_name="other")
ON_N1 = make_pod("web", node_name="n1")
ENDED = make_pod("web", node_name="n1", phase="Succeeded")
LARGER = make_pod("web", cpu=1)
NAMED = ObjectMeta(name="it", namespace="default")
CHANGED = ObjectMeta(name="it", namespace="default", labels={"app": "web"})
AT_NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)


@define
class NotingQueue(PriorityQueue):
    """A queue that notes what it is told."""

    told: list[str] = field(factory=list, init=False)

    def add(self, pod: Pod, /) -> None:
        self.told.append(f"add {pod.name}")

    def update(self, before: Pod, after: Pod, /) -> None:
        self.told.append(f"update {before.name} {after.name}")

    def delete(self, pod: Pod, /) -> None:
        self.told.append(f"delete {pod.name}")

    def move_all(self) -> None:
        self.told.append("move all")

    def assigned_pod_added(self, pod: Pod, /) -> None:
        self.told.append(f"bound {pod.name} {pod.node_name}")

    def assigned_pod_updated(self, pod: Pod, /) -> None:
        self.told.append(f"changed {pod.name} {pod.node_name}")


def is_ours(pod: Pod) -> bool:
    return pod.spec.scheduler_name != "other"


class News(NamedTuple):
    """What was there, what happens, and what the queue is told of it."""

    says: str
    before: Sequence[KubeObject]
    step: Step
    told: list[str]


def put(it: KubeObject) -> Step:
    return lambda cluster: cluster.add(it)


def change(it: KubeObject) -> Step:
    return lambda cluster: cluster.update(it)


def take(it: KubeObject) -> Step:
    return lambda cluster: cluster.remove(it)


def assume(cluster: Cluster) -> None:
    cluster.assume(WEB, "n1")


def assume_and(step: Step) -> Step:
    def steps(cluster: Cluster) -> None:
        assume(cluster)
        step(cluster)

    return steps


def expire(cluster: Cluster) -> None:
    assume(cluster)
    cluster.finish_binding(WEB, now=0)
    cluster.expire(now=1e9)


def beating(at: datetime, status: str = "True") -> Node:
    ready = NodeCondition(type="Ready", status=status, last_heartbeat_time=at)
    node = make_node("n1")
    return evolve(node, status=evolve(node.status, conditions=(ready,)))


def with_version(it: KubeObject, version: str) -> KubeObject:
    return evolve(it, metadata=evolve(it.metadata, resource_version=version))


SOME, OTHER = PersistentVolumeClaim(metadata=NAMED), PersistentVolumeClaim(metadata=CHANGED)
NEWS = [
    News("a pod that waits", [], put(WEB), ["add web"]),
    News("a pod that waits for another scheduler", [], put(WEB_OF_OTHERS), []),
    News("a waiting pod that changes", [WEB], change(LARGER), ["update web web"]),
    News("a waiting pod that is handed to another", [WEB], change(WEB_OF_OTHERS), ["delete web"]),
    News("a waiting pod that goes", [WEB], take(WEB), ["delete web"]),
    News("a waiting pod that ends", [WEB], change(ENDED), ["delete web"]),
    News("a waiting pod that is bound", [WEB], change(ON_N1), ["delete web", "changed web n1"]),
    News("a bound pod", [], put(ON_N1), ["delete web", "bound web n1"]),
    News("a bound pod that changes", [ON_N1], change(ON_N1), ["delete web", "changed web n1"]),
    News("a bound pod that goes", [ON_N1], take(ON_N1), ["delete web", "move all"]),
    News("a bound pod that ends", [ON_N1], change(ENDED), ["delete web", "move all"]),
    News("a pod that has ended", [], put(ENDED), []),
    News("a pod that has ended and goes", [ENDED], take(ENDED), []),
    News("an assumed pod", [WEB], assume, []),
    News("an assumed pod that changes", [WEB], assume_and(change(LARGER)), []),
    News(
        "an assumed pod that is seen bound",
        [WEB],
        assume_and(put(ON_N1)),
        ["delete web", "changed web n1"],
    ),
    News("a forgotten pod", [WEB], assume_and(lambda cluster: cluster.forget(WEB)), []),
    News("an expired pod that was seen waiting", [WEB], expire, ["add web"]),
    News("an expired pod that was never seen", [], expire, ["delete web", "move all"]),
    News("a node", [], put(make_node("n1")), ["move all"]),
    News("a node that changes", [make_node("n1")], change(make_node("n1", cpu=8)), ["move all"]),
    News("a node that goes", [make_node("n1")], take(make_node("n1")), []),
    News("a heartbeat", [beating(AT_NOON)], change(beating(AT_NOON.replace(hour=13))), []),
    News(
        "a condition that changes",
        [beating(AT_NOON, "False")],
        change(beating(AT_NOON)),
        ["move all"],
    ),
    News("a claim", [], put(SOME), ["move all"]),
    News("a claim that changes", [SOME], change(OTHER), ["move all"]),
    News("a claim that has a new version alone", [SOME], change(with_version(SOME, "9")), []),
    News("a claim that goes", [SOME], take(SOME), []),
    News("a volume", [], put(PersistentVolume(metadata=NAMED)), ["move all"]),
    News("a storage class", [], put(StorageClass(metadata=NAMED)), ["move all"]),
    News("a service", [], put(Service(metadata=NAMED)), ["move all"]),
    News(
        "a service that goes",
        [Service(metadata=NAMED)],
        take(Service(metadata=NAMED)),
        ["move all"],
    ),
    News("a replica set", [], put(ReplicaSet(metadata=NAMED)), []),
    News("a budget", [], put(PodDisruptionBudget(metadata=NAMED)), []),
]


@pytest.mark.parametrize("news", NEWS, ids=lambda news: news.says)
def test_a_queue_is_told_what_may_help(news: News) -> None:
    cluster, queue = Cluster.of(news.before), NotingQueue(ManualClock())

    def listen(change: Change) -> None:
        tell_queue(queue, change, is_ours=is_ours)

    cluster.subscribe(listen)
    news.step(cluster)
    assert queue.told == news.told
