"""Metrics: the original's names, what each is told, and what a snapshot shows."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise
from math import inf
from threading import Thread

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import EquivalenceCache, FitError, GenericScheduler
from kubesched.errors import UnknownNameError
from kubesched.runtime import Distribution, Metrics
from kubesched.runtime.metrics.instruments import Observations
from kubesched.state import Cluster

ATTEMPTS = "scheduler_schedule_attempts_total"
LATENCY = "scheduler_scheduling_latency_seconds"
PREDICATES = "scheduler_scheduling_algorithm_predicate_evaluation"
PRIORITIES = "scheduler_scheduling_algorithm_priority_evaluation"
BINDING = "scheduler_binding_latency_microseconds"
VOLUMES = "scheduler_volume_scheduling_duration_seconds"
VOLUME_ERRORS = "scheduler_volume_scheduling_stage_error_total"
LOOKUPS, WRITES = "scheduler_equiv_cache_lookups_total", "scheduler_equiv_cache_writes"
VICTIMS = "scheduler_pod_preemption_victims"
PREEMPTIONS = "scheduler_total_preemption_attempts"

NUMBERS = {
    ATTEMPTS: "counter",
    VICTIMS: "gauge",
    PREEMPTIONS: "counter",
    LOOKUPS: "counter",
    WRITES: "counter",
    VOLUME_ERRORS: "counter",
}
DISTRIBUTIONS = {
    LATENCY: "summary",
    "scheduler_e2e_scheduling_latency_microseconds": "histogram",
    "scheduler_scheduling_algorithm_latency_microseconds": "histogram",
    PREDICATES: "histogram",
    PRIORITIES: "histogram",
    "scheduler_scheduling_algorithm_preemption_evaluation": "histogram",
    BINDING: "histogram",
    VOLUMES: "histogram",
}


def test_the_names_and_kinds_are_the_original_s() -> None:
    now = Metrics().snapshot()
    assert {name: metric.kind for name, metric in now.numbers.items()} == NUMBERS
    assert {name: metric.kind for name, metric in now.distributions.items()} == DISTRIBUTIONS
    assert all(metric.help for metric in now.numbers.values())
    assert all(metric.help for metric in now.distributions.values())


def test_the_buckets_are_the_original_s() -> None:
    seen = Metrics().snapshot().distribution(BINDING)
    bounds = [bound for bound, _ in seen.buckets]
    assert (len(bounds), bounds[0], bounds[-2:]) == (16, 1000.0, [16_384_000.0, inf])
    assert all(2 * low == high for low, high in pairwise(bounds[:-1]))


def test_what_the_original_shows_from_the_start_is_there_from_the_start() -> None:
    now = Metrics().snapshot()
    assert now.numbers[ATTEMPTS].values == {"scheduled": 0, "unschedulable": 0, "error": 0}
    assert now.numbers[LOOKUPS].values == {"hit": 0, "miss": 0}
    assert now.numbers[WRITES].values == {}
    assert now.distributions[BINDING].values[""].count == 0
    assert now.distributions[LATENCY].values == {}


def test_attempts_are_counted_by_their_result() -> None:
    metrics = Metrics()
    metrics.count_attempt("scheduled")
    metrics.count_attempt("scheduled")
    metrics.count_attempt("error")
    values = metrics.snapshot().numbers[ATTEMPTS].values
    assert values == {"scheduled": 2, "unschedulable": 0, "error": 1}


def test_victims_are_those_of_the_last_preemption() -> None:
    metrics = Metrics()
    metrics.count_preemption()
    metrics.set_victims(3)
    metrics.count_preemption()
    metrics.set_victims(0)
    now = metrics.snapshot()
    assert (now.number(PREEMPTIONS), now.number(VICTIMS)) == (2, 0)


@pytest.mark.parametrize(
    ("tell", "name", "of", "kept"),
    [
        pytest.param(
            lambda metrics: metrics.observe_step("predicate_evaluation", 0.5),
            PREDICATES,
            "",
            500_000.0,
            id="filtering",
        ),
        pytest.param(
            lambda metrics: metrics.observe_step("priority_evaluation", 0.5),
            PRIORITIES,
            "",
            500_000.0,
            id="scoring",
        ),
        pytest.param(
            lambda metrics: metrics.observe_step("preemption_evaluation", 0.5),
            "scheduler_scheduling_algorithm_preemption_evaluation",
            "",
            500_000.0,
            id="preempting",
        ),
        pytest.param(
            lambda metrics: metrics.observe_step("binding", 0.5), BINDING, "", 5e5, id="binding"
        ),
        pytest.param(
            lambda metrics: metrics.observe_step("binding", 0.5),
            LATENCY,
            "binding",
            0.5,
            id="binding, as a part of all",
        ),
        pytest.param(
            lambda metrics: metrics.observe_algorithm(0.5),
            "scheduler_scheduling_algorithm_latency_microseconds",
            "",
            500_000.0,
            id="the algorithm",
        ),
        pytest.param(
            lambda metrics: metrics.observe_end_to_end(0.5),
            "scheduler_e2e_scheduling_latency_microseconds",
            "",
            500_000.0,
            id="end to end",
        ),
        pytest.param(
            lambda metrics: metrics.observe_volumes("assume", 0.5),
            VOLUMES,
            "assume",
            0.5,
            id="volumes",
        ),
    ],
)
def test_seconds_are_kept_in_the_unit_of_the_original(
    tell: Callable[[Metrics], None], name: str, of: str, kept: float
) -> None:
    metrics = Metrics()
    tell(metrics)
    seen = metrics.snapshot().distribution(name, of)
    assert (seen.count, seen.sum) == (1, kept)


def test_what_fails_about_volumes_is_counted() -> None:
    metrics = Metrics()
    metrics.observe_volumes("assume", 0.1)
    metrics.observe_volumes("bind", 0.1, failed=True)
    now = metrics.snapshot()
    assert now.numbers[VOLUME_ERRORS].values == {"bind": 1}
    assert {stage: seen.count for stage, seen in now.distributions[VOLUMES].values.items()} == {
        "assume": 1,
        "bind": 1,
    }


def test_a_snapshot_stays_as_it_is() -> None:
    metrics = Metrics()
    before = metrics.snapshot()
    metrics.count_attempt("scheduled")
    metrics.observe_step("binding", 1.0)
    assert before.number(ATTEMPTS, "scheduled") == 0
    assert before.distribution(BINDING).count == 0


def test_what_was_never_told_is_nothing() -> None:
    now = Metrics().snapshot()
    assert now.number(VOLUME_ERRORS, "bind") == 0
    assert now.distribution(LATENCY, "binding") == Distribution()


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda: Metrics().snapshot().number("scheduler_binding"), id="a number"),
        pytest.param(lambda: Metrics().snapshot().number(BINDING), id="no number but observations"),
        pytest.param(lambda: Metrics().snapshot().distribution(ATTEMPTS), id="the other way round"),
    ],
)
def test_a_name_that_is_not_known_is_an_error(ask: Callable[[], object]) -> None:
    with pytest.raises(UnknownNameError, match="metric 'scheduler_"):
        ask()


@given(
    st.lists(st.integers(0, 10)), st.lists(st.integers(0, 10), unique=True, min_size=1).map(sorted)
)
def test_a_bucket_counts_what_is_not_above_its_bound(
    observed: list[int], bounds: list[int]
) -> None:
    observations = Observations((*map(float, bounds),))
    for value in observed:
        observations.observe(value)
    ordered = sorted(observed)
    expected = [(bound, bisect_right(ordered, bound)) for bound in (*bounds, inf)]
    assert observations.distribution() == Distribution(
        len(observed), sum(observed), tuple(expected)
    )


def test_nothing_is_lost_however_many_tell_at_once() -> None:
    metrics = Metrics()

    def work() -> None:
        for _ in range(300):
            metrics.count_attempt("scheduled")
            metrics.observe_volumes("bind", 0.5, failed=True)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    now = metrics.snapshot()
    assert now.number(ATTEMPTS, "scheduled") == now.number(VOLUME_ERRORS, "bind") == 1200
    assert now.distribution(VOLUMES, "bind").count == 1200


# -- what the engine tells -------------------------------------------------------------------------


def deciding(metrics: Metrics, *, nodes: int) -> GenericScheduler:
    cluster = Cluster.of(node(f"n{number}", cpu=1) for number in range(nodes))
    cache = EquivalenceCache()
    metrics.include_cache(cache)
    metrics.include_cache(cache)
    return GenericScheduler(
        cluster, Profile.default(), equivalence_cache=cache, observe=metrics.observe_step
    )


@pytest.mark.parametrize(
    ("nodes", "cpu", "filtered", "scored"),
    [
        pytest.param(2, 1, 1, 1, id="two nodes fit"),
        pytest.param(1, 1, 1, 0, id="the only node is taken without being scored"),
        pytest.param(1, 2, 0, 0, id="no node fits"),
    ],
)
def test_a_decision_tells_how_long_its_parts_took(
    nodes: int, cpu: int, filtered: int, scored: int
) -> None:
    metrics = Metrics()
    scheduler = deciding(metrics, nodes=nodes)
    try:
        scheduler.schedule(pod("web", cpu=cpu))
    except FitError:
        assert not filtered
    now = metrics.snapshot()
    assert (now.distribution(PREDICATES).count, now.distribution(PRIORITIES).count) == (
        filtered,
        scored,
    )


def test_the_cache_s_own_counts_are_among_the_metrics() -> None:
    metrics = Metrics()
    scheduler = deciding(metrics, nodes=2)
    for name in ("web-1", "web-2", "web-3"):
        scheduler.schedule(pod(name))
    counted, now = scheduler.equivalence_cache, metrics.snapshot()
    assert counted is not None
    assert counted.statistics.hits > 0
    assert now.numbers[LOOKUPS].values == {
        "hit": counted.statistics.hits,
        "miss": counted.statistics.misses,
    }
    assert now.number(WRITES, "discarded_stale") == counted.statistics.discarded
    scheduler.schedule(pod("web-4"))
    assert metrics.snapshot().number(LOOKUPS, "hit") > now.number(LOOKUPS, "hit")
