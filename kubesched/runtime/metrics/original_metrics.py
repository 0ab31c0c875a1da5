"""The original's metrics: names, meaning and buckets to the letter.

Source: kubernetes v1.13.0, pkg/scheduler/metrics/metrics.go and
pkg/controller/volume/persistentvolume/scheduler_bind_cache_metrics.go.
"""

from typing import Final

from kubesched.runtime.metrics.instruments import Definition


def _buckets(first: float) -> tuple[float, ...]:
    return tuple(first * 2**doubled for doubled in range(15))


def _latency(name: str, what: str) -> Definition:
    """Return a histogram of microseconds, from one millisecond to 16 seconds."""
    return Definition(f"scheduler_{name}", what, "histogram", bounds=_buckets(1000.0))


SCHEDULE_ATTEMPTS: Final = Definition(
    "scheduler_schedule_attempts_total",
    "Number of attempts to schedule pods, by the result. 'unschedulable' means a pod could not be"
    " scheduled, while 'error' means an internal scheduler problem.",
    "counter",
    "result",
    known=("scheduled", "unschedulable", "error"),
)
SCHEDULING_LATENCY: Final = Definition(
    "scheduler_scheduling_latency_seconds",
    "Scheduling latency in seconds split by sub-parts of the scheduling operation",
    "summary",
    "operation",
)
END_TO_END: Final = _latency(
    "e2e_scheduling_latency_microseconds",
    "E2e scheduling latency (scheduling algorithm + binding)",
)
ALGORITHM: Final = _latency(
    "scheduling_algorithm_latency_microseconds", "Scheduling algorithm latency"
)
PREDICATES: Final = _latency(
    "scheduling_algorithm_predicate_evaluation",
    "Scheduling algorithm predicate evaluation duration",
)
PRIORITIES: Final = _latency(
    "scheduling_algorithm_priority_evaluation", "Scheduling algorithm priority evaluation duration"
)
PREEMPTION: Final = _latency(
    "scheduling_algorithm_preemption_evaluation",
    "Scheduling algorithm preemption evaluation duration",
)
BINDING: Final = _latency("binding_latency_microseconds", "Binding latency")
PREEMPTION_VICTIMS: Final = Definition(
    "scheduler_pod_preemption_victims", "Number of selected preemption victims", "gauge"
)
PREEMPTION_ATTEMPTS: Final = Definition(
    "scheduler_total_preemption_attempts",
    "Total preemption attempts in the cluster till now",
    "counter",
)
CACHE_LOOKUPS: Final = Definition(
    "scheduler_equiv_cache_lookups_total",
    "Total number of equivalence cache lookups, by whether or not a cache entry was found",
    "counter",
    "result",
    known=("hit", "miss"),
)
CACHE_WRITES: Final = Definition(
    "scheduler_equiv_cache_writes",
    "Total number of equivalence cache writes, by result",
    "counter",
    "result",
)
VOLUME_DURATION: Final = Definition(
    "scheduler_volume_scheduling_duration_seconds",
    "Volume scheduling stage latency",
    "histogram",
    "operation",
    bounds=_buckets(1000.0),  # the original has those of the microseconds here, too
)
VOLUME_ERRORS: Final = Definition(
    "scheduler_volume_scheduling_stage_error_total",
    "Volume scheduling stage error count",
    "counter",
    "operation",
)

DEFINITIONS: Final = (
    SCHEDULE_ATTEMPTS,
    SCHEDULING_LATENCY,
    END_TO_END,
    ALGORITHM,
    BINDING,
    PREDICATES,
    PRIORITIES,
    PREEMPTION,
    PREEMPTION_VICTIMS,
    PREEMPTION_ATTEMPTS,
    CACHE_LOOKUPS,
    CACHE_WRITES,
    VOLUME_DURATION,
    VOLUME_ERRORS,
)
