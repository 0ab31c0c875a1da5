"""What Prometheus scrapes, read by the client's own parsers."""

from collections.abc import Mapping
from math import inf

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics
from prometheus_client.openmetrics.parser import (
    text_string_to_metric_families as parse_openmetrics,
)
from prometheus_client.parser import text_string_to_metric_families

from kubesched.runtime import Metrics
from kubesched.runtime.metrics.prometheus import MetricsCollector


def told() -> Metrics:
    metrics = Metrics()
    metrics.count_attempt("scheduled")
    metrics.count_attempt("unschedulable")
    metrics.count_preemption()
    metrics.set_victims(2)
    metrics.observe_step("binding", 0.0015)
    metrics.observe_step("binding", 20.0)
    metrics.observe_volumes("bind", 0.25, failed=True)
    return metrics


def registry_of(metrics: Metrics) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(MetricsCollector(metrics))
    return registry


def text_of(metrics: Metrics) -> str:
    return generate_latest(registry_of(metrics)).decode()


def scraped(metrics: Metrics) -> Mapping[str, Metric]:
    return {each.name: each for each in text_string_to_metric_families(text_of(metrics))}


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return registry_of(metrics).get_sample_value(name, labels)


def test_every_sample_has_a_name_of_the_original() -> None:
    names, metrics = set[str](), told()
    for family in scraped(metrics).values():
        names |= {sample.name for sample in family.samples}
    now = metrics.snapshot()
    histograms = {name for name, each in now.distributions.items() if each.kind == "histogram"}
    assert names == {name for name, metric in now.numbers.items() if metric.values} | {
        f"{name}_{part}" for name in now.distributions for part in ("sum", "count")
    } | {f"{name}_bucket" for name in histograms}


@pytest.mark.parametrize(
    ("name", "labels", "expected"),
    [
        ("scheduler_schedule_attempts_total", {"result": "scheduled"}, 1),
        ("scheduler_schedule_attempts_total", {"result": "error"}, 0),
        ("scheduler_total_preemption_attempts", {}, 1),
        ("scheduler_pod_preemption_victims", {}, 2),
        ("scheduler_volume_scheduling_stage_error_total", {"operation": "bind"}, 1),
        ("scheduler_volume_scheduling_duration_seconds_sum", {"operation": "bind"}, 0.25),
        ("scheduler_scheduling_latency_seconds_count", {"operation": "binding"}, 2),
        ("scheduler_binding_latency_microseconds_sum", {}, 20_001_500),
        ("scheduler_binding_latency_microseconds_bucket", {"le": "1000"}, 0),
        ("scheduler_binding_latency_microseconds_bucket", {"le": "2000"}, 1),
        ("scheduler_binding_latency_microseconds_bucket", {"le": "1.6384e+07"}, 1),
        ("scheduler_binding_latency_microseconds_bucket", {"le": "+Inf"}, 2),
        ("scheduler_e2e_scheduling_latency_microseconds_count", {}, 0),
    ],
)
def test_values_are_scraped_as_they_were_told(
    name: str, labels: dict[str, str], expected: float
) -> None:
    assert value(told(), name, **labels) == expected


@pytest.mark.parametrize(
    "line",
    [
        "# TYPE scheduler_schedule_attempts_total counter",
        "# TYPE scheduler_pod_preemption_victims gauge",
        "# TYPE scheduler_scheduling_latency_seconds summary",
        "# TYPE scheduler_binding_latency_microseconds histogram",
        "# TYPE scheduler_total_preemption_attempts untyped",
        "# TYPE scheduler_equiv_cache_writes untyped",
        "# HELP scheduler_total_preemption_attempts"
        " Total preemption attempts in the cluster till now",
    ],
)
def test_types_and_help_are_those_of_the_original_as_far_as_the_client_goes(line: str) -> None:
    assert line in text_of(told()).splitlines()


def test_a_scrape_shows_what_has_happened_since_the_last() -> None:
    metrics = Metrics()
    registry = registry_of(metrics)
    for expected in (0, 1, 2):
        name, labels = "scheduler_schedule_attempts_total", {"result": "scheduled"}
        assert registry.get_sample_value(name, labels) == expected
        metrics.count_attempt("scheduled")


def test_the_buckets_grow_to_the_count() -> None:
    family = scraped(told())["scheduler_binding_latency_microseconds"]
    counts = [each.value for each in family.samples if each.name.endswith("_bucket")]
    bounds = [float(each.labels["le"]) for each in family.samples if "le" in each.labels]
    assert counts == sorted(counts)
    assert bounds == sorted(bounds)
    assert (counts[-1], bounds[-1]) == (2, inf)


def test_the_format_of_openmetrics_is_understood_too() -> None:
    text = generate_openmetrics(registry_of(told())).decode()  # type: ignore[no-untyped-call]
    families = {family.name for family in parse_openmetrics(text)}  # type: ignore[no-untyped-call]
    assert "scheduler_binding_latency_microseconds" in families
