from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import pod
from kubesched.model import (
    Affinity,
    LabelSelector,
    LabelSelectorRequirement,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
)
from kubesched.runtime import Backoff, ManualClock, PriorityQueue, QueuedPod, SchedulingQueue
from tests.runtime.queue.trying import DATABASE, LABELLED, WEB, fail, popped

PROMISED = evolve(WEB, status=evolve(WEB.status, nominated_node_name="worker-1"))


def names(pods: Iterable[Pod]) -> list[str]:
    return [each.name for each in pods]


def drained(queue: SchedulingQueue) -> list[str]:
    out = []
    while queued := queue.pop(block=False):
        out.append(queued.pod.name)
    return out


# -- whose turn it is ------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([None, -1, 0, 5, 2**31 - 1, -(2**31)]), max_size=8))
def test_pods_come_by_priority_and_then_as_they_came(priorities: list[int | None]) -> None:
    queue = PriorityQueue(ManualClock())
    pods = [pod(f"p{n}", priority=priority) for n, priority in enumerate(priorities)]
    for each in pods:
        queue.add(each)
    assert drained(queue) == names(sorted(pods, key=lambda it: -it.priority))


def test_who_has_waited_longest_comes_first_among_equals(
    queue: PriorityQueue, clock: ManualClock
) -> None:
    queue.add(WEB)
    fail(queue)
    clock.advance(1)
    queue.add(pod("later"))
    queue.move_all()
    assert drained(queue) == ["web", "later"]


def test_who_is_added_again_begins_to_wait_anew(queue: PriorityQueue) -> None:
    queue.add(WEB)
    queue.add(pod("other"))
    queue.add(LABELLED)
    assert names(queue.pending()) == ["other", "web"]
    assert queue.pending()[1] is LABELLED


def test_a_pod_popped_says_how_it_came_there(queue: PriorityQueue, clock: ManualClock) -> None:
    queue.add(WEB)
    clock.advance(3)
    assert queue.pop() == QueuedPod(WEB, added_at=0, attempts=0, cycle=1)
    queue.add(WEB)
    assert queue.pop() == QueuedPod(WEB, added_at=3, attempts=1, cycle=2)
    assert queue.cycle == 2


def test_an_empty_queue_lets_out_nothing(queue: PriorityQueue) -> None:
    assert queue.pop(block=False) is None
    assert queue.cycle == 0


# -- who found no place ----------------------------------------------------------------------------


def test_who_found_no_place_stays_until_something_happens(
    queue: PriorityQueue, clock: ManualClock
) -> None:
    queue.add(WEB)
    fail(queue)
    clock.advance(59)
    assert queue.pop(block=False) is None
    assert queue.part_of(WEB) == "unschedulable"


@pytest.mark.parametrize(
    ("moves", "part"),
    [
        pytest.param("before", "unschedulable", id="a move before its cycle is known to it"),
        pytest.param("during", "backoff", id="a move in its cycle may have come too late for it"),
        pytest.param("after", "backoff", id="a move in a later cycle came too late for it"),
    ],
)
def test_a_move_counts_for_those_who_were_being_tried(
    queue: PriorityQueue, moves: str, part: str
) -> None:
    for each in (pod("first", priority=2), pod("second", priority=1), pod("third")):
        queue.add(each)
    popped(queue)
    if moves == "before":
        queue.move_all()
    tried = popped(queue)
    if moves == "during":
        queue.move_all()
    popped(queue)
    if moves == "after":
        queue.move_all()
    queue.add_unschedulable(tried.pod, tried.cycle)
    assert queue.part_of(tried.pod) == part


def test_before_the_first_cycle_nothing_has_moved(queue: PriorityQueue) -> None:
    queue.add_unschedulable(WEB, queue.cycle)
    assert queue.part_of(WEB) == "unschedulable"


def test_an_assigned_pod_that_moves_nobody_counts_as_a_move(queue: PriorityQueue) -> None:
    queue.add(WEB)
    tried = popped(queue)
    queue.assigned_pod_added(DATABASE)
    queue.add_unschedulable(tried.pod, tried.cycle)
    assert queue.part_of(WEB) == "backoff"


def test_a_move_lets_out_those_whose_backoff_is_over(
    queue: PriorityQueue, clock: ManualClock
) -> None:
    queue.add(WEB)
    fail(queue)
    clock.advance(0.5)
    queue.add(DATABASE)
    fail(queue)
    clock.advance(0.5)
    queue.move_all()
    assert queue.part_of(WEB) == "active"
    assert queue.part_of(DATABASE) == "backoff"
    assert queue.next_flush_at() == 1.5


def test_each_failure_doubles_the_backoff(queue: PriorityQueue, clock: ManualClock) -> None:
    queue.add(WEB)
    waited = []
    for _ in range(8):
        queued = popped(queue)
        queue.move_all()
        queue.add_unschedulable(queued.pod, queued.cycle)
        flush_at = queue.next_flush_at()
        assert flush_at is not None
        waited.append(flush_at - clock.now())
        clock.advance(flush_at - clock.now())
    assert waited == [1, 2, 4, 8, 16, 32, 60, 60]


def test_the_backoff_can_be_chosen(clock: ManualClock) -> None:
    queue = PriorityQueue(clock, backoff=Backoff(0.5, 10))
    queue.add(WEB)
    fail(queue)
    queue.move_all()
    assert queue.next_flush_at() == 0.5


def test_a_pod_that_is_gone_begins_anew_when_there_is_one_of_its_name(queue: PriorityQueue) -> None:
    queue.add(WEB)
    popped(queue)
    queue.delete(WEB)
    queue.add(WEB)
    assert popped(queue).attempts == 0


