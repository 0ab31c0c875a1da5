"""Says where the time of a slow decision went.

Source: kubernetes v1.12.2, k8s.io/apiserver/pkg/util/trace/trace.go.
"""

from collections.abc import Callable
from logging import Logger
from time import perf_counter
from typing import Final, Literal, TypeAlias

from attrs import define, field

SLOW_DECISION_SECONDS: Final = 0.1
"""A decision that takes longer is logged with its steps."""

DecisionStep: TypeAlias = Literal["predicate_evaluation", "priority_evaluation"]
"""A part of a decision."""

StepObserver: TypeAlias = Callable[[DecisionStep, float], None]
"""Somebody who wants to know how many seconds a part of a decision took."""


@define(eq=False)
class Stopwatch:
    """Notes the end of each step, and logs them all if they took long.

    >>> from logging import getLogger
    >>> watch = Stopwatch("Scheduling default/web-1")
    >>> seconds = watch.step("Computing predicates")
    >>> watch.log_if_long(getLogger("doctest"), SLOW_DECISION_SECONDS)
    """

    what: str
    _now: Callable[[], float] = perf_counter
    _start: float = field(init=False)
    _steps: list[tuple[str, float]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self._start = self._now()

    def step(self, name: str) -> float:
        """Note that a step is over; return how many seconds it took."""
        since, now = self._steps[-1][1] if self._steps else self._start, self._now()
        self._steps.append((name, now))
        return now - since

    def log_if_long(self, logger: Logger, seconds: float) -> None:
        """Log every step with its time, as information, if all took longer than so many seconds."""
        total = self._now() - self._start
        if total <= seconds:
            return
        since, steps = self._start, []
        for name, at in self._steps:
            steps.append(f"{name} {1000 * (at - since):.1f} ms")
            since = at
        logger.info(
            "%s took %.1f ms%s",
            self.what,
            1000 * total,
            f": {', '.join(steps)}" if steps else "",
            extra={"what": self.what, "seconds": total, "steps": tuple(self._steps)},
        )
