"""One leader at a time: what a candidate does, step by step."""

import pytest

from kubesched.runtime import (
    DeposedError,
    ElectionTiming,
    InMemoryLeaseLock,
    LeaseConflictError,
    LeaseRecord,
    ManualClock,
    Term,
)
from tests.runtime.leader_election.elections import (
    Diary,
    Fault,
    FaultyLock,
    LockIsDownError,
    each_fault,
    elector,
    record_in,
)

# -- to acquire ------------------------------------------------------------------------------------


def test_the_first_who_comes_leads(lock: FaultyLock, clock: ManualClock, diary: Diary) -> None:
    clock.advance(100)
    first = elector(lock, clock, diary=diary)
    assert (first.is_leader, first.term, first.leader) == (False, None, "")
    assert first.step()
    assert (first.is_leader, first.term, first.leader) == (True, Term("a", 0), "a")
    assert record_in(lock) == LeaseRecord(
        holder_identity="a", lease_duration=15.0, acquire_time=100.0, renew_time=100.0
    )
    assert diary.lines == ["starts term 0 of 'a'", "sees a"]


def test_the_second_waits_until_the_lease_is_over(lock: FaultyLock, clock: ManualClock) -> None:
    elector(lock, clock).step()
    diary = Diary()
    second = elector(lock, clock, "b", diary)
    assert not second.step()
    clock.advance(14.9)
    assert not second.step()
    clock.advance(0.1)
    assert second.step()
    assert diary.lines == ["sees a", "starts term 1 of 'b'", "sees b"]


def test_a_candidate_waits_from_when_it_saw_the_lease_first(
    lock: FaultyLock, clock: ManualClock
) -> None:
    elector(lock, clock).step()
    clock.advance(1000)
    late = elector(lock, clock, "late")
    assert not late.step()
    clock.advance(15)
    assert late.step()


def test_any_write_begins_the_wait_anew_even_if_the_record_is_the_same(
    lock: FaultyLock, clock: ManualClock
) -> None:
    stopped = ManualClock()
    leader, second = elector(lock, stopped), elector(lock, clock, "b")
    for _ in range(10):
        leader.step()
        assert not second.step()
        clock.advance(14)


@pytest.mark.parametrize("start", [0.0, 1e9], ids=["clocks that agree", "one years ahead"])
def test_what_clocks_show_does_not_matter(
    lock: FaultyLock, clock: ManualClock, start: float
) -> None:
    ahead = ManualClock(start)
    leader, second = elector(lock, clock), elector(lock, ahead, "b")
    assert (leader.step(), second.step()) == (True, False)
    for each in (clock, ahead):
        each.advance(14)
    assert (leader.is_leader, second.step()) == (False, False)
    ahead.advance(1)
    assert second.step()


def test_the_holder_says_for_how_long_its_lease_is_good(
    lock: FaultyLock, clock: ManualClock
) -> None:
    elector(lock, clock, timing=ElectionTiming(lease_duration=60.0)).step()
    second = elector(lock, clock, "b")
    second.step()
    clock.advance(59)
    assert not second.step()
    clock.advance(1)
    assert second.step()
    assert record_in(lock).lease_duration == 15.0


def test_a_lease_that_nobody_holds_is_taken_at_once(lock: FaultyLock, clock: ManualClock) -> None:
    lock.put(LeaseRecord(holder_identity="", lease_duration=15.0, lease_transitions=41), None)
    candidate = elector(lock, clock)
    assert candidate.step()
    assert candidate.term == Term("a", 42)


def test_who_comes_back_under_the_same_name_waits_like_anybody(
    lock: FaultyLock, clock: ManualClock
) -> None:
    before, after = elector(lock, clock), elector(lock, clock)
    assert (before.step(), after.step()) == (True, False)
    clock.advance(15)
    assert after.step()
    assert after.term == Term("a", 1)
    assert not before.step()


def test_who_is_slower_than_another_does_not_lead(lock: FaultyLock, clock: ManualClock) -> None:
    quick = elector(lock.inner, clock, "quick")
    slow = elector(lock, clock, "slow")
    lock.meanwhile = quick.step
    assert not slow.step()
    assert quick.is_leader
    assert isinstance(slow.failure, LeaseConflictError)


