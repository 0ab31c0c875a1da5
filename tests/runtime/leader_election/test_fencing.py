"""Who leads no more binds no more."""

from collections.abc import Callable

import pytest
from attrs import define, field

from kubesched.builders import pod
from kubesched.errors import KubeschedError
from kubesched.model import Binding
from kubesched.runtime import (
    DeposedError,
    FencedBinder,
    InMemoryLeaseLock,
    LeaderElector,
    ManualClock,
    StoredLease,
    Term,
)
from tests.runtime.leader_election.elections import FaultyLock, LockIsDownError, elector, term_of

BINDING = Binding.of(pod("web-1"), "worker-1")


@define(eq=False)
class Bound:
    """A binder that takes note."""

    bindings: list[Binding] = field(factory=list)

    def bind(self, binding: Binding, /) -> None:
        self.bindings.append(binding)


def test_who_leads_may_bind(lock: FaultyLock, clock: ManualClock) -> None:
    leader, binder = elector(lock, clock), Bound()
    leader.step()
    FencedBinder(binder, leader, term_of(leader)).bind(BINDING)
    assert binder.bindings == [BINDING]


@define(eq=False)
class Scene:
    """A leader, and what can befall it."""

    leader: LeaderElector
    lock: FaultyLock
    clock: ManualClock

    def somebody_takes_the_lease(self) -> None:
        """Somebody whose clock runs too fast does, and the leader does not know."""
        fast = ManualClock()
        usurper = elector(self.lock, fast, "b")
        usurper.step()
        fast.advance(15)
        assert usurper.step()
        assert self.leader.is_leader

    def a_later_term_begins(self) -> None:
        self.clock.advance(10)
        assert not self.leader.step()
        assert self.leader.step()

    def the_leader_sleeps(self) -> None:
        self.clock.advance(10)

    def the_leader_resigns(self) -> None:
        self.leader.release()

    def the_lease_is_deleted(self) -> None:
        self.lock.inner = InMemoryLeaseLock()


@pytest.mark.parametrize(
    ("happens", "says"),
    [
        pytest.param(Scene.somebody_takes_the_lease, "'b' leads", id="somebody else leads"),
        pytest.param(Scene.a_later_term_begins, "'a' leads", id="it leads in a later term"),
        pytest.param(Scene.the_leader_sleeps, "nobody leads", id="it did not renew in time"),
        pytest.param(Scene.the_leader_resigns, "nobody leads", id="it gave the lease back"),
        pytest.param(Scene.the_lease_is_deleted, "nobody leads", id="the lease is gone"),
    ],
)
def test_whose_term_is_over_binds_nothing(
    lock: FaultyLock, clock: ManualClock, happens: Callable[[Scene], None], says: str
) -> None:
    leader, binder = elector(lock, clock), Bound()
    leader.step()
    fenced = FencedBinder(binder, leader, term_of(leader))
    happens(Scene(leader, lock, clock))
    with pytest.raises(DeposedError) as raised:
        fenced.bind(BINDING)
    assert str(raised.value) == f"term 0 of 'a' is over: {says}"
    assert isinstance(raised.value, KubeschedError)
    assert raised.value.term == Term("a", 0)
    assert binder.bindings == []


def test_the_clock_is_asked_after_the_lock_which_may_take_long(clock: ManualClock) -> None:
    class SlowLock(InMemoryLeaseLock):
        def get(self) -> StoredLease | None:
            clock.advance(6)
            return super().get()

    leader, binder = elector(SlowLock(), clock), Bound()
    leader.step()
    assert leader.is_leader
    with pytest.raises(DeposedError):
        FencedBinder(binder, leader, Term("a", 0)).bind(BINDING)
    assert binder.bindings == []


def test_what_cannot_be_confirmed_is_not_bound(lock: FaultyLock, clock: ManualClock) -> None:
    leader, binder = elector(lock, clock), Bound()
    leader.step()
    lock.fault = "get"
    with pytest.raises(LockIsDownError):
        FencedBinder(binder, leader, term_of(leader)).bind(BINDING)
    assert binder.bindings == []


def test_what_the_binder_raises_comes_out(lock: FaultyLock, clock: ManualClock) -> None:
    class Refusing:
        def bind(self, binding: Binding, /) -> None:
            raise OSError(binding.key)

    leader = elector(lock, clock)
    leader.step()
    with pytest.raises(OSError, match="web-1"):
        FencedBinder(Refusing(), leader, term_of(leader)).bind(BINDING)
