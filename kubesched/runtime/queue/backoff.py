"""How long a pod that found no place is left alone, and how often it has been tried.

Source: kubernetes v1.12.2, pkg/scheduler/util/backoff_utils.go; v1.20.0,
pkg/scheduler/internal/queue/scheduling_queue.go, calculateBackoffDuration.
"""

from collections import OrderedDict
from math import inf
from typing import Final

from attrs import define, field, frozen

from kubesched.errors import OptionError

KEPT: Final = 1200.0
"""Seconds that attempts are remembered of a pod that is away: twice as long as binding may take."""

_MOST_DOUBLINGS: Final = 1000  # 2.0**1024 would be an error


@frozen
class Backoff:
    """The seconds before the next try: `first`, then twice as many each time, `longest` at most.

    Raises:
        OptionError: it is not so that `0 < first <= longest`, or `longest` is infinite.

    Differs: the original begins anew with a pod that has not been tried for a minute or two. Here
    its attempts count for as long as it waits.

    >>> backoff = Backoff()
    >>> [backoff.after(attempts) for attempts in (1, 2, 3, 7, 5000)]
    [1.0, 2.0, 4.0, 60.0, 60.0]
    """

    first: float = 1.0
    longest: float = 60.0

    def __attrs_post_init__(self) -> None:
        if not 0 < self.first <= self.longest < inf:
            raise OptionError(
                f"the backoff is {self.first!r} s first and {self.longest!r} s at most, "
                "expected more than 0 s, and at most no less than first"
            )

    def after(self, attempts: int) -> float:
        """Return the seconds to wait after so many attempts; 0 count as 1."""
        doublings = min(max(attempts - 1, 0), _MOST_DOUBLINGS)
        return min(self.first * 2.0**doublings, self.longest)


@define(eq=False)
class Attempts:
    """How often pods had been tried, by key, while they are away to be tried again.

    They are forgotten when the pod comes back or is gone, and after a while in any case.
    """

    # The longest away come first, for time never goes back. (A dict would be slow to lose them.)
    _away: OrderedDict[str, tuple[int, float]] = field(factory=OrderedDict, init=False)

    def note(self, key: str, attempts: int, now: float) -> None:
        """Note that a pod goes away to be tried for the n-th time; O(1) in the long run."""
        while self._away and next(iter(self._away.values()))[1] < now - KEPT:
            self._away.popitem(last=False)
        self._away[key] = attempts, now
        self._away.move_to_end(key)

    def take(self, key: str) -> int:
        """Forget a pod and return how often it has been tried; O(1)."""
        attempts, _ = self._away.pop(key, (0, 0.0))
        return attempts

    def __contains__(self, key: str) -> bool:
        """Tell whether a pod is away."""
        return key in self._away

    def _check(self) -> None:
        """Assert that they are in order of time, and each was tried."""
        times = [since for _, since in self._away.values()]
        assert times == sorted(times)
        assert all(attempts > 0 for attempts, _ in self._away.values())