def test_after_a_minute_it_is_tried_again_in_any_case(
    queue: PriorityQueue, clock: ManualClock
) -> None:
    queue.add(WEB)
    fail(queue)
    assert queue.next_flush_at() == 60
    clock.advance(60)
    assert popped(queue).pod is WEB


def test_the_minute_does_not_shorten_a_longer_backoff(clock: ManualClock) -> None:
    queue = PriorityQueue(clock, backoff=Backoff(100, 100))
    queue.add(WEB)
    fail(queue)
    clock.advance(60)
    assert queue.pop(block=False) is None
    assert queue.part_of(WEB) == "backoff"
    assert queue.next_flush_at() == 100


def test_who_is_there_again_does_not_come_back(queue: PriorityQueue) -> None:
    queue.add(WEB)
    queued = popped(queue)
    queue.add(LABELLED)
    queue.add_unschedulable(queued.pod, queued.cycle)
    assert queue.pending() == (LABELLED,)
    assert queue.part_of(WEB) == "active"


# -- changes of pods -------------------------------------------------------------------------------


def waits_unschedulable(queue: PriorityQueue) -> None:
    queue.add(WEB)
    fail(queue)


def waits_in_backoff(queue: PriorityQueue) -> None:
    waits_unschedulable(queue)
    queue.move_all()


def is_being_tried(queue: PriorityQueue) -> None:
    queue.add(WEB)
    popped(queue)


def waits_active(queue: PriorityQueue) -> None:
    queue.add(WEB)


STATES = pytest.mark.parametrize(
    ("state", "part"),
    [
        pytest.param(waits_active, "active", id="active"),
        pytest.param(waits_in_backoff, "backoff", id="in its backoff"),
        pytest.param(waits_unschedulable, "unschedulable", id="unschedulable"),
        pytest.param(is_being_tried, None, id="being tried"),
    ],
)


@STATES
@pytest.mark.parametrize(
    "after",
    [
        pytest.param(LABELLED, id="labels"),
        pytest.param(evolve(WEB, spec=evolve(WEB.spec, priority=3)), id="its spec"),
        pytest.param(
            evolve(WEB, metadata=evolve(WEB.metadata, annotations={"a": "b"})), id="annotations"
        ),
        pytest.param(
            evolve(
                WEB,
                metadata=evolve(WEB.metadata, deletion_timestamp=datetime(2018, 10, 1, tzinfo=UTC)),
            ),
            id="being deleted",
        ),
    ],
)
def test_a_change_that_may_help_lets_it_be_tried_at_once(
    queue: PriorityQueue, state: Callable[[PriorityQueue], None], part: str | None, after: Pod
) -> None:
    state(queue)
    assert queue.part_of(WEB) == part
    queue.update(WEB, after)
    assert queue.part_of(WEB) == "active"
    assert popped(queue).pod is after


@STATES
@pytest.mark.parametrize(
    "after",
    [
        pytest.param(PROMISED, id="its status"),
        pytest.param(
            evolve(WEB, metadata=evolve(WEB.metadata, resource_version="7", generation=2)),
            id="its version",
        ),
    ],
)
def test_a_change_that_cannot_help_leaves_it_where_it_is(
    queue: PriorityQueue, state: Callable[[PriorityQueue], None], part: str | None, after: Pod
) -> None:
    state(queue)
    queue.update(WEB, after)
    assert queue.part_of(WEB) == part
    assert queue.pending() == ((after,) if part else ())


def test_a_change_of_priority_changes_the_turn_but_not_the_time(queue: PriorityQueue) -> None:
    important = evolve(WEB, spec=evolve(WEB.spec, priority=20))
    queue.add(WEB)
    queue.add(DATABASE)
    queue.update(WEB, important)
    assert queue.pending() == (important, DATABASE)


# -- pods that want to be near others --------------------------------------------------------------


def near(*terms: PodAffinityTerm) -> Affinity:
    return Affinity(pod_affinity=PodAffinity(required=terms))


def term(app: str, *namespaces: str) -> PodAffinityTerm:
    selector = LabelSelector(match_labels={"app": app})
    return PodAffinityTerm(label_selector=selector, namespaces=namespaces, topology_key="zone")


BROKEN = PodAffinityTerm(
    label_selector=LabelSelector(
        match_expressions=[LabelSelectorRequirement(key="a", operator="?")]
    ),
    topology_key="zone",
)


@pytest.mark.parametrize(
    ("affinity", "part"),
    [
        pytest.param(None, "unschedulable", id="no affinity"),
        pytest.param(near(term("db")), "active", id="a term about it"),
        pytest.param(near(term("web"), term("db")), "active", id="one of two terms about it"),
        pytest.param(near(term("web")), "unschedulable", id="a term about others"),
        pytest.param(near(term("db", "ops")), "unschedulable", id="of another namespace"),
        pytest.param(near(BROKEN), "unschedulable", id="a term that cannot be evaluated"),
        pytest.param(
            Affinity(pod_anti_affinity=PodAntiAffinity(required=[term("db")])),
            "unschedulable",
            id="anti-affinity: one more pod is no help",
        ),
    ],
)
@pytest.mark.parametrize("is_new", [True, False], ids=["added", "updated"])
def test_an_assigned_pod_moves_those_that_must_be_near_it(
    queue: PriorityQueue, clock: ManualClock, affinity: Affinity | None, part: str, *, is_new: bool
) -> None:
    waiting = pod("shop/web", affinity=affinity)
    queue.add(waiting)
    fail(queue)
    clock.advance(1)
    tell = queue.assigned_pod_added if is_new else queue.assigned_pod_updated
    tell(pod("shop/db", labels={"app": "db"}, node_name="worker-1"))
    assert queue.part_of(waiting) == part
