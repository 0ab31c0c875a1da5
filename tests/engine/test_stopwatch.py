"""Slow decisions say where the time went."""

import re
from logging import INFO, getLogger
from math import inf
from time import perf_counter

import pytest

from kubesched.builders import node, pod
from kubesched.engine import GenericScheduler, NoNodesAvailable
from kubesched.engine.stopwatch import Stopwatch
from kubesched.framework import RuleSet
from kubesched.state import Cluster

LOGGER = getLogger("tests.stopwatch")
SLOWEST = "kubesched.engine.generic_scheduler.SLOW_DECISION_SECONDS"
NEVER, ALWAYS = inf, -1.0


@pytest.fixture(autouse=True)
def _hears_all(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(INFO)


def test_what_took_long_is_logged_with_its_steps(caplog: pytest.LogCaptureFixture) -> None:
    watch = Stopwatch("Baking")
    watch.step("Kneading")
    watch.step("Waiting")
    watch.log_if_long(LOGGER, ALWAYS)
    (record,) = caplog.records
    told = re.fullmatch(
        r"Baking took (\d+\.\d) ms: Kneading (\d+\.\d) ms, Waiting (\d+\.\d) ms",
        record.getMessage(),
    )
    assert told is not None
    total, kneading, waiting = map(float, told.groups())
    assert kneading + waiting <= total + 0.2, "more than what is rounded"
    assert (record.levelno, record.name) == (INFO, LOGGER.name)


def test_the_record_has_the_data_too(caplog: pytest.LogCaptureFixture) -> None:
    began = perf_counter()
    watch = Stopwatch("Baking")
    watch.step("Kneading")
    watch.log_if_long(LOGGER, ALWAYS)
    (data,) = (vars(record) for record in caplog.records)
    assert data["what"] == "Baking"
    assert 0 <= data["seconds"] <= perf_counter() - began
    assert [name for name, _ in data["steps"]] == ["Kneading"]


def test_a_step_tells_the_seconds_since_the_one_before() -> None:
    began = perf_counter()
    watch = Stopwatch("Baking")
    kneading, waiting = watch.step("Kneading"), watch.step("Waiting")
    assert min(kneading, waiting) >= 0
    assert kneading + waiting <= perf_counter() - began


def test_what_had_no_steps_is_logged_without(caplog: pytest.LogCaptureFixture) -> None:
    Stopwatch("Baking").log_if_long(LOGGER, ALWAYS)
    (record,) = caplog.records
    assert re.fullmatch(r"Baking took \d+\.\d ms", record.getMessage())


def test_what_was_quick_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    Stopwatch("Baking").log_if_long(LOGGER, NEVER)
    assert not caplog.records


def schedule(*objects: str) -> None:
    cluster = Cluster.of(map(node, objects))
    GenericScheduler(cluster, RuleSet()).schedule(pod("shop/web-1"))


def test_a_slow_decision_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(SLOWEST, ALWAYS)
    schedule("a", "b")
    (record,) = caplog.records
    assert record.name == "kubesched.engine"
    assert re.sub(r"\d+\.\d", "N", record.getMessage()) == (
        "Scheduling shop/web-1 took N ms: "
        "Computing predicates N ms, Prioritizing N ms, Selecting host N ms"
    )


def test_a_slow_failure_is_logged_as_well(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(SLOWEST, ALWAYS)
    with pytest.raises(NoNodesAvailable):
        schedule()
    (record,) = caplog.records
    assert record.getMessage().startswith("Scheduling shop/web-1 took")


def test_a_quick_decision_is_not(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(SLOWEST, NEVER)
    schedule("a", "b")
    assert not caplog.records
