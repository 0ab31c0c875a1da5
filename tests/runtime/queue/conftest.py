"""What every test of a queue begins with."""

import pytest

from kubesched.runtime import ManualClock, PriorityQueue


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def queue(clock: ManualClock) -> PriorityQueue:
    return PriorityQueue(clock)
