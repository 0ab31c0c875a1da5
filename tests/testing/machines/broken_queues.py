"""Scheduling queues with one mistake each, as somebody makes it who writes a queue."""

from collections.abc import Iterable, Iterator

from attrs import define, evolve

from kubesched.model import Pod
from kubesched.runtime import PriorityQueue, QueuedPod
from kubesched.runtime.queue.scheduling_queue import Part
from kubesched.runtime.queue.waiting import Waiting


@define(eq=False)
class LosesWhatChanges(PriorityQueue):
    """A pod of which only the status changes is taken out and not put back."""

    def _renew(self, part: Part, waiting: Waiting, *, may_help: bool) -> None:
        if may_help or part == "active":
            super()._renew(part, waiting, may_help=may_help)
        else:
            self._parts.take(waiting.pod.key)


@define(eq=False)
class LosesOneOfTheSameName(PriorityQueue):
    """A pod that is added again while it waits is dropped, as if it were a repeat."""

    def add(self, pod: Pod, /) -> None:
        if self._parts.find(pod.key) is None:
            super().add(pod)


@define(eq=False)
class KeepsWhatIsGone(PriorityQueue):
    """A pod that is deleted while it backs off is tried all the same."""

    def delete(self, pod: Pod, /) -> None:
        if self.part_of(pod) != "backoff":
            super().delete(pod)


@define(eq=False)
class StarvesBackoff(PriorityQueue):
    """The backoff part is looked at only when nothing else waits."""

    def _timers(self) -> Iterator[tuple[float, Waiting]]:
        if not (self._parts.head("active") or self._unschedulable.head()):
            yield from super()._timers()
        elif (waiting := self._unschedulable.head()) is not None:
            yield waiting.added_at + 60, waiting


@define(eq=False)
class ForgetsTheLeftAlone(PriorityQueue):
    """What nothing helps is never tried again."""

    def _timers(self) -> Iterator[tuple[float, Waiting]]:
        waiting = self._parts.head("backoff")
        if waiting is not None:
            yield waiting.ready_at, waiting


@define(eq=False)
class CannotWait(PriorityQueue):
    """If there is nothing else a pod is tried while it backs off."""

    def pop(self, *, block: bool = True) -> QueuedPod | None:
        self.flush()
        waiting = self._parts.head("backoff")
        if block or waiting is None or self._parts.head("active") is not None:
            return super().pop(block=block)
        return self._popped(waiting)


@define(eq=False)
class OldestLast(PriorityQueue):
    """Of pods equally important the last to come is the first to go."""

    def _new(self, pod: Pod, *, backs_off: bool = False) -> Waiting:
        waiting = super()._new(pod, backs_off=backs_off)
        return evolve(waiting, arrival=-waiting.arrival)


@define(eq=False)
class ForgetsMovesMeanwhile(PriorityQueue):
    """What helps while a pod is tried does not help that pod."""

    def _move(self, helped: Iterable[Waiting]) -> None:
        moved_in = self._moved_in
        super()._move(helped)
        self._moved_in = moved_in


@define(eq=False)
class LeaksNominations(PriorityQueue):
    """A pod that is deleted keeps the node that it was promised."""

    def delete(self, pod: Pod, /) -> None:
        self._parts.take(pod.key)
        self._attempts.take(pod.key)


@define(eq=False)
class ForgetsAttempts(PriorityQueue):
    """A pod that found no place is taken for a new one when it comes back."""

    def _popped(self, waiting: Waiting) -> QueuedPod:
        queued = super()._popped(waiting)
        self._attempts.take(waiting.pod.key)
        return queued


@define(eq=False)
class ShowsStalePods(PriorityQueue):
    """A change of the status alone is not noted."""

    def _renew(self, part: Part, waiting: Waiting, *, may_help: bool) -> None:
        if may_help:
            super()._renew(part, waiting, may_help=may_help)


@define(eq=False)
class SleepsOn(PriorityQueue):
    """Who waits is not told of a pod that was added."""

    def _put(self, part: Part, waiting: Waiting) -> None:
        self._parts.put(part, waiting)


@define(eq=False)
class NeverLetsGo(PriorityQueue):
    """Closing tells nobody."""

    def close(self) -> None:
        self._is_closed = True


@define(eq=False)
class LetsOutAfterTheEnd(PriorityQueue):
    """A closed queue goes on until it is empty."""

    def pop(self, *, block: bool = True) -> QueuedPod | None:
        if self._is_closed:
            waiting = self._parts.head("active")
            return self._popped(waiting) if waiting else None
        return super().pop(block=block)


@define(eq=False)
class CountsWithoutALock(PriorityQueue):
    """Two threads may be given the same cycle."""

    def pop(self, *, block: bool = True) -> QueuedPod | None:
        queued = super().pop(block=block)
        if queued is None or not block:
            return queued
        return evolve(queued, cycle=(queued.cycle + 1) // 2 * 2)
