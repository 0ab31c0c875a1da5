"""An elector that runs: steps in time, and how it ends."""

from threading import Event, Thread

import pytest
from attrs import define, evolve, field

from kubesched.runtime import (
    LeaderElector,
    ManualClock,
    Term,
)
from tests.runtime.leader_election.elections import (
    Diary,
    FaultyLock,
    elector,
    record_in,
)

# -- to run ----------------------------------------------------------------------------------------


@define(eq=False)
class Running:
    """An elector that runs in a thread, by a clock that is advanced here."""

    elector: LeaderElector
    clock: ManualClock
    stop: Event = field(factory=Event)
    thread: Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.thread = Thread(target=self.elector.run, args=(self.stop,), daemon=True)
        self.thread.start()
        self.settle()

    def settle(self) -> None:
        """Wait until the step that is due has been made."""
        for _ in range(10_000):
            if self.elector.next_step_at > self.clock.now():
                return
            self.stop.wait(0.001)
        pytest.fail("no step is made")

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.settle()

    def end(self) -> None:
        self.stop.set()
        self.elector.wake()
        self.join()

    def join(self) -> None:
        self.thread.join(10)
        assert not self.thread.is_alive()


def test_running_it_renews_in_time(lock: FaultyLock, clock: ManualClock, diary: Diary) -> None:
    running = Running(elector(lock, clock, diary=diary), clock)
    for _ in range(30):
        running.advance(1)
    assert running.elector.is_leader
    assert record_in(lock).renew_time == 30.0
    running.end()
    assert diary.lines == ["starts term 0 of 'a'", "sees a", "stops term 0 of 'a'"]
    assert record_in(lock).holder_identity == "a"


def test_running_it_gives_the_lease_back_if_it_is_told_to(
    lock: FaultyLock, clock: ManualClock
) -> None:
    running = Running(elector(lock, clock, release_on_stop=True), clock)
    running.end()
    assert record_in(lock).holder_identity == ""


def test_a_candidate_that_is_stopped_never_stopped_leading(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    elector(lock, clock).step()
    running = Running(elector(lock, clock, "b", diary, release_on_stop=True), clock)
    running.end()
    assert diary.lines == ["sees a"]
    assert record_in(lock).holder_identity == "a"


def test_running_ends_when_leadership_is_lost(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    running = Running(elector(lock, clock, diary=diary), clock)
    lock.fault = "get"
    running.advance(9)
    assert running.elector.is_leader
    clock.advance(1)
    running.join()
    assert diary.lines[-1] == "stops term 0 of 'a'"


def test_running_ends_when_somebody_else_gives_the_lease_back(
    lock: FaultyLock, clock: ManualClock
) -> None:
    running = Running(elector(lock, clock), clock)
    running.elector.release()
    running.join()


def test_running_ends_with_what_a_callback_raises_and_gives_the_lease_back(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    def fail(_: Term) -> None:
        raise RuntimeError

    callbacks = evolve(diary.callbacks, on_started_leading=fail)
    leader = elector(lock, clock, callbacks=callbacks, release_on_stop=True)
    with pytest.raises(RuntimeError):
        leader.run(Event())
    assert record_in(lock).holder_identity == ""
    assert diary.lines == ["stops term 0 of 'a'"]


def test_nothing_is_begun_once_it_is_stopped(lock: FaultyLock, clock: ManualClock) -> None:
    stop = Event()
    stop.set()
    elector(lock, clock).run(stop)
    assert lock.get() is None


# -- when the next step is due ---------------------------------------------------------------------


def test_a_leader_and_a_candidate_step_each_period(lock: FaultyLock, clock: ManualClock) -> None:
    leader, second = elector(lock, clock), elector(lock, clock, "b")
    assert leader.next_step_at == 0.0
    leader.step()
    second.step()
    assert (leader.next_step_at, second.next_step_at) == (2.0, 2.0)


def test_a_leader_steps_at_its_deadline_if_that_comes_sooner(
    lock: FaultyLock, clock: ManualClock
) -> None:
    leader = elector(lock, clock)
    leader.step()
    lock.fault = "get"
    clock.advance(9)
    leader.step()
    assert leader.next_step_at == 10.0


def test_jitter_makes_candidates_wait_longer_but_never_a_leader(
    lock: FaultyLock, clock: ManualClock
) -> None:
    leader = elector(lock, clock, jitter=lambda: 0.5)
    second = elector(lock, clock, "b", jitter=lambda: 0.5)
    leader.step()
    second.step()
    assert leader.next_step_at == 2.0
    assert second.next_step_at == 2.0 * (1 + 0.5 * 1.2)
