"""What stands around the loop goes wrong on command."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum, unique
from typing import Final

from attrs import define, field

STEPS: Final = (
    "bind",
    "bind by extender",
    "assume volumes",
    "bind volumes",
    "forget volumes",
    "record",
    "update condition",
    "updated pod",
    "set nominated",
    "remove nominated",
    "delete victim",
    "filter",
    "prioritize",
    "preempt",
    "observe",
)
"""Where something outside is asked."""


@unique
class Fault(StrEnum):
    """What goes wrong there."""

    FAILS = "fails"
    FAILS_AFTERWARDS = "fails afterwards"
    """It is done, but who asked is told that it is not."""
    HANGS = "hangs"
    """It is done, but only when the time for a binding is over."""
    HANGS_AND_FAILS = "hangs and fails"
    NEWS = "news"
    """Nothing; but all that is under way arrives meanwhile."""


class OutsideError(Exception):
    """Something outside failed on command."""


@define(eq=False)
class Faults:
    """Faults that are planned, by step; each happens once, in its turn.

    Attributes:
        hang: lets so much time pass that a binding is overdue.
        hear_news: lets all news arrive.
        planned: the faults that are still to happen.
    """

    hang: Callable[[], None]
    hear_news: Callable[[], None]
    planned: dict[str, deque[Fault]] = field(factory=dict, init=False)

    def plan(self, step: str, fault: Fault) -> None:
        """Have a step go wrong when it is taken next, or after what is planned already."""
        self.planned.setdefault(step, deque()).append(fault)

    @contextmanager
    def at(self, step: str) -> Iterator[None]:
        """Let a step go wrong, if that is planned."""
        planned = self.planned.get(step)
        fault = planned.popleft() if planned else None
        if fault in {Fault.HANGS, Fault.HANGS_AND_FAILS}:
            self.hang()
        if fault is Fault.NEWS:
            self.hear_news()
        if fault in {Fault.FAILS, Fault.HANGS_AND_FAILS}:
            raise OutsideError(f"{step} fails")
        yield
        if fault is Fault.FAILS_AFTERWARDS:
            raise OutsideError(f"{step} fails afterwards")
