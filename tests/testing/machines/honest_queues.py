"""Scheduling queues that are not ours, and keep their promises."""

from threading import Condition
from typing import Any

from attrs import define, field

from kubesched.model import Pod
from kubesched.runtime import Backoff, Clock, Part, PriorityQueue, QueuedPod
from kubesched.runtime.queue.waiting import Line, Rank, Waiting
from kubesched.state import requests_to_fit
from kubesched.testing.machines.naive_queue import NaiveQueue, QueueEntry


@define(eq=False)
class PlainList:
    """A queue that looks through everything, with one lock; who waits looks again now and then."""

    clock: Clock
    _list: NaiveQueue = field(factory=NaiveQueue, init=False)
    _is_closed: bool = field(default=False, init=False)
    _changed: Condition = field(factory=Condition, init=False)

    @property
    def cycle(self) -> int:
        return self._list.cycle

    def _now(self) -> NaiveQueue:
        self._list.now = self.clock.now()
        return self._list

    def add(self, pod: Pod, /) -> None:
        with self._changed:
            self._now().add(pod)

    def add_unschedulable(self, pod: Pod, cycle: int, /) -> None:
        with self._changed:
            self._now().add_unschedulable(pod, cycle)

    def pop(self, *, block: bool = True) -> QueuedPod | None:
        with self._changed:
            while not self._is_closed:
                entry = self._now().pop()
                if entry is not None:
                    return QueuedPod(entry.pod, entry.added_at, entry.attempts, self.cycle)
                if not block:
                    return None
                self._changed.wait(0.01)
        return None

    def update(self, before: Pod, after: Pod, /) -> None:
        with self._changed:
            self._now().update(before, after)

    def delete(self, pod: Pod, /) -> None:
        with self._changed:
            self._now().delete(pod)

    def move_all(self) -> None:
        with self._changed:
            self._now().move(lambda _: True)

    def assigned_pod_added(self, pod: Pod, /) -> None:
        with self._changed:
            self._now().move(lambda waiting: self._list.helps(pod, waiting))

    assigned_pod_updated = assigned_pod_added

    def flush(self) -> None:
        with self._changed:
            self._now().flush()

    def next_flush_at(self) -> float | None:
        with self._changed:
            return self._list.next_flush_at()

    def nominate(self, pod: Pod, node_name: str, /) -> None:
        with self._changed:
            self._list.nominate(pod, node_name)

    def withdraw_nomination(self, pod: Pod, /) -> None:
        with self._changed:
            self._list.withdraw_nomination(pod)

    def nominated_pods(self, node_name: str, /) -> tuple[Pod, ...]:
        with self._changed:
            return tuple(self._list.nominated_pods(node_name))

    def pending(self) -> tuple[Pod, ...]:
        with self._changed:
            return tuple(self._list.pending())

    def part_of(self, pod: Pod, /) -> Part | None:
        with self._changed:
            return self._list.part_of(pod)

    def close(self) -> None:
        with self._changed:
            self._is_closed = True

    def __len__(self) -> int:
        return len(self._list.entries)


class Wrapper:
    """A thin wrapper; what it calls by the names of our insides is something else."""

    def __init__(self, clock: Clock) -> None:
        self._queue = PriorityQueue(clock)
        self._attempts: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)

    def __len__(self) -> int:
        return len(self._queue)

    def pop(self, *, block: bool = True) -> QueuedPod | None:
        queued = self._queue.pop(block=block)
        if queued is not None:
            self._check(queued.pod)
        return queued

    def _check(self, pod: Pod) -> None:
        self._attempts[pod.key] = self._attempts.get(pod.key, 0) + 1


def size(pod: Pod) -> int:
    """Return what a pod asks for."""
    return requests_to_fit(pod).milli_cpu


def smallest_first(waiting: Waiting) -> Rank:
    return size(waiting.pod), waiting.arrival


@define(eq=False)
class SmallestFirst(PriorityQueue):
    """A queue with an order and a backoff of its own."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._backoff = Backoff(2.0, 10.0)
        self._parts._lines["active"] = Line(smallest_first)


class SmallestFirstModel(NaiveQueue):
    """What that one is held against."""

    def __init__(self) -> None:
        super().__init__(backoff=Backoff(2.0, 10.0))

    def turn(self, entry: QueueEntry) -> tuple[float, ...]:
        return (size(entry.pod),)
