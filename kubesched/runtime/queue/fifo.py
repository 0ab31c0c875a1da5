"""The queue without priorities: first in, first out."""

from attrs import define

from kubesched.model import Pod
from kubesched.runtime.queue.timed_queue import TimedQueue
from kubesched.runtime.queue.waiting import Line, Parts, Rank, Waiting


@define(eq=False)
class FIFO(TimedQueue):
    """Pods in the order in which they come, or come back from their backoff.

    A pod that found no place is tried again after its backoff, whatever happens. Nothing that may
    help makes this sooner, but a change of the pod itself; nominations are not kept.

    >>> from kubesched.builders import pod
    >>> from kubesched.runtime import ManualClock
    >>> clock = ManualClock()
    >>> queue = FIFO(clock)
    >>> queue.add(pod("web-1"))
    >>> queue.add(pod("database-1", priority=10))
    >>> first = queue.pop()
    >>> queue.add_unschedulable(first.pod, first.cycle)
    >>> clock.advance(1)
    >>> queue.pop().pod.name, queue.pop().pod.name
    ('database-1', 'web-1')

    Every method may be called from any thread.

    Source: kubernetes v1.13.0, pkg/scheduler/internal/queue/scheduling_queue.go, FIFO; its backoff
    is that of pkg/scheduler/factory/factory.go, MakeDefaultErrorFunc.

    Differs: cycles are counted; one that is added again goes to the end; `pop` lets out nothing
    once the queue is closed; a change of a pod's status does not put it back into the queue.
    """

    def __attrs_post_init__(self) -> None:
        self._parts = Parts({"active": Line(_by_time), "backoff": Line(_by_time)})

    def add_unschedulable(self, pod: Pod, cycle: int, /) -> None:  # noqa: ARG002
        """Add a pod that was tried and found no place, unless it is there again; O(log n)."""
        with self._changed:
            if self._parts.find(pod.key) is None:
                self._put("backoff", self._new(pod, backs_off=True))

    def move_all(self) -> None:
        """Do nothing: all pods are tried again anyhow."""

    def assigned_pod_added(self, pod: Pod, /) -> None:
        """Do nothing, as `move_all`."""

    def assigned_pod_updated(self, pod: Pod, /) -> None:
        """Do nothing, as `move_all`."""

    def nominate(self, pod: Pod, node_name: str, /) -> None:
        """Do nothing: nominations are not kept."""

    def withdraw_nomination(self, pod: Pod, /) -> None:
        """Do nothing: nominations are not kept."""

    def nominated_pods(self, node_name: str, /) -> tuple[Pod, ...]:  # noqa: ARG002
        """Return none."""
        return ()


def _by_time(waiting: Waiting) -> Rank:
    return waiting.ready_at, waiting.arrival
