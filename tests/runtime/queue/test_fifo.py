import pytest
from attrs import evolve

from kubesched.builders import pod
from kubesched.runtime import FIFO, ManualClock, SchedulingQueue

WEB = pod("web")
DATABASE = pod("database", priority=10)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def queue(clock: ManualClock) -> FIFO:
    return FIFO(clock)


def names(queue: SchedulingQueue) -> list[str]:
    return [waiting.name for waiting in queue.pending()]


def fail_once(queue: FIFO) -> None:
    queued = queue.pop(block=False)
    assert queued is not None
    queue.add_unschedulable(queued.pod, queued.cycle)


def test_first_in_first_out_whatever_the_priority(queue: FIFO) -> None:
    queue.add(WEB)
    queue.add(DATABASE)
    assert names(queue) == ["web", "database"]


def test_who_found_no_place_is_tried_after_its_backoff_whatever_happens(
    queue: FIFO, clock: ManualClock
) -> None:
    queue.add(WEB)
    fail_once(queue)
    assert queue.part_of(WEB) == "backoff"
    queue.move_all()
    queue.assigned_pod_added(DATABASE)
    queue.assigned_pod_updated(DATABASE)
    assert queue.part_of(WEB) == "backoff"
    clock.advance(1)
    queue.flush()
    assert queue.part_of(WEB) == "active"


def test_who_comes_back_stands_behind_those_who_came_before_its_backoff_was_over(
    queue: FIFO, clock: ManualClock
) -> None:
    queue.add(WEB)
    fail_once(queue)
    queue.add(pod("early"))
    clock.advance(2)
    queue.add(pod("late"))
    queue.flush()
    assert names(queue) == ["early", "web", "late"]


def test_a_change_keeps_the_place(queue: FIFO) -> None:
    queue.add(WEB)
    queue.add(DATABASE)
    changed = evolve(WEB, metadata=evolve(WEB.metadata, labels={"tier": "front"}))
    queue.update(WEB, changed)
    assert queue.pending() == (changed, DATABASE)


def test_nominations_are_not_kept(queue: FIFO) -> None:
    queue.add(WEB)
    queue.nominate(WEB, "worker-1")
    assert queue.nominated_pods("worker-1") == ()
    queue.withdraw_nomination(WEB)