def test_a_lease_that_took_too_long_to_acquire_is_not_used(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    lock.meanwhile = lambda: clock.advance(10)
    candidate = elector(lock, clock, diary=diary)
    assert not candidate.step()
    assert diary.lines == ["sees a"]
    assert candidate.step()
    assert candidate.term == Term("a", 1)


@each_fault
def test_a_candidate_that_cannot_reach_the_lock_tries_again(
    lock: FaultyLock, clock: ManualClock, fault: Fault
) -> None:
    candidate = elector(lock, clock)
    lock.fault = fault
    assert not candidate.step()
    assert isinstance(candidate.failure, LockIsDownError)
    lock.fault = "none"
    assert candidate.step() == (fault != "after put")
    assert candidate.failure is None


def test_who_cannot_know_whether_it_acquired_the_lease_waits_like_anybody(
    lock: FaultyLock, clock: ManualClock
) -> None:
    candidate = elector(lock, clock)
    lock.fault = "after put"
    candidate.step()
    lock.fault = "none"
    assert not candidate.step()
    clock.advance(15)
    assert candidate.step()
    assert candidate.term == Term("a", 1)


def test_tokens_grow_even_if_the_lease_is_deleted(lock: FaultyLock, clock: ManualClock) -> None:
    lock.put(LeaseRecord(holder_identity="", lease_duration=15.0, lease_transitions=41), None)
    diary = Diary()
    leader = elector(lock, clock, diary=diary)
    leader.step()
    lock.inner = InMemoryLeaseLock()
    assert not leader.step()
    assert leader.step()
    assert [line for line in diary.lines if "sees" not in line] == [
        "starts term 42 of 'a'",
        "stops term 42 of 'a'",
        "starts term 43 of 'a'",
    ]


# -- to renew --------------------------------------------------------------------------------------


def test_a_leader_that_renews_leads_on_in_the_same_term(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    leader = elector(lock, clock, diary=diary)
    for _ in range(20):
        assert leader.step()
        clock.advance(9)
    record = record_in(lock)
    assert (record.acquire_time, record.renew_time, record.lease_transitions) == (0.0, 171.0, 0)
    assert diary.lines == ["starts term 0 of 'a'", "sees a"]


def test_a_leader_stops_at_its_deadline_whether_it_steps_or_not(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    leader = elector(lock, clock, diary=diary)
    leader.step()
    clock.advance(9.9)
    assert leader.is_leader
    clock.advance(0.1)
    assert leader.term is None
    assert "stops term 0 of 'a'" not in diary.lines
    assert not leader.step()
    assert diary.lines[-1] == "stops term 0 of 'a'"


@each_fault
def test_a_leader_that_cannot_renew_stops_before_others_may_lead(
    lock: FaultyLock, clock: ManualClock, fault: Fault
) -> None:
    leader, second = elector(lock, clock), elector(lock.inner, clock, "b")
    assert (leader.step(), second.step()) == (True, False)
    lock.fault = fault
    while not second.step():
        assert leader.leader == "a"
        leader.step()
        clock.advance(1)
        if fault == "after put" and clock.now() == 10:
            lock.fault = "before put"
    assert not leader.is_leader
    assert clock.now() >= 15


@each_fault
def test_a_fault_that_passes_in_time_ends_no_term(
    lock: FaultyLock, clock: ManualClock, diary: Diary, fault: Fault
) -> None:
    leader = elector(lock, clock, diary=diary)
    leader.step()
    lock.fault = fault
    for _ in range(4):
        clock.advance(2)
        assert leader.step()
    lock.fault = "none"
    clock.advance(1.9)
    assert leader.step()
    clock.advance(9.9)
    assert leader.is_leader
    assert diary.lines == ["starts term 0 of 'a'", "sees a"]


def test_a_renewal_counts_from_when_it_was_begun(lock: FaultyLock, clock: ManualClock) -> None:
    leader = elector(lock, clock)
    leader.step()
    lock.meanwhile = lambda: clock.advance(4)
    assert leader.step()
    clock.advance(5.9)
    assert leader.is_leader
    clock.advance(0.1)
    assert not leader.is_leader


def test_a_renewal_that_took_too_long_ends_the_term(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    leader = elector(lock, clock, diary=diary)
    leader.step()
    lock.meanwhile = lambda: clock.advance(12)
    assert not leader.step()
    assert diary.lines[-1] == "stops term 0 of 'a'"


def test_who_led_last_and_finds_the_lease_its_own_begins_a_new_term_at_once(
    lock: FaultyLock, clock: ManualClock, diary: Diary
) -> None:
    leader = elector(lock, clock, diary=diary)
    leader.step()
    clock.advance(11)
    assert not leader.step()
    assert leader.step()
    assert leader.term == Term("a", 1)
    assert diary.lines == [
        "starts term 0 of 'a'",
        "sees a",
        "stops term 0 of 'a'",
        "starts term 1 of 'a'",
    ]


def test_a_clock_that_jumps_costs_the_leader_its_term_at_most(
    lock: FaultyLock, clock: ManualClock
) -> None:
    leader = elector(lock, clock)
    leader.step()
    clock.advance(1e12)
    assert not leader.is_leader
    assert not leader.step()
    assert leader.step()


def test_a_deposed_leader_sees_who_leads_instead(lock: FaultyLock, clock: ManualClock) -> None:
    fast, diary = ManualClock(), Diary()
    leader, usurper = elector(lock, clock, diary=diary), elector(lock, fast, "b")
    leader.step()
    usurper.step()
    fast.advance(15)
    assert usurper.step()
    assert leader.is_leader
    assert not leader.step()
    assert isinstance(leader.failure, DeposedError)
    assert diary.lines == ["starts term 0 of 'a'", "sees a", "stops term 0 of 'a'", "sees b"]
