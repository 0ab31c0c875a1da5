from collections.abc import Callable

import pytest
from attrs import evolve

from kubesched.builders import pod
from kubesched.model import Pod
from kubesched.runtime import ManualClock, PriorityQueue

WEB = pod("shop/web")
DATABASE = pod("shop/database", priority=10)
LABELLED = evolve(WEB, metadata=evolve(WEB.metadata, labels={"tier": "front"}))
PROMISED = evolve(WEB, status=evolve(WEB.status, nominated_node_name="worker-1"))


@pytest.fixture
def queue() -> PriorityQueue:
    return PriorityQueue(ManualClock())


def test_a_pod_says_itself_which_node_it_was_promised(queue: PriorityQueue) -> None:
    queue.add(PROMISED)
    assert queue.nominated_pods("worker-1") == (PROMISED,)


def test_what_was_noted_counts_more_than_what_the_pod_says(queue: PriorityQueue) -> None:
    queue.add(PROMISED)
    queue.nominate(PROMISED, "worker-2")
    assert queue.nominated_pods("worker-1") == ()
    assert queue.nominated_pods("worker-2") == (PROMISED,)


def test_who_is_being_tried_stays_nominated(queue: PriorityQueue) -> None:
    queue.add(PROMISED)
    queue.pop()
    assert queue.nominated_pods("worker-1") == (PROMISED,)


@pytest.mark.parametrize("end", [PriorityQueue.delete, PriorityQueue.withdraw_nomination])
def test_a_nomination_ends(queue: PriorityQueue, end: Callable[[PriorityQueue, Pod], None]) -> None:
    queue.add(PROMISED)
    queue.add(DATABASE)
    queue.nominate(DATABASE, "worker-1")
    end(queue, PROMISED)
    assert queue.nominated_pods("worker-1") == (DATABASE,)


@pytest.mark.parametrize(
    ("before", "after", "node_name"),
    [
        pytest.param(WEB, LABELLED, "worker-2", id="not told yet: what was noted stands"),
        pytest.param(WEB, PROMISED, "worker-1", id="told of another: that one counts"),
        pytest.param(PROMISED, WEB, None, id="told that there is none any more: so it is"),
    ],
)
def test_a_changed_pod_is_promised(
    queue: PriorityQueue, before: Pod, after: Pod, node_name: str | None
) -> None:
    queue.add(before)
    queue.nominate(before, "worker-2")
    queue.update(before, after)
    nodes = [name for name in ("worker-1", "worker-2") if queue.nominated_pods(name) == (after,)]
    assert nodes == ([node_name] if node_name else [])
