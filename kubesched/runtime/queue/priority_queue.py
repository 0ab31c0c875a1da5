"""The queue that tries important pods first, and leaves alone for a while what found no place.

A pod is in exactly one part, or away being tried::

                           add, and an update that may help
                                         │
                                         ▼
          backoff is over           ┌────────┐     pop
        ┌─────────────────────────► │ active │ ─────────────► (being tried) ──► delete: bound, gone
        │                           └────────┘                      │
        │                                ▲                          │ add_unschedulable
        │                                │ move: backoff            │
    ┌─────────┐    move: backoff         │ is over                  ├─────────────────┐
    │ backoff │ ◄────────────────┐ ┌───────────────┐                │ moved meanwhile │
    └─────────┘   is not yet over└─│ unschedulable │ ◄──────────────┘                 │
        ▲                          └───────────────┘    nothing moved meanwhile       │
        └─────────────────────────────────────────────────────────────────────────────┘

"Move" is `move_all`, an assigned pod that one here must be near, or 60 s without either. "Moved
meanwhile" means that one of the first two came in the cycle in which the pod was tried, or later:
what the attempt read was perhaps older than what happened. An update that may help takes a pod to
the active part from anywhere; one of the status alone leaves it where it is. `delete` takes it out
of anywhere.

Source: kubernetes v1.13.0, pkg/scheduler/internal/queue/scheduling_queue.go, PriorityQueue; v1.14.0
for the backoff part.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from attrs import define, field

from kubesched.model import Pod
from kubesched.runtime.queue.nominated_pods import NominatedPods
from kubesched.runtime.queue.timed_queue import TimedQueue
from kubesched.runtime.queue.unschedulable import Unschedulable
from kubesched.runtime.queue.waiting import Line, Parts, Rank, Waiting

LEFT_ALONE: Final = 60.0
"""Seconds after which a pod is tried again though nothing has happened that could help it."""


@define(eq=False)
class PriorityQueue(TimedQueue):
    """Pods by priority, and then by the time since which they wait.

    >>> from kubesched.builders import pod
    >>> from kubesched.runtime import ManualClock
    >>> clock = ManualClock()
    >>> queue = PriorityQueue(clock)
    >>> queue.add(pod("web-1"))
    >>> queue.add(pod("database-1", priority=10))
    >>> first = queue.pop()
    >>> first.pod.name, first.attempts, first.cycle
    ('database-1', 0, 1)

    It finds no place, and a node is added while it is tried. So it only has to wait for a second:

    >>> queue.move_all()
    >>> queue.add_unschedulable(first.pod, first.cycle)
    >>> queue.part_of(first.pod), queue.next_flush_at()
    ('backoff', 1.0)
    >>> clock.advance(1)
    >>> queue.pop().attempts
    1

    Every method may be called from any thread, also with the cluster's lock held: the queue takes
    no lock but its own and, while it holds that, the clock's.

    Differs: pods that wait since the same time are taken in the order in which they came; the time
    is that of the queue's clock, not the one in the pod's status. What time alone makes due is done
    to the moment and whenever a pod is popped, not every second (backoff) or half a minute (what
    was left alone). A change of the status alone neither ends a backoff nor puts back a pod that is
    being tried. A change of the rest ends a backoff, but the next one is no shorter for it. Pods
    are nominated under their keys, not their UIDs. `pop` lets out nothing once the queue is closed.
    """

    _unschedulable: Unschedulable = field(init=False)
    _nominated: NominatedPods = field(factory=NominatedPods, init=False)
    # The last cycle in which, or after which, there was a move request.
    _moved_in: int = field(default=-1, init=False)

    def __attrs_post_init__(self) -> None:
        self._unschedulable = Unschedulable(_by_arrival)
        self._parts = Parts(
            {
                "active": Line(_by_priority),
                "backoff": Line(_by_end_of_backoff),
                "unschedulable": self._unschedulable,
            }
        )

    def add(self, pod: Pod, /) -> None:
        """Add a pod, to be tried as soon as its turn comes; O(log n).

        One that waits already begins to wait anew, but its attempts are not forgotten.
        """
        with self._changed:
            super().add(pod)
            self._nominated.add(pod)

    def add_unschedulable(self, pod: Pod, cycle: int, /) -> None:
        """Add a pod that was tried and found no place, unless it is there again; O(log n).

        Args:
            pod: the pod as it is now.
            cycle: that in which it was tried.
        """
        with self._changed:
            if self._parts.find(pod.key):
                return
            waiting = self._new(pod, backs_off=True)
            if cycle > self._moved_in:
                self._put("unschedulable", waiting)
            else:
                self._wake(waiting, waiting.added_at)
            self._nominated.add(pod)

    def update(self, before: Pod, after: Pod, /) -> None:
        """Note that a pod has changed; O(log n).

        If anything but its status has changed it may now find a place: then it goes to the active
        part, from wherever it is, without regard to its backoff. Else it stays where it is.
        """
        with self._changed:
            super().update(before, after)
            self._nominated.update(before, after)

    def delete(self, pod: Pod, /) -> None:
        """Forget a pod, its attempts and its nomination, because it is gone or bound; O(log n)."""
        with self._changed:
            super().delete(pod)
            self._nominated.remove(pod)

    # -- what may help -------------------------------------------------------------------------

    def move_all(self) -> None:
        """Let all unschedulable pods be tried again, after their backoff; O(log n) each."""
        with self._changed:
            self._move(tuple(self._unschedulable))

    def assigned_pod_added(self, pod: Pod, /) -> None:
        """Let those be tried again that must be near a pod which is now on a node.

        O(log n) each, and the number of different terms that unschedulable pods have.
        """
        with self._changed:
            self._move(self._unschedulable.near(pod))

    def assigned_pod_updated(self, pod: Pod, /) -> None:
        """Do as if the pod were new: its labels may have become what others look for."""
        self.assigned_pod_added(pod)

    def _move(self, helped: Iterable[Waiting]) -> None:
        now = self._clock.now()
        for waiting in helped:
            self._wake(waiting, now)
        self._moved_in = self._cycle

    def _timers(self) -> Iterator[tuple[float, Waiting]]:
        yield from super()._timers()
        waiting = self._unschedulable.head()
        if waiting is not None:
            yield waiting.added_at + LEFT_ALONE, waiting

    # -- nominations ---------------------------------------------------------------------------

    def nominate(self, pod: Pod, node_name: str, /) -> None:
        """Note that a pod has been promised a node, in place of any other; O(1)."""
        with self._changed:
            self._nominated.add(pod, node_name)

    def withdraw_nomination(self, pod: Pod, /) -> None:
        """Note that a pod is no longer promised any node; O(1)."""
        with self._changed:
            self._nominated.remove(pod)

    def nominated_pods(self, node_name: str, /) -> tuple[Pod, ...]:
        """Return the pods that have been promised a node, first promised first; O(these).

        They may be waiting or being tried. A pod says itself, in its status, which node it has been
        promised, unless that was noted here after it entered.
        """
        with self._changed:
            return self._nominated.on(node_name)

    def _check(self) -> None:
        """Assert that everything is in its place."""
        super()._check()
        self._nominated._check()  # noqa: SLF001
        assert -1 <= self._moved_in <= self._cycle


def _by_priority(waiting: Waiting) -> Rank:
    return -waiting.pod.priority, waiting.arrival


def _by_end_of_backoff(waiting: Waiting) -> Rank:
    return waiting.ready_at, waiting.arrival


def _by_arrival(waiting: Waiting) -> Rank:
    return (waiting.arrival,)
