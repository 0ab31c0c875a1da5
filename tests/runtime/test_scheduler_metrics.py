"""What the loop counts, and the times that it takes."""

from typing import NamedTuple

import pytest
from attrs import define, field

from kubesched.builders import pod as make_pod
from kubesched.model import Binding, Pod
from kubesched.runtime import Distribution, ManualClock, MetricsSnapshot
from kubesched.state import Cluster
from tests.runtime.schedulers import (
    HUGE,
    N1,
    N2,
    SMALL,
    URGENT,
    WEB,
    Volumes,
    cannot_answer,
    check,
    doing,
    one,
    profile,
    scheduler_over,
    volumes_that,
)

ATTEMPTS = "scheduler_schedule_attempts_total"
VOLUMES = "scheduler_volume_scheduling_duration_seconds"


@define(eq=False)
class SlowBinder:
    """A binder that takes two seconds."""

    clock: ManualClock
    fails: bool = False

    def bind(self, _binding: Binding, /) -> None:
        self.clock.advance(2)
        if self.fails:
            raise OSError("the line is dead")


@define(eq=False)
class SlowVolumes(Volumes):
    """A volume binder that takes half a second, and then four."""

    clock: ManualClock = field(factory=ManualClock)

    def _do(self, step: str, pod: Pod) -> None:
        self.clock.advance({"assume": 0.5, "bind": 4.0, "forget": 0.0}[step])
        super()._do(step, pod)


class Case(NamedTuple):
    """What fails, and how many seconds each metric has seen then; None if it has seen nothing."""

    says: str
    binder_fails: bool = False
    volumes_can: tuple[str, ...] = ("assume", "bind", "forget")
    binding: float | None = None
    end_to_end: float | None = None
    volumes: float | None = 4.0


CASES = [
    Case("all goes well", binding=2.0, end_to_end=7.5),
    Case("the binder fails", binder_fails=True, end_to_end=7.5),
    Case("volumes cannot be bound", volumes_can=("assume", "forget")),
    Case("volumes cannot be assumed", volumes_can=(), volumes=None),
]


def seconds(counted: MetricsSnapshot, name: str, of: str = "") -> float | None:
    seen = counted.distribution(name, of)
    assert seen.count in {0, 1}
    unit = 1e-6 if name.endswith("microseconds") else 1
    return round(seen.sum * unit, 6) if seen.count else None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.says)
def test_each_step_is_timed_as_far_as_the_original_does(case: Case) -> None:
    clock = ManualClock()
    can = frozenset(case.volumes_can)
    scheduler = scheduler_over(
        Cluster.of([N1, N2, WEB]),
        profile(None, doing(lambda: clock.advance(1))),
        clock=clock,
        binder=SlowBinder(clock, case.binder_fails),
        volume_binder=SlowVolumes(can, clock=clock),
    )
    one(scheduler)
    counted = scheduler.metrics.snapshot()
    assert seconds(counted, "scheduler_scheduling_algorithm_latency_microseconds") == 1
    assert seconds(counted, "scheduler_scheduling_latency_seconds", "predicate_evaluation") == 1
    assert seconds(counted, "scheduler_scheduling_latency_seconds", "priority_evaluation") == 0
    assert seconds(counted, "scheduler_binding_latency_microseconds") == case.binding
    assert seconds(counted, "scheduler_scheduling_latency_seconds", "binding") == case.binding
    assert seconds(counted, "scheduler_e2e_scheduling_latency_microseconds") == case.end_to_end
    assert seconds(counted, VOLUMES, "assume") == 0.5
    assert seconds(counted, VOLUMES, "bind") == case.volumes
    failed = [
        stage
        for stage in ("assume", "bind")
        if counted.number("scheduler_volume_scheduling_stage_error_total", stage)
    ]
    assert failed == [stage for stage in ("assume", "bind") if stage not in can][:1]
    check(scheduler)


def test_a_pod_that_finds_no_node_is_counted_and_not_timed() -> None:
    scheduler = scheduler_over(Cluster.of([N1, HUGE]))
    one(scheduler)
    counted = scheduler.metrics.snapshot()
    assert counted.number(ATTEMPTS, "unschedulable") == 1
    assert counted.distribution("scheduler_scheduling_algorithm_latency_microseconds").count == 0
    assert counted.number("scheduler_total_preemption_attempts") == 1


def test_attempts_are_counted_as_they_end() -> None:
    pods = [make_pod("a", cpu=1), make_pod("b", cpu=9)]
    scheduler = scheduler_over(Cluster.of([N1, *pods]))
    list(scheduler.run_until_idle())
    assert attempts(scheduler.metrics.snapshot()) == [1, 1, 0]


def test_an_attempt_without_an_answer_is_an_error() -> None:
    rules = profile(cannot_answer, always_check_all_predicates=True)
    scheduler = scheduler_over(Cluster.of([N1, WEB]), rules)
    one(scheduler)
    assert attempts(scheduler.metrics.snapshot()) == [0, 0, 1]
    assert scheduler.metrics.snapshot().number("scheduler_total_preemption_attempts") == 0


def test_an_attempt_that_ends_in_binding_is_counted_once() -> None:
    volumes = volumes_that("assume")
    scheduler = scheduler_over(Cluster.of([N1, WEB]), volume_binder=volumes)
    one(scheduler)
    assert attempts(scheduler.metrics.snapshot()) == [0, 0, 1]


def attempts(counted: MetricsSnapshot) -> list[float]:
    return [counted.number(ATTEMPTS, result) for result in ("scheduled", "unschedulable", "error")]


def test_victims_are_counted_and_making_room_is_timed() -> None:
    scheduler = scheduler_over(Cluster.of([N1, SMALL, URGENT]))
    one(scheduler)
    counted = scheduler.metrics.snapshot()
    assert counted.number("scheduler_pod_preemption_victims") == 1
    made = counted.distribution("scheduler_scheduling_latency_seconds", "preemption_evaluation")
    assert made == Distribution(1, 0.0)
