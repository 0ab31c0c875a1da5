"""What the queues have in common: turns, time, and threads that wait for a pod.

The pods of the part "active" have their turns in its order. Those of "backoff" go there when their
time has come. What else there is, a queue says itself.
"""

from collections.abc import Iterator
from itertools import count
from threading import Condition

from attrs import define, evolve, field

from kubesched.model import ObjectMeta, Pod
from kubesched.runtime.clock import Clock, RealClock
from kubesched.runtime.queue.backoff import Attempts, Backoff
from kubesched.runtime.queue.scheduling_queue import Part, QueuedPod
from kubesched.runtime.queue.waiting import Parts, Waiting


@define(eq=False)
class TimedQueue:
    """Pods that wait in parts, the time that lets them out, and whoever waits for them.

    Methods whose names begin with an underscore are called with `_changed` held.
    """

    _clock: Clock = field(factory=RealClock)
    _backoff: Backoff = field(factory=Backoff, kw_only=True)
    _parts: Parts = field(init=False)
    _attempts: Attempts = field(factory=Attempts, init=False)
    _arrivals: Iterator[int] = field(factory=count, init=False)
    _cycle: int = field(default=0, init=False)
    _is_closed: bool = field(default=False, init=False)
    # Guards all of this; notified when there may be a pod, or when to look for one has changed.
    _changed: Condition = field(factory=Condition, init=False)

    @property
    def cycle(self) -> int:
        """How many pods have been popped, which is the number of the current scheduling cycle."""
        return self._cycle

    # -- in and out ----------------------------------------------------------------------------

    def add(self, pod: Pod, /) -> None:
        """Add a pod, to be tried as soon as its turn comes; O(log n).

        One that waits already begins to wait anew, but its attempts are not forgotten.
        """
        with self._changed:
            self._put("active", self._new(pod))

    def pop(self, *, block: bool = True) -> QueuedPod | None:
        """Take the pod whose turn it is, and begin a new scheduling cycle; O(log n).

        Args:
            block: whether to wait for a pod while there is none.

        Returns:
            The pod; None when the queue is closed, or when no turn has come and `block` is False.
        """
        with self._changed:
            while not self._is_closed:
                self._flush()
                waiting = self._parts.head("active")
                if waiting is not None:
                    return self._popped(waiting)
                if not block:
                    return None
                self._clock.wait_until(self._changed, self._next_flush_at())
        return None

    def update(self, before: Pod, after: Pod, /) -> None:
        """Note that a pod has changed; O(log n).

        If anything but its status has changed it may now find a place: then it goes to the active
        part, from wherever it is, without regard to its backoff. Else it stays where it is.
        """
        may_help = _may_help(before, after)
        with self._changed:
            place = self._parts.find(after.key)
            if place is not None:
                part, waiting = place
                self._renew(part, evolve(waiting, pod=after), may_help=may_help)
            elif may_help:
                self._put("active", self._new(after))

    def _renew(self, part: Part, waiting: Waiting, *, may_help: bool) -> None:
        if may_help:
            ready_at = min(waiting.ready_at, self._clock.now())
            self._put("active", evolve(waiting, ready_at=ready_at))
        else:
            self._put(part, waiting)

    def delete(self, pod: Pod, /) -> None:
        """Forget a pod, because it is gone or bound; O(log n)."""
        with self._changed:
            self._parts.take(pod.key)
            self._attempts.take(pod.key)

    def close(self) -> None:
        """Let no pod out any more, and let go whoever waits for one."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    # -- time ----------------------------------------------------------------------------------

    def flush(self) -> None:
        """Move the pods whose time has come; O(log n) each."""
        with self._changed:
            self._flush()

    def next_flush_at(self) -> float | None:
        """Return the clock's time when `flush` has something to do next, or None; O(1)."""
        with self._changed:
            return self._next_flush_at()

    def _flush(self) -> None:
        now = self._clock.now()
        while due := [waiting for at, waiting in self._timers() if at <= now]:
            for waiting in due:
                self._wake(waiting, now)

    def _next_flush_at(self) -> float | None:
        return min((at for at, _ in self._timers()), default=None)

    def _timers(self) -> Iterator[tuple[float, Waiting]]:
        """Give the pods that time lets out next, one of a part, and when."""
        waiting = self._parts.head("backoff")
        if waiting is not None:
            yield waiting.ready_at, waiting

    # -- what there is -------------------------------------------------------------------------

    def pending(self) -> tuple[Pod, ...]:
        """Return all pods that wait: those whose turn comes next first; O(n)."""
        with self._changed:
            return tuple(waiting.pod for waiting in self._parts)

    def part_of(self, pod: Pod, /) -> Part | None:
        """Return the part in which a pod waits, or None if it does not; O(1)."""
        with self._changed:
            place = self._parts.find(pod.key)
        return place and place[0]

    def __len__(self) -> int:
        """Return how many pods wait; O(1)."""
        return len(self._parts)

    # -- the steps of these --------------------------------------------------------------------

    def _new(self, pod: Pod, *, backs_off: bool = False) -> Waiting:
        """Return a pod that enters the queue now."""
        place = self._parts.find(pod.key)
        attempts = place[1].attempts if place else self._attempts.take(pod.key)
        now = self._clock.now()
        ready_at = now + self._backoff.after(attempts) if backs_off else now
        return Waiting(pod, now, attempts, next(self._arrivals), ready_at)

    def _put(self, part: Part, waiting: Waiting) -> None:
        self._parts.put(part, waiting)
        self._changed.notify_all()

    def _wake(self, waiting: Waiting, now: float) -> None:
        """Let a pod be tried, though not before its backoff is over."""
        self._put("active" if waiting.ready_at <= now else "backoff", waiting)

    def _popped(self, waiting: Waiting) -> QueuedPod:
        self._cycle += 1
        self._parts.take(waiting.pod.key)
        self._attempts.note(waiting.pod.key, waiting.attempts + 1, self._clock.now())
        return QueuedPod(waiting.pod, waiting.added_at, waiting.attempts, self._cycle)

    def _check(self) -> None:
        """Assert that everything is in its place."""
        self._parts._check()  # noqa: SLF001
        self._attempts._check()  # noqa: SLF001
        now = self._clock.now()
        by_arrival = sorted(self._parts, key=lambda waiting: waiting.arrival)
        assert by_arrival == sorted(by_arrival, key=lambda waiting: waiting.added_at)
        for waiting in by_arrival:
            assert waiting.pod.key not in self._attempts
            assert waiting.added_at <= now
            part = self.part_of(waiting.pod)
            assert part != "active" or waiting.ready_at <= now


def _may_help(before: Pod, after: Pod) -> bool:
    """Tell whether a change of a pod may let it find a place: one of more than its status.

    Source: kubernetes v1.13.0, pkg/scheduler/internal/queue/scheduling_queue.go, isPodUpdated.
    """
    if before.spec != after.spec:
        return True
    # Most changes are of the status, and come with a new version.
    return before.metadata != after.metadata and (
        _without_version(before.metadata) != _without_version(after.metadata)
    )


def _without_version(metadata: ObjectMeta) -> ObjectMeta:
    return evolve(metadata, resource_version="", generation=0)
