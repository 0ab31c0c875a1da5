"""What the scheduling queue costs when 100,000 pods wait; nothing here says how much it may.

pytest tests/bench/test_queue.py
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, TypeAlias

import pytest
from attrs import evolve
from pytest_benchmark.fixture import BenchmarkFixture

from kubesched.builders import pod
from kubesched.model import Pod
from kubesched.runtime import ManualClock, PriorityQueue

MANY: Final = 100_000
ONE_BY_ONE: Final = 1000
ALL_AT_ONCE: Final = 5

Setup: TypeAlias = Callable[[], tuple[tuple[Any, ...], dict[str, Any]]]
"""Makes the arguments of a step."""


@cache
def pods() -> tuple[Pod, ...]:
    """Return pods of ten priorities in turn."""
    return tuple(pod(f"web-{number}", priority=number % 10) for number in range(MANY))


def more_pods() -> Iterator[Pod]:
    """Make pods that no queue has seen."""
    return (pod(f"more-{number}", priority=5) for number in range(ONE_BY_ONE))


def ready() -> PriorityQueue:
    """Return a queue in which all pods are to be tried."""
    queue = PriorityQueue(ManualClock())
    for each in pods():
        queue.add(each)
    return queue


def stuck(clock: ManualClock | None = None) -> PriorityQueue:
    """Return a queue in which no pod has found a place."""
    queue = PriorityQueue(clock or ManualClock())
    for each in pods():
        queue.add_unschedulable(each, queue.cycle)
    return queue


def changed(before: Pod, labels: dict[str, str]) -> Pod:
    """Return a pod with another status, and with labels."""
    status = evolve(before.status, message="no place yet")
    metadata = evolve(before.metadata, labels=labels, resource_version="2")
    return evolve(before, metadata=metadata, status=status)


def measure(
    benchmark: BenchmarkFixture,
    step: Callable[..., object],
    times: int,
    setup: Setup | None = None,
) -> None:
    """Measure a step so many times, each after another setup."""
    benchmark.pedantic(step, setup=setup, rounds=times)  # type: ignore[no-untyped-call]


def test_add_one(benchmark: BenchmarkFixture) -> None:
    queue, more = ready(), more_pods()
    measure(benchmark, queue.add, ONE_BY_ONE, lambda: ((next(more),), {}))
    assert len(queue) == MANY + ONE_BY_ONE


def test_pop_one(benchmark: BenchmarkFixture) -> None:
    queue = ready()
    measure(benchmark, queue.pop, ONE_BY_ONE)
    assert len(queue) == MANY - ONE_BY_ONE


def test_put_back_one_that_found_no_place(benchmark: BenchmarkFixture) -> None:
    queue, more = stuck(), more_pods()
    put_back = queue.add_unschedulable
    measure(benchmark, put_back, ONE_BY_ONE, lambda: ((next(more), queue.cycle), {}))
    assert len(queue) == MANY + ONE_BY_ONE


@pytest.mark.parametrize("labels", [{}, {"tier": "front"}], ids=["its status", "its labels"])
def test_update_one(benchmark: BenchmarkFixture, labels: dict[str, str]) -> None:
    queue = stuck()
    changes = iter([(it, changed(it, labels)) for it in pods()[:ONE_BY_ONE]])
    measure(benchmark, queue.update, ONE_BY_ONE, lambda: (next(changes), {}))
    assert queue.part_of(pods()[0]) == ("active" if labels else "unschedulable")


def test_move_all(benchmark: BenchmarkFixture) -> None:
    measure(benchmark, PriorityQueue.move_all, ALL_AT_ONCE, lambda: ((stuck(),), {}))


def test_let_all_out_of_backoff(benchmark: BenchmarkFixture) -> None:
    def when_it_is_over() -> tuple[tuple[PriorityQueue], dict[str, Any]]:
        queue = stuck(clock := ManualClock())
        queue.move_all()
        clock.advance(1)
        return (queue,), {}

    measure(benchmark, PriorityQueue.flush, ALL_AT_ONCE, when_it_is_over)


def test_all_in_and_out(benchmark: BenchmarkFixture) -> None:
    def all_in_and_out() -> None:
        queue = ready()
        for _ in range(MANY):
            queue.pop()

    measure(benchmark, all_in_and_out, ALL_AT_ONCE)
