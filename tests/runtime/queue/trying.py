"""Pods for a queue, and what a scheduler does with it."""

from attrs import evolve

from kubesched.builders import pod
from kubesched.model import Pod
from kubesched.runtime import QueuedPod, SchedulingQueue

WEB = pod("shop/web")
DATABASE = pod("shop/database", priority=10)
LABELLED = evolve(WEB, metadata=evolve(WEB.metadata, labels={"tier": "front"}))


def popped(queue: SchedulingQueue) -> QueuedPod:
    """Take the next pod, which must be there."""
    queued = queue.pop(block=False)
    assert queued is not None
    return queued


def fail(queue: SchedulingQueue) -> Pod:
    """Let the next pod find no place."""
    queued = popped(queue)
    queue.add_unschedulable(queued.pod, queued.cycle)
    return queued.pod
