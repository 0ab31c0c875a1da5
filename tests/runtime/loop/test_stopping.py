"""The loop in a thread of its own: stopped in the middle, killed, started again."""

import faulthandler
import sys
from collections.abc import Callable, Iterator
from threading import Event as StopEvent, Thread
from typing import Any, Self

import pytest
from attrs import define, field

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.config import Profile
from kubesched.model import Binding
from kubesched.runtime import InMemoryBinder, ManualClock, Outcome, Result, Scheduler
from kubesched.state import ASSUME_TTL, Cluster
from kubesched.testing.machines.loop.cast import pod_of_kind
from kubesched.testing.machines.loop.checks import check, fall_quiet
from kubesched.testing.machines.loop.faults import STEPS, Fault
from kubesched.testing.machines.loop.loop import Loop
from kubesched.testing.machines.loop.member import Manner

PATIENCE = 30.0
N1, WEB = make_node("n1"), make_pod("web")


@pytest.fixture(autouse=True)
def watchdog() -> Iterator[None]:
    """Show where every thread is if there is no end."""
    assert sys.__stderr__ is not None
    faulthandler.dump_traceback_later(60, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


@define(eq=False)
class Gate:
    """A binder that waits until somebody lets it."""

    cluster: Cluster
    reached: StopEvent = field(factory=StopEvent, init=False)
    opened: StopEvent = field(factory=StopEvent, init=False)
    passed: StopEvent = field(factory=StopEvent, init=False)

    def bind(self, binding: Binding, /) -> None:
        self.reached.set()
        assert self.opened.wait(PATIENCE)
        try:
            InMemoryBinder(self.cluster).bind(binding)
        finally:
            self.passed.set()


@define(eq=False)
class Running:
    """A loop that runs, and what it has done."""

    cluster: Cluster
    options: dict[str, Any]
    outcomes: list[Outcome] = field(factory=list, init=False)
    came: dict[Result, StopEvent] = field(
        factory=lambda: {result: StopEvent() for result in Result}, init=False
    )
    stop: StopEvent = field(factory=StopEvent, init=False)
    scheduler: Scheduler = field(init=False)
    thread: Thread = field(init=False)

    def __enter__(self) -> Self:
        self.scheduler = Scheduler(
            self.cluster, Profile.default(), observer=self.observe, **self.options
        )
        self.thread = Thread(target=self.scheduler.run, args=(self.stop,))
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def observe(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.came[outcome.result].set()

    def results(self) -> list[str]:
        return [str(outcome.result) for outcome in self.outcomes]


def running(cluster: Cluster, **options: Any) -> Running:
    return Running(cluster, options)


@pytest.mark.parametrize("threads", [0, 4], ids=["at once", "elsewhere"])
def test_it_schedules_what_comes_until_it_is_stopped(threads: int) -> None:
    cluster = Cluster.of([N1])
    with running(cluster, binding_threads=threads) as it:
        cluster.add_pod(WEB)
        assert it.came[Result.BOUND].wait(PATIENCE)
    assert cluster.pods[WEB.key].node_name == "n1"
    cluster.add_pod(make_pod("late"))
    assert len(it.scheduler.queue) == 0


def test_it_stops_while_it_waits_for_a_pod() -> None:
    with running(Cluster.of([N1]), clock=ManualClock()) as it:
        pass
    assert it.outcomes == []


def test_a_binding_that_is_under_way_when_it_is_stopped_may_end() -> None:
    cluster = Cluster.of([N1, WEB])
    gate = Gate(cluster)
    with running(cluster, binder=gate, binding_threads=1) as it:
        assert gate.reached.wait(PATIENCE)
        it.stop.set()
        gate.opened.set()
    assert it.results() == ["Binding", "Bound"]
    assert cluster.pods[WEB.key].node_name == "n1"


def test_a_binding_that_does_not_end_is_given_up_and_nothing_is_lost() -> None:
    pods = [make_pod(f"web-{number}") for number in range(4)]
    cluster = Cluster.of([N1, *pods])
    gate = Gate(cluster)
    with running(cluster, binder=gate, binding_threads=1, bind_timeout=0.2) as it:
        assert gate.reached.wait(PATIENCE)
        it.stop.set()
    assert not any(cluster.is_assumed(pod) for pod in pods)
    assert {*cluster.pending} == {pod.key for pod in pods}
    assert len(it.scheduler._bindings) == 0
    gate.opened.set()
    assert gate.passed.wait(PATIENCE)
    after = Scheduler(cluster, Profile.default())
    assert {outcome.result for outcome in after.run_until_idle()} == {Result.BOUND}
    assert {pod.node_name for pod in cluster.pods.values()} == {"n1"}
    cluster._check()


def test_it_gives_up_what_is_overdue_while_there_is_nothing_else_to_do() -> None:
    cluster, clock = Cluster.of([N1, WEB]), ManualClock()
    gate = Gate(cluster)
    with running(cluster, clock=clock, binder=gate, binding_threads=1) as it:
        assert gate.reached.wait(PATIENCE)
        clock.await_waiting()
        clock.advance(600)
        assert it.came[Result.BINDING_REJECTED].wait(PATIENCE)
        gate.opened.set()
    assert cluster.pods[WEB.key].node_name == "n1"


def test_it_tries_again_what_expires_while_there_is_nothing_else_to_do() -> None:
    cluster, clock, times = Cluster.of([N1, WEB]), ManualClock(), list[str]()
    twice = StopEvent()

    class Silent:
        def bind(self, binding: Binding, /) -> None:
            times.append(binding.target.name)
            if len(times) == 2:
                twice.set()

    with running(cluster, clock=clock, binder=Silent()):
        clock.await_waiting()
        clock.advance(ASSUME_TTL + 1)
        assert twice.wait(PATIENCE)


# -- killed at any point ---------------------------------------------------------------------------

STEPS_OF_A_LIFE: list[Callable[[Loop], object]] = [
    lambda loop: loop.put_node(make_node("n0", cpu=4)),
    lambda loop: loop.put_node(make_node("n1", cpu=4)),
    lambda loop: loop.put_pod(pod_of_kind(0, cpu=3, priority=0, kind=0)),
    lambda loop: loop.put_pod(pod_of_kind(1, cpu=3, priority=0, kind=2)),
    lambda loop: loop.put_pod(pod_of_kind(2, cpu=1, priority=0, kind=5)),
    lambda loop: loop.deliver_all(0),
    lambda loop: loop.schedule_one(0),
    lambda loop: loop.schedule_one(0),
    lambda loop: loop.schedule_one(1),
    lambda loop: loop.bind_one(1),
    lambda loop: loop.bind_one(0),
    lambda loop: loop.put_pod(pod_of_kind(3, cpu=3, priority=10, kind=0)),
    lambda loop: loop.deliver_all(0),
    lambda loop: loop.schedule_one(0),
    lambda loop: loop.bind_one(0),
    lambda loop: loop.deliver_all(0),
    lambda loop: loop.delete_pod(0, at_once=False),
    lambda loop: loop.deliver_all(0),
    lambda loop: loop.let_time_pass(2),
    lambda loop: loop.schedule_all(0),
    lambda loop: loop.bind_one(0),
]


@pytest.mark.parametrize("late", [False, True], ids=["silently", "with requests under way"])
@pytest.mark.parametrize("elsewhere", [False, True], ids=["at once", "elsewhere"])
@pytest.mark.parametrize("point", range(len(STEPS_OF_A_LIFE) + 1))
def test_killed_and_started_again_it_loses_no_pod_and_binds_none_twice(
    point: int, *, elsewhere: bool, late: bool
) -> None:
    loop = Loop(Manner(elsewhere=elsewhere))
    for at, step in enumerate(STEPS_OF_A_LIFE):
        if at == point:
            loop.kill(elsewhere=elsewhere)
            check(loop)
            if late:
                loop.bind_late(0)
        step(loop)
        check(loop)
    fall_quiet(loop)
    assert all(loop.api.bound.get(pod.uid) for pod in loop.api.pods() if pod.name in {"p2", "p3"})


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("step", STEPS)
def test_whatever_goes_wrong_once_all_is_well_in_the_end(step: str, fault: Fault) -> None:
    loop = Loop()
    loop.plan(step, fault)
    for do in STEPS_OF_A_LIFE:
        do(loop)
        check(loop)
    fall_quiet(loop)
    assert all(pod.node_name for pod in loop.api.pods() if pod.name in {"p2", "p3"})
