"""Pods that wait, in order and each in exactly one part."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from attrs import define, field, frozen
from sortedcontainers import SortedDict

from kubesched.model import Pod
from kubesched.runtime.queue.scheduling_queue import Part

Rank: TypeAlias = tuple[float, ...]


@frozen
class Waiting:
    """A pod that waits.

    Attributes:
        pod: the pod as it was last seen.
        added_at: the time when it entered the queue.
        attempts: how often it has been tried.
        arrival: a number that grows with each pod that enters, as the time does.
        ready_at: the time when its backoff is or was over.
    """

    pod: Pod
    added_at: float
    attempts: int
    arrival: int
    ready_at: float


@define(eq=False)
class Line:
    """Pods in the order of a rank, which no two of them share."""

    _rank: Callable[[Waiting], Rank]
    _waiting: SortedDict[Rank, Waiting] = field(factory=SortedDict, init=False)

    def put(self, waiting: Waiting) -> None:
        """Let a pod stand where it belongs; O(log n)."""
        self._waiting[self._rank(waiting)] = waiting

    def take(self, waiting: Waiting) -> None:
        """Let a pod go; O(log n)."""
        del self._waiting[self._rank(waiting)]

    def head(self) -> Waiting | None:
        """Return the first pod, if there is one; O(1)."""
        return self._waiting.peekitem(0)[1] if self._waiting else None

    def __iter__(self) -> Iterator[Waiting]:
        """Go through the pods in order."""
        return iter(self._waiting.values())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._waiting)

    def _check(self) -> None:
        """Assert that each stands where its rank says."""
        assert list(self._waiting) == sorted(self._waiting)
        assert all(rank == self._rank(waiting) for rank, waiting in self._waiting.items())


@define(eq=False)
class Parts:
    """Lines with a name; a pod is known by its key and is in one of them."""

    _lines: dict[Part, Line]
    _places: dict[str, tuple[Part, Waiting]] = field(factory=dict, init=False)

    def find(self, key: str) -> tuple[Part, Waiting] | None:
        """Return where a pod is, if it is anywhere; O(1)."""
        return self._places.get(key)

    def put(self, part: Part, waiting: Waiting) -> None:
        """Put a pod into a part, in place of what was known of it; O(log n)."""
        self.take(waiting.pod.key)
        self._lines[part].put(waiting)
        self._places[waiting.pod.key] = part, waiting

    def take(self, key: str) -> Waiting | None:
        """Take a pod out, if it is there, and return what was known of it; O(log n)."""
        place = self._places.pop(key, None)
        if place is None:
            return None
        part, waiting = place
        self._lines[part].take(waiting)
        return waiting

    def head(self, part: Part) -> Waiting | None:
        """Return the first pod of a part; O(1)."""
        return self._lines[part].head()

    def __iter__(self) -> Iterator[Waiting]:
        """Go through all pods, one part after the other."""
        return chain.from_iterable(self._lines.values())

    def __len__(self) -> int:
        """Return how many there are in all."""
        return len(self._places)

    def _check(self) -> None:
        """Assert that each pod is in exactly one part, and known to be there."""
        there = {
            waiting.pod.key: (part, waiting)
            for part, line in self._lines.items()
            for waiting in line
        }
        assert there == self._places
        assert len(there) == sum(map(len, self._lines.values()))
        for line in self._lines.values():
            line._check()  # noqa: SLF001
