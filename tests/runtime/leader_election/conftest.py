"""What every test of an election begins with."""

import pytest

from kubesched.runtime import ManualClock
from tests.runtime.leader_election.elections import Diary, FaultyLock


@pytest.fixture
def lock() -> FaultyLock:
    return FaultyLock()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def diary() -> Diary:
    return Diary()
