"""What comes of a call if another one runs in the middle of it, in another thread.

Threads that merely run at the same time seldom meet at the wrong moment. Here the moment is chosen:
a call is stopped before one of its lines until the other call is over.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any, Final, TypeVar

from attrs import define, field

from kubesched.testing.reach import is_of_somebodys

T = TypeVar("T")

LONG: Final = 10.0
"""Seconds after which nobody waits for the other call any more."""

PATIENCE: Final = 0.05
"""Seconds that the other call may take; one that waits for a lock goes on after the first."""


def lines_of(call: Callable[[], object]) -> list[str]:
    """Return the lines of somebody's code that a call goes through, as `line 7 of mine.py`."""
    stopper = _Stopper(-1, lambda: None)
    stopper.run(call)
    return stopper.passed


def interleaved(call: Callable[[], T], line: int, other: Callable[[], object]) -> T:
    """Return what a call returns if the other one runs before a line of it.

    Args:
        call: the call.
        line: how many of its lines come first; see `lines_of`.
        other: the other one, which runs in a thread of its own.
    """
    thread = Thread(target=other, daemon=True)

    def run_other() -> None:
        thread.start()
        thread.join(PATIENCE)

    try:
        return _Stopper(line, run_other).run(call)
    finally:
        if thread.ident is not None:
            thread.join(LONG)


@define
class _Stopper:
    """Counts the lines that are passed and does something before one of them."""

    _line: int
    _do: Callable[[], object]
    passed: list[str] = field(factory=list, init=False)

    def run(self, call: Callable[[], T]) -> T:
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            return call()
        finally:
            sys.settrace(before)

    def _trace(self, frame: FrameType, event: str, _argument: Any) -> Callable[..., Any] | None:
        if event == "call" and not is_of_somebodys(frame.f_globals.get("__name__", "")):
            return None
        if event == "line":
            if len(self.passed) == self._line:
                self._do()
            file = Path(frame.f_code.co_filename).name
            self.passed.append(f"line {frame.f_lineno} of {file}")
        return self._trace
