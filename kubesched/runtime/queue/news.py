"""What a change of the cluster means for the pods that wait.

Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (the event handlers).
"""

from collections.abc import Callable
from typing import Final

from attrs import evolve

from kubesched.model import (
    CSINode,
    KubeObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    Service,
    StorageClass,
)
from kubesched.runtime.queue.scheduling_queue import SchedulingQueue
from kubesched.state import Change

HELPFUL_KINDS: Final = (PersistentVolume, PersistentVolumeClaim, StorageClass, CSINode, Service)
"""The kinds beside nodes and pods of which one more, or another one, may let a pod fit."""


def tell_queue(
    queue: SchedulingQueue, change: Change, /, *, is_ours: Callable[[Pod], bool]
) -> None:
    """Tell a queue what a change of the cluster means for the pods in it.

    A pod that waits is added, updated or deleted. A bound pod that is new or has changed may help
    those that want to be near it; one that is gone or has ended, a node, a volume, a claim, a
    storage class or a service may help all. What changes nothing that a scheduler reads, such as a
    node's heartbeat, helps nobody. Assuming and forgetting a pod is the scheduler's own doing: it
    knows. An assumed pod that has expired is to be tried again, whoever was the first to see it.

    Args:
        queue: the queue.
        change: the change, as a cluster tells its listeners.
        is_ours: whether a pod that waits is for this queue's scheduler.

    Differs: the original also moves pods at updates of other kinds that change nothing, and at
    every update of a node while none is unschedulable.

    Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (the event handlers).

    >>> from kubesched.builders import pod
    >>> from kubesched.runtime import ManualClock, PriorityQueue
    >>> from kubesched.state import Cluster
    >>> cluster, queue = Cluster(), PriorityQueue(ManualClock())
    >>> is_ours = lambda pod: pod.spec.scheduler_name != "other"
    >>> unsubscribe = cluster.subscribe(lambda it: tell_queue(queue, it, is_ours=is_ours))
    >>> cluster.add_pod(pod("web-1"))
    >>> cluster.add_pod(pod("web-2", scheduler_name="other"))
    >>> [each.name for each in queue.pending()]
    ['web-1']
    """
    if change.action in {"assumed", "forgotten"}:
        return
    match change.before or change.after:
        case Pod() if change.action == "expired" and change.after is not None:
            _tell_of_pod(queue, None, _alive(change.after), is_ours)
        case Pod():
            _tell_of_pod(queue, _alive(change.before), _alive(change.after), is_ours)
        case _:
            if _may_help(change.before, change.after):
                queue.move_all()


def _tell_of_pod(
    queue: SchedulingQueue, before: Pod | None, after: Pod | None, is_ours: Callable[[Pod], bool]
) -> None:
    if after is None:
        if before is not None:
            _tell_of_loss(queue, before)
    elif after.node_name:
        queue.delete(after)
        (queue.assigned_pod_updated if before else queue.assigned_pod_added)(after)
    elif is_ours(after):
        _tell_of_waiting(queue, before, after)
    elif before is not None:
        queue.delete(after)


def _tell_of_loss(queue: SchedulingQueue, before: Pod) -> None:
    queue.delete(before)
    if before.node_name:
        queue.move_all()


def _tell_of_waiting(queue: SchedulingQueue, before: Pod | None, after: Pod) -> None:
    if before is None:
        queue.add(after)
    elif not before.node_name:  # an assumed pod is being bound, and not in the queue
        queue.update(before, after)


def _alive(pod: KubeObject | None) -> Pod | None:
    return pod if isinstance(pod, Pod) and not pod.is_terminated else None


def _may_help(before: KubeObject | None, after: KubeObject | None) -> bool:
    """Tell whether what happened to anything but a pod may let a pod fit."""
    if after is None:
        return isinstance(before, Service)
    if not isinstance(after, (Node, *HELPFUL_KINDS)):
        return False
    return before is None or _bare(before) != _bare(after)


def _bare(it: KubeObject) -> KubeObject:
    """Return an object without what changes all the time."""
    bare = evolve(it, metadata=evolve(it.metadata, resource_version=""))
    if not isinstance(bare, Node):
        return bare
    conditions = (
        evolve(each, last_heartbeat_time=None, last_transition_time=None)
        for each in bare.status.conditions
    )
    return evolve(bare, status=evolve(bare.status, conditions=tuple(conditions)))
