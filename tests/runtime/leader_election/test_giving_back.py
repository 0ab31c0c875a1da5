"""A leader gives its lease back, and tells what it does."""

from collections.abc import Callable

import pytest

from kubesched.runtime import (
    LeaderCallbacks,
    ManualClock,
    Term,
)
from tests.runtime.leader_election.elections import (
    Diary,
    Fault,
    FaultyLock,
    each_fault,
    elector,
    record_in,
)

# -- to give back ----------------------------------------------------------------------------------


def test_a_lease_that_is_given_back_is_taken_at_once(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    leader, second = elector(lock, clock, diary=diary), elector(lock, clock, "b")
    assert (leader.step(), second.step()) == (True, False)
    assert leader.release()
    assert (leader.is_leader, leader.leader) == (False, "")
    assert second.step()
    assert second.term == Term("b", 1)
    assert diary.lines[-1] == "stops term 0 of 'a'"


def test_a_leader_has_stopped_before_it_gives_the_lease_back(
    lock: FaultyLock, clock: ManualClock
) -> None:
    held: list[str] = []
    callbacks = LeaderCallbacks(
        on_stopped_leading=lambda _: held.append(record_in(lock).holder_identity)
    )
    leader = elector(lock, clock, callbacks=callbacks)
    leader.step()
    leader.release()
    assert held == ["a"]
    assert record_in(lock).holder_identity == ""


def test_who_stopped_at_its_deadline_can_still_give_the_lease_back(
    lock: FaultyLock, clock: ManualClock
) -> None:
    leader, second = elector(lock, clock), elector(lock, clock, "b")
    assert (leader.step(), second.step()) == (True, False)
    clock.advance(11)
    leader.step()
    assert leader.release()
    assert second.step()


def test_nobody_gives_back_what_is_not_its_own(lock: FaultyLock, clock: ManualClock) -> None:
    candidate = elector(lock, clock, "b")
    assert candidate.release()
    elector(lock, clock).step()
    candidate.step()
    assert candidate.release()
    assert record_in(lock).holder_identity == "a"


@each_fault
def test_if_it_cannot_be_given_back_the_leader_has_stopped_all_the_same(
    lock: FaultyLock, clock: ManualClock, diary: Diary, fault: Fault
) -> None:
    leader = elector(lock, clock, diary=diary)
    leader.step()
    lock.fault = fault
    assert not leader.release()
    assert not leader.is_leader
    assert diary.lines[-1] == "stops term 0 of 'a'"


# -- callbacks -------------------------------------------------------------------------------------


def test_a_new_leader_is_told_once_for_each_change(lock: FaultyLock, clock: ManualClock) -> None:
    a, b = elector(lock, clock, "a"), elector(lock, clock, "b")
    diary = Diary()
    watcher = elector(lock, clock, "c", diary)
    for leader, rival in ((a, b), (b, a), (a, b)):
        leader.step()
        watcher.step()
        rival.step()
        watcher.step()
        leader.release()
    assert diary.lines == ["sees a", "sees b", "sees a"]


def test_what_a_callback_raises_comes_out_and_the_state_stays_whole(
    lock: FaultyLock, clock: ManualClock
) -> None:
    def fail(term: Term) -> None:
        raise RuntimeError(f"not ready for {term}")

    leader = elector(lock, clock, callbacks=LeaderCallbacks(on_started_leading=fail))
    with pytest.raises(RuntimeError, match="not ready"):
        leader.step()
    assert leader.is_leader
    assert leader.release()
    assert record_in(lock).holder_identity == ""


def test_a_callback_may_give_the_lease_back(lock: FaultyLock, clock: ManualClock) -> None:
    leader = elector(lock, clock, callbacks=LeaderCallbacks(on_started_leading=lambda _: give()))
    give: Callable[[], object] = leader.release
    assert not leader.step()
    assert record_in(lock).holder_identity == ""
