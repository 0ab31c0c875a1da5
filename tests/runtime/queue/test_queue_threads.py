"""Threads that wait for a pod, and those that bring it."""

from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile

import pytest

from kubesched.builders import pod
from kubesched.model import Pod
from kubesched.runtime import (
    FIFO,
    Backoff,
    ManualClock,
    PriorityQueue,
    QueuedPod,
    RealClock,
    SchedulingQueue,
)
from tests.runtime.queue.trying import DATABASE, LABELLED, WEB, fail, popped


@pytest.mark.parametrize("kind", [PriorityQueue, FIFO])
def test_who_waits_gets_what_is_added(kind: type[PriorityQueue | FIFO], clock: ManualClock) -> None:
    queue = kind(clock)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(queue.pop)
        clock.await_waiting()
        queue.add(WEB)
        assert waiting.result() == QueuedPod(WEB, added_at=0, attempts=0, cycle=1)


def test_who_waits_gets_what_is_moved(queue: PriorityQueue, clock: ManualClock) -> None:
    queue.add(WEB)
    fail(queue)
    clock.advance(1)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(queue.pop)
        clock.await_waiting()
        queue.move_all()
        queued = waiting.result()
    assert queued is not None
    assert queued.attempts == 1


def test_who_waits_gets_what_is_changed(queue: PriorityQueue, clock: ManualClock) -> None:
    queue.add(WEB)
    fail(queue)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(queue.pop)
        clock.await_waiting()
        queue.update(WEB, LABELLED)
        queued = waiting.result()
    assert queued is not None
    assert queued.pod is LABELLED


@pytest.mark.parametrize("kind", [PriorityQueue, FIFO])
def test_who_waits_gets_what_time_makes_ready(
    kind: type[PriorityQueue | FIFO], clock: ManualClock
) -> None:
    queue = kind(clock)
    queue.add(WEB)
    tried = popped(queue)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(queue.pop)
        clock.await_waiting()
        queue.move_all()
        queue.add_unschedulable(tried.pod, tried.cycle)
        clock.advance(0.5)
        clock.await_waiting()
        assert not waiting.done()
        clock.advance(0.5)
        assert waiting.result() == QueuedPod(WEB, added_at=0, attempts=1, cycle=2)


def test_who_waits_on_the_real_clock_gets_what_time_makes_ready() -> None:
    queue = PriorityQueue(RealClock(), backoff=Backoff(0.01, 0.01))
    queue.add(WEB)
    tried = popped(queue)
    queue.move_all()
    queue.add_unschedulable(tried.pod, tried.cycle)
    queued = queue.pop()
    assert queued is not None
    assert queued.pod is WEB


@pytest.mark.parametrize("kind", [PriorityQueue, FIFO])
def test_closing_lets_go_all_who_wait(kind: type[PriorityQueue | FIFO], clock: ManualClock) -> None:
    queue = kind(clock)
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(queue.pop) for _ in range(2)]
        clock.await_waiting(2)
        queue.close()
        assert [each.result() for each in waiting] == [None, None]


def test_a_closed_queue_lets_out_nothing_but_knows_what_is_in_it(queue: PriorityQueue) -> None:
    queue.add(WEB)
    queue.close()
    assert queue.pop() is None
    queue.add(DATABASE)
    assert queue.pending() == (DATABASE, WEB)
    assert len(queue) == 2


@pytest.mark.parametrize("kind", [PriorityQueue, FIFO])
def test_each_pod_goes_to_one_of_many_threads(kind: type[PriorityQueue | FIFO]) -> None:
    queue = kind()
    pods = [pod(f"p{n}") for n in range(200)]

    def take_until_the_end() -> list[QueuedPod]:
        taken = iter(queue.pop, None)
        return list(takewhile(lambda queued: not queued.pod.name.startswith("end"), taken))

    with ThreadPoolExecutor(6) as pool:
        takers = [pool.submit(take_until_the_end) for _ in range(3)]
        adders = [pool.submit(add_all, queue, pods[start::3]) for start in range(3)]
        for adder in adders:
            adder.result()
        add_all(queue, [pod(f"end{n}", priority=-1) for n in range(3)])
        taken = [queued for taker in takers for queued in taker.result()]
    assert sorted(queued.pod.name for queued in taken) == sorted(each.name for each in pods)
    assert len({queued.cycle for queued in taken}) == 200
    assert queue.cycle == 203
    queue._check()


def add_all(queue: SchedulingQueue, pods: list[Pod]) -> None:
    for each in pods:
        queue.add(each)
