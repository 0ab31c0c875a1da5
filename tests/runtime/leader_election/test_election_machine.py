"""What holds of several candidates whatever fails, stands still, jumps or comes back."""

from collections.abc import Callable
from itertools import pairwise

from attrs import define, field
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kubesched.builders import pod
from kubesched.model import Binding
from kubesched.runtime import (
    DeposedError,
    FencedBinder,
    InMemoryLeaseLock,
    LeaderCallbacks,
    LeaderElector,
    ManualClock,
    Term,
)
from tests.runtime.leader_election.elections import FAULTS, Fault, FaultyLock

BINDING = Binding.of(pod("web-1"), "worker-1")
NAMES = ("a", "b", "c")
MOST = 6

faults = st.sampled_from(FAULTS)
which = st.integers(0, MOST - 1)
some_seconds = st.sampled_from([0.5, 2.0, 4.9, 5.0, 9.9, 10.0, 15.0, 40.0])


@define(eq=False)
class Bound:
    """A binder that notes by which term it binds."""

    term: Term
    ledger: list[int]

    def bind(self, _: Binding, /) -> None:
        self.ledger.append(self.term.token)


@define(eq=False)
class Candidate:
    """An elector with its own clock and its own way to the lock, and the terms that it had."""

    name: str
    lock: FaultyLock
    clock: ManualClock
    elector: LeaderElector = field(init=False)
    started: Callable[["Candidate", Term], None]
    running: Term | None = None

    def __attrs_post_init__(self) -> None:
        self.elector = LeaderElector(
            lock=self.lock,
            identity=self.name,
            clock=self.clock,
            callbacks=LeaderCallbacks(on_started_leading=self.start, on_stopped_leading=self.stop),
        )

    def start(self, term: Term) -> None:
        assert self.running is None
        self.running = term
        self.started(self, term)

    def stop(self, term: Term) -> None:
        assert self.running == term
        self.running = None

    def leads_by_the_lock(self) -> bool:
        term = self.elector.term
        if term is None:
            return False
        try:
            self.elector.confirm(term)
        except DeposedError:
            return False
        return True


class Election(RuleBasedStateMachine):
    """Candidates step, sleep, fail and come back; no clock is faster than another."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = InMemoryLeaseLock()
        self.candidates: list[Candidate] = []
        self.tokens: list[int] = []
        self.bound: list[int] = []
        self.fences: list[FencedBinder] = []
        for number, name in enumerate(NAMES):
            self.join(name, start=1000.0 * number)

    def join(self, name: str, start: float) -> None:
        lock, clock = FaultyLock(self.lock), ManualClock(start)
        self.candidates.append(Candidate(name, lock, clock, self.note))

    def note(self, candidate: Candidate, term: Term) -> None:
        self.tokens.append(term.token)
        self.fences.append(FencedBinder(Bound(term, self.bound), candidate.elector, term))

    def candidate(self, number: int) -> Candidate:
        return self.candidates[number % len(self.candidates)]

    def pass_time(self, seconds: float) -> None:
        for each in self.candidates:
            each.clock.advance(seconds)

    @rule(seconds=some_seconds)
    def nothing_happens(self, seconds: float) -> None:
        self.pass_time(seconds)

    @rule(number=which, fault=faults)
    def step(self, number: int, fault: Fault) -> None:
        candidate = self.candidate(number)
        candidate.lock.fault = fault
        assert candidate.elector.step() == candidate.elector.is_leader
        candidate.lock.fault = "none"

    @rule()
    def all_do_as_they_should_for_a_while(self) -> None:
        for _ in range(4):
            for each in self.candidates:
                each.elector.step()
            self.pass_time(2.0)

    @rule(number=which, seconds=some_seconds, fault=faults)
    def step_slowly(self, number: int, seconds: float, fault: Fault) -> None:
        self.candidate(number).lock.meanwhile = lambda: self.pass_time(seconds)
        self.step(number, fault)
        self.candidate(number).lock.meanwhile = lambda: None

    @rule(number=which, other=which, seconds=some_seconds)
    def step_while_another_does(self, number: int, other: int, seconds: float) -> None:
        def meanwhile() -> None:
            self.pass_time(seconds)
            self.candidate(other).elector.step()

        if self.candidate(number) is not self.candidate(other):
            self.candidate(number).lock.meanwhile = meanwhile
            self.step(number, "none")
            self.candidate(number).lock.meanwhile = lambda: None

    @rule(number=which, fault=faults)
    def release(self, number: int, fault: Fault) -> None:
        candidate = self.candidate(number)
        candidate.lock.fault = fault
        candidate.elector.release()
        candidate.lock.fault = "none"
        assert not candidate.elector.is_leader

    @precondition(lambda self: any(each.leads_by_the_lock() for each in self.candidates))
    @rule(heir=which)
    def what_is_released_is_taken_at_once(self, heir: int) -> None:
        leader = next(each for each in self.candidates if each.leads_by_the_lock())
        assert leader.elector.release()
        self.candidate(heir).elector.step()  # it may first have to learn that its own term is over
        assert self.candidate(heir).elector.step()

    @precondition(lambda self: len(self.candidates) < MOST)
    @rule(name=st.sampled_from(NAMES), start=some_seconds)
    def somebody_comes_back_under_the_same_name(self, name: str, start: float) -> None:
        self.join(name, start)

    @precondition(lambda self: self.fences)
    @rule(data=st.data())
    def bind_late(self, data: st.DataObject) -> None:
        fence = data.draw(st.sampled_from(self.fences))
        stored = self.lock.get()
        assert stored is not None
        may = fence.elector.term == fence.term and fence.term.is_held_in(stored.record)
        before = len(self.bound)
        try:
            fence.bind(BINDING)
        except DeposedError:
            assert not may
        assert len(self.bound) == before + may

    @invariant()
    def at_most_one_leads_by_the_lock(self) -> None:
        assert sum(each.leads_by_the_lock() for each in self.candidates) <= 1

    @invariant()
    def tokens_grow_with_each_term(self) -> None:
        assert all(before < after for before, after in pairwise(self.tokens))

    @invariant()
    def nothing_is_bound_by_an_earlier_term_than_what_was_bound_before(self) -> None:
        assert self.bound == sorted(self.bound)

    @invariant()
    def who_leads_has_started_that_term_and_not_stopped_it(self) -> None:
        for each in self.candidates:
            assert each.elector.term in {None, each.running}


class ElectionByEvenClocks(Election):
    """Where clocks run alike, who believes that it leads is right."""

    @invariant()
    def who_believes_that_it_leads_holds_the_lease(self) -> None:
        stored = self.lock.get()
        for each in self.candidates:
            term = each.elector.term
            assert term is None or (stored is not None and term.is_held_in(stored.record))


class ElectionByClocksThatJump(Election):
    """Where clocks jump two may believe that they lead, but never with the same token."""

    @rule(number=which, seconds=some_seconds)
    def a_clock_jumps(self, number: int, seconds: float) -> None:
        self.candidate(number).clock.advance(seconds)


ElectionByEvenClocks.TestCase.settings = ElectionByClocksThatJump.TestCase.settings = settings(
    max_examples=60, stateful_step_count=30, deadline=None
)
TestElectionByEvenClocks = ElectionByEvenClocks.TestCase
TestElectionByClocksThatJump = ElectionByClocksThatJump.TestCase
