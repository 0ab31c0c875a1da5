"""How often pods are scheduled, and how long that takes."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Final, Literal, TypeAlias, TypeVar

from attrs import define, field, frozen

from kubesched.engine import EquivalenceCache
from kubesched.errors import UnknownNameError
from kubesched.runtime.clock import Clock
from kubesched.runtime.metrics.instruments import Definition, Distribution, Metric, Observations
from kubesched.runtime.metrics.original_metrics import (
    ALGORITHM,
    BINDING,
    CACHE_LOOKUPS,
    CACHE_WRITES,
    DEFINITIONS,
    END_TO_END,
    PREDICATES,
    PREEMPTION,
    PREEMPTION_ATTEMPTS,
    PREEMPTION_VICTIMS,
    PRIORITIES,
    SCHEDULE_ATTEMPTS,
    SCHEDULING_LATENCY,
    VOLUME_DURATION,
    VOLUME_ERRORS,
)

T = TypeVar("T")

AttemptResult: TypeAlias = Literal["scheduled", "unschedulable", "error"]
"""How an attempt ended: with a node, because no node fits, or for another reason."""

Step: TypeAlias = Literal[
    "predicate_evaluation", "priority_evaluation", "preemption_evaluation", "binding"
]
"""A part of scheduling a pod, by the original's name."""

VolumeStage: TypeAlias = Literal["predicate", "assume", "bind"]
"""A part of what is done about a pod's volumes, by the original's name."""

_MICROSECONDS: Final = 1_000_000

_OF_STEP: Final[Mapping[Step, Definition]] = {
    "predicate_evaluation": PREDICATES,
    "priority_evaluation": PRIORITIES,
    "preemption_evaluation": PREEMPTION,
    "binding": BINDING,
}


@frozen
class MetricsSnapshot:
    """All metrics as they were at one moment, by name.

    Attributes:
        numbers: the counters and gauges.
        distributions: the histograms and summaries.
    """

    numbers: Mapping[str, Metric[float]]
    distributions: Mapping[str, Metric[Distribution]]

    def number(self, name: str, of: str = "") -> float:
        """Return the value of a counter or gauge, of one value of its label; 0 if never counted.

        Raises:
            UnknownNameError: there is no counter or gauge of this name.
        """
        return _named(self.numbers, name).values.get(of, 0.0)

    def distribution(self, name: str, of: str = "") -> Distribution:
        """Return what a histogram or summary has observed, of one value of its label.

        Raises:
            UnknownNameError: there is no histogram or summary of this name.
        """
        return _named(self.distributions, name).values.get(of, Distribution())


def _named(metrics: Mapping[str, Metric[T]], name: str) -> Metric[T]:
    if name not in metrics:
        raise UnknownNameError("metric", name, metrics)
    return metrics[name]


@define(eq=False)
class Metrics:
    """The original's metrics, counted in the process; it may be used from many threads.

    Everything is told in seconds; where the original's name says microseconds, that is what is
    kept. To tell something is O(1), to take a snapshot O(metrics).

    >>> metrics = Metrics()
    >>> metrics.count_attempt("scheduled")
    >>> metrics.observe_step("binding", 0.002)
    >>> now = metrics.snapshot()
    >>> now.number("scheduler_schedule_attempts_total", "scheduled")
    1.0
    >>> now.distribution("scheduler_binding_latency_microseconds").sum
    2000.0

    Differs: scheduling latency has no quantiles, of which the original keeps those of five hours;
    and the cache of the volume binder, for whose requests the original has a metric, is not needed
    here.
    """

    _numbers: dict[Definition, dict[str, float]] = field(init=False)
    _observations: dict[Definition, dict[str, Observations]] = field(init=False)
    _caches: list[EquivalenceCache] = field(factory=list, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    def __attrs_post_init__(self) -> None:
        self._numbers = {
            each: dict.fromkeys(each.first_values, 0.0) for each in DEFINITIONS if each.is_a_number
        }
        self._observations = {
            each: {value: Observations(each.bounds) for value in each.first_values}
            for each in DEFINITIONS
            if not each.is_a_number
        }

    # -- telling -------------------------------------------------------------------------------

    def count_attempt(self, result: AttemptResult) -> None:
        """Tell how an attempt to schedule a pod ended."""
        self._add(SCHEDULE_ATTEMPTS, result)

    def count_preemption(self) -> None:
        """Tell that a pod fitted nowhere, so that it was tried to make room, if that is allowed."""
        self._add(PREEMPTION_ATTEMPTS)

    def set_victims(self, victims: int) -> None:
        """Tell how many pods were found that have to leave for another."""
        with self._lock:
            self._numbers[PREEMPTION_VICTIMS][""] = float(victims)

    def observe_step(self, step: Step, seconds: float) -> None:
        """Tell how long a part of scheduling a pod took."""
        self._observe(_OF_STEP[step], _MICROSECONDS * seconds)
        self._observe(SCHEDULING_LATENCY, seconds, step)

    def observe_algorithm(self, seconds: float) -> None:
        """Tell how long it took to find a node for a pod."""
        self._observe(ALGORITHM, _MICROSECONDS * seconds)

    def observe_end_to_end(self, seconds: float) -> None:
        """Tell how long it took from the start of an attempt to the end of binding."""
        self._observe(END_TO_END, _MICROSECONDS * seconds)

    def observe_volumes(self, stage: VolumeStage, seconds: float, *, failed: bool = False) -> None:
        """Tell how long something about a pod's volumes took, and whether it failed."""
        self._observe(VOLUME_DURATION, seconds, stage)
        if failed:
            self._add(VOLUME_ERRORS, stage)

    @contextmanager
    def timing_volumes(self, stage: VolumeStage, clock: Clock) -> Iterator[None]:
        """Tell how long what is done meanwhile about a pod's volumes takes, and if it fails."""
        started, failed = clock.now(), True
        try:
            yield
            failed = False
        finally:
            self.observe_volumes(stage, clock.now() - started, failed=failed)

    def include_cache(self, cache: EquivalenceCache) -> None:
        """Have a cache's own counts among the metrics from now on; twice is as good as once."""
        with self._lock:
            if not any(cache is each for each in self._caches):
                self._caches.append(cache)

    # -- reading -------------------------------------------------------------------------------

    def snapshot(self) -> MetricsSnapshot:
        """Return all metrics as they are now."""
        with self._lock:
            numbers = {each: dict(values) for each, values in self._numbers.items()}
            observed = {
                each: {value: seen.distribution() for value, seen in values.items()}
                for each, values in self._observations.items()
            }
            caches = tuple(self._caches)
        for cache in caches:
            counted = cache.statistics
            numbers[CACHE_LOOKUPS]["hit"] += counted.hits
            numbers[CACHE_LOOKUPS]["miss"] += counted.misses
            writes = numbers[CACHE_WRITES]
            writes["discarded_stale"] = writes.get("discarded_stale", 0.0) + counted.discarded
        return MetricsSnapshot(
            {each.name: Metric.of(each, values) for each, values in numbers.items()},
            {each.name: Metric.of(each, seen) for each, seen in observed.items()},
        )

    # -- within --------------------------------------------------------------------------------

    def _add(self, definition: Definition, of: str = "") -> None:
        with self._lock:
            values = self._numbers[definition]
            values[of] = values.get(of, 0.0) + 1

    def _observe(self, definition: Definition, value: float, of: str = "") -> None:
        with self._lock:
            values = self._observations[definition]
            if of not in values:
                values[of] = Observations(definition.bounds)
            values[of].observe(value)
