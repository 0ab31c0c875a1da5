"""What time it is, and waiting for it.

All that depends on time asks a `Clock`. With a `ManualClock` time passes when somebody says so, and
what takes minutes in a cluster is over at once, in the same way each time.

Source: kubernetes v1.12.2, staging/src/k8s.io/apimachinery/pkg/util/clock/clock.go.
"""

import time
from math import inf
from threading import TIMEOUT_MAX, Condition
from typing import Protocol

from attrs import define, field

from kubesched.errors import OptionError


class Clock(Protocol):
    """Time in seconds from some start; it never goes back."""

    def now(self) -> float:
        """Return the time."""
        ...

    def wait_until(self, condition: Condition, deadline: float | None, /) -> None:
        """Wait until somebody notifies the condition, or until the clock shows `deadline`.

        The caller holds the condition, and looks again when this returns: it may return earlier for
        no reason. With None it is for the notification alone that it waits. The deadline is a time,
        not a number of seconds: whoever reads the clock and then waits must miss nothing between.
        """
        ...


class RealClock:
    """The machine's own time: `time.monotonic`.

    >>> clock = RealClock()
    >>> clock.now() <= clock.now()
    True
    """

    def now(self) -> float:
        """Return the time; its start means nothing."""
        return time.monotonic()

    def wait_until(self, condition: Condition, deadline: float | None, /) -> None:
        """Wait until the condition is notified or the time has come."""
        if deadline is None:
            condition.wait()
        else:
            condition.wait(min(max(deadline - self.now(), 0.0), TIMEOUT_MAX))


@define(eq=False)
class ManualClock:
    """A clock that stands still until it is advanced.

    >>> clock = ManualClock()
    >>> clock.advance(1.5)
    >>> clock.now()
    1.5

    Every method may be called from any thread.
    """

    _now: float = field(default=0.0, alias="start")
    # Who waits, each under a token of its own until it is woken by time or goes on by itself.
    _waiting: dict[object, Condition] = field(factory=dict, init=False)
    # Guards both of the above; notified when somebody begins to wait. It is never held while a
    # condition of somebody else is taken, but may be taken while one is held.
    _changed: Condition = field(factory=Condition, init=False)

    def now(self) -> float:
        """Return the time."""
        with self._changed:
            return self._now

    def advance(self, seconds: float) -> None:
        """Let time pass, and wake all who wait.

        Raises:
            OptionError: `seconds` is below 0, infinite or no number.
        """
        if not 0 <= seconds < inf:
            raise OptionError(f"time cannot pass by {seconds!r} s, expected 0 or more")
        with self._changed:
            self._now += seconds
            woken, self._waiting = self._waiting, {}
        for condition in woken.values():
            with condition:
                condition.notify_all()

    def wait_until(self, condition: Condition, deadline: float | None, /) -> None:
        """Wait until the condition is notified or time passes."""
        token = object()
        with self._changed:
            if deadline is not None and deadline <= self._now:
                return
            self._waiting[token] = condition
            self._changed.notify_all()
        try:
            condition.wait()
        finally:
            with self._changed:
                self._waiting.pop(token, None)

    def await_waiting(self, count: int = 1, *, patience: float = 10.0) -> None:
        """Block until so many threads wait on this clock; for tests of what blocks.

        Args:
            count: how many.
            patience: how many real seconds to block at most.

        Raises:
            TimeoutError: they did not come.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._waiting) >= count, patience):
                raise TimeoutError(f"{len(self._waiting)} of {count} threads wait on the clock")
