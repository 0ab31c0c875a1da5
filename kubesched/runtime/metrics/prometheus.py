"""The metrics for Prometheus, under the original's names; needs the extra `metrics`."""

from collections.abc import Iterator

from attrs import define

from kubesched.errors import MissingExtraError
from kubesched.runtime.metrics import instruments
from kubesched.runtime.metrics.instruments import Distribution
from kubesched.runtime.metrics.metrics import Metrics

try:
    from prometheus_client.core import Metric
    from prometheus_client.registry import Collector
except ImportError:
    raise MissingExtraError("showing metrics to Prometheus", "metrics") from None


@define(eq=False)
class MetricsCollector(Collector):
    """Shows `Metrics` to a registry of prometheus-client, as they are when somebody asks.

    >>> from prometheus_client import CollectorRegistry, generate_latest
    >>> metrics, registry = Metrics(), CollectorRegistry()
    >>> registry.register(MetricsCollector(metrics))
    >>> metrics.count_attempt("scheduled")
    >>> text = generate_latest(registry).decode()
    >>> 'scheduler_schedule_attempts_total{result="scheduled"} 1.0' in text
    True

    Differs: `scheduler_total_preemption_attempts` and `scheduler_equiv_cache_writes` have no type,
    since the client wants the names of counters to end in `_total`.
    """

    metrics: Metrics

    def collect(self) -> Iterator[Metric]:
        """Go over the metrics as they are now."""
        now = self.metrics.snapshot()
        for number in now.numbers.values():
            yield _of_number(number)
        for distribution in now.distributions.values():
            yield _of_distribution(distribution)


def _of_number(given: instruments.Metric[float]) -> Metric:
    kind = given.kind
    if kind == "counter" and not given.name.endswith("_total"):
        made = Metric(given.name, given.help, "unknown")
    else:
        made = Metric(given.name.removesuffix("_total"), given.help, kind)
    for value, number in given.values.items():
        made.add_sample(given.name, _labels(given.label, value), number)
    return made


def _of_distribution(given: instruments.Metric[Distribution]) -> Metric:
    made = Metric(given.name, given.help, given.kind)
    for value, seen in given.values.items():
        labels = _labels(given.label, value)
        for bound, count in seen.buckets:
            made.add_sample(f"{given.name}_bucket", {**labels, "le": _le(bound)}, count)
        made.add_sample(f"{given.name}_sum", labels, seen.sum)
        made.add_sample(f"{given.name}_count", labels, seen.count)
    return made


def _labels(label: str, value: str) -> dict[str, str]:
    return {label: value} if label else {}


def _le(bound: float) -> str:
    """Write a bound as the original does: `1000`, `1.024e+06`, `+Inf`."""
    return f"{bound:g}".replace("inf", "+Inf")
