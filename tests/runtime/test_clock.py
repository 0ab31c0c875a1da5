import math
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, Thread

import pytest

from kubesched.errors import OptionError
from kubesched.runtime import Clock, ManualClock, RealClock

CLOCKS: tuple[Clock, ...] = (RealClock(), ManualClock())


def wait_on(clock: Clock, condition: Condition, deadline: float | None) -> None:
    with condition:
        clock.wait_until(condition, deadline)


def test_a_manual_clock_stands_still() -> None:
    clock = ManualClock(7.0)
    assert [clock.now(), clock.now()] == [7.0, 7.0]


def test_a_manual_clock_goes_as_far_as_it_is_advanced() -> None:
    clock = ManualClock()
    clock.advance(1.5)
    clock.advance(0)
    clock.advance(2)
    assert clock.now() == 3.5


@pytest.mark.parametrize("seconds", [-1, -0.001, -math.inf, math.nan, math.inf])
def test_time_passes_only_forwards_and_not_for_ever(seconds: float) -> None:
    clock = ManualClock(5)
    with pytest.raises(OptionError, match="time cannot pass by"):
        clock.advance(seconds)
    assert clock.now() == 5


def test_the_real_clock_follows_the_machine() -> None:
    before = time.monotonic()
    now = RealClock().now()
    assert before <= now <= time.monotonic()


@pytest.mark.parametrize("clock", CLOCKS, ids=["real", "manual"])
@pytest.mark.parametrize("ago", [0.0, 10.0, math.inf])
def test_who_waits_for_the_past_does_not_wait(clock: Clock, ago: float) -> None:
    wait_on(clock, Condition(), clock.now() - ago)


def test_the_real_clock_lets_go_when_the_time_has_come() -> None:
    clock = RealClock()
    deadline = clock.now() + 0.01
    condition = Condition()
    while clock.now() < deadline:
        wait_on(clock, condition, deadline)


@pytest.mark.parametrize("deadline", [None, 1e300, math.inf])
def test_the_real_clock_lets_go_when_notified(deadline: float | None) -> None:
    condition = Condition()
    clock = RealClock()
    with ThreadPoolExecutor(1) as pool, condition:
        pool.submit(notify, condition)
        clock.wait_until(condition, deadline)


def notify(condition: Condition) -> None:
    with condition:
        condition.notify_all()


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_a_manual_clock_lets_go_when_notified(deadline: float | None) -> None:
    clock, condition = ManualClock(), Condition()
    waiter = Thread(target=wait_on, args=(clock, condition, deadline))
    waiter.start()
    clock.await_waiting()
    notify(condition)
    waiter.join()
    assert clock.now() == 0


def test_advancing_wakes_all_who_wait_on_whatever_condition() -> None:
    clock = ManualClock()
    conditions = Condition(), Condition()
    waiters = [
        Thread(target=wait_on, args=(clock, condition, 60.0))
        for condition in (*conditions, conditions[0])
    ]
    for waiter in waiters:
        waiter.start()
    clock.await_waiting(3)
    clock.advance(60)
    for waiter in waiters:
        waiter.join()
    with pytest.raises(TimeoutError):
        clock.await_waiting(patience=0)


def test_who_advances_may_hold_the_condition() -> None:
    clock, condition = ManualClock(), Condition()
    waiter = Thread(target=wait_on, args=(clock, condition, 1.0))
    waiter.start()
    clock.await_waiting()
    with condition:
        clock.advance(1)
    waiter.join()


def test_time_that_passed_before_the_wait_is_not_waited_for_again() -> None:
    clock, condition = ManualClock(), Condition()
    deadline = clock.now() + 1
    clock.advance(1)
    wait_on(clock, condition, deadline)


def test_it_is_said_how_many_came_of_those_who_were_to_wait() -> None:
    with pytest.raises(TimeoutError, match="0 of 2 threads"):
        ManualClock().await_waiting(2, patience=0)
