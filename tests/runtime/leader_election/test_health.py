"""A leader whose steps are not made is unwell."""

import pytest

from kubesched.runtime import LeaderHealth, LeaseOverdueError, ManualClock, healthz
from tests.runtime.leader_election.elections import FaultyLock, elector


def test_a_leader_whose_steps_are_not_made_is_unwell(lock: FaultyLock, clock: ManualClock) -> None:
    health, leader = LeaderHealth(tolerance=20.0), elector(lock, clock)
    health.check()
    health.watch(leader)
    leader.step()
    clock.advance(35)
    health.check()
    clock.advance(0.5)
    with pytest.raises(LeaseOverdueError) as raised:
        health.check()
    assert str(raised.value) == "'a' has not renewed its lease, over for 20.5 s"
    assert (raised.value.identity, raised.value.seconds) == ("a", 20.5)
    assert healthz({health.name: health.check}).status == 500
    leader.step()
    health.check()


def test_who_does_not_lead_is_well(lock: FaultyLock, clock: ManualClock) -> None:
    elector(lock, clock).step()
    health, second = LeaderHealth(tolerance=0.0), elector(lock, clock, "b")
    health.watch(second)
    second.step()
    clock.advance(1000)
    health.check()
    assert second.seconds_overdue == 0.0
