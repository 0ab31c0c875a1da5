"""The loop makes room for a pod that fits nowhere."""

import pytest
from attrs import define, evolve

from kubesched.builders import pod as make_pod
from kubesched.config import Profile
from kubesched.model import (
    Pod,
)
from kubesched.runtime import (
    InMemoryPodPreemptor,
    ManualClock,
    Result,
)
from kubesched.state import Cluster
from kubesched.testing.machines.loop.elsewhere import Elsewhere
from tests.runtime.schedulers import (
    N1,
    NO_ROOM,
    SMALL,
    URGENT,
    cannot,
    cannot_answer,
    check,
    events_of,
    one,
    part,
    profile,
    scheduler_over,
    told,
)

LESS = make_pod("less", cpu=2, priority=5)


def nominated(pod: Pod, node_name: str = "n1") -> Pod:
    return evolve(pod, status=evolve(pod.status, nominated_node_name=node_name))


def test_a_pod_that_others_leave_for_is_nominated_and_then_gets_their_place() -> None:
    cluster, clock = Cluster.of([N1, SMALL, URGENT]), ManualClock()
    scheduler = scheduler_over(cluster, clock=clock)
    outcome = one(scheduler)
    assert outcome.result is Result.UNSCHEDULABLE
    assert outcome.preemption is not None
    assert outcome.preemption.victims == (SMALL,)
    assert SMALL.key not in cluster.pods
    assert cluster.pending[URGENT.key].status.nominated_node_name == "n1"
    assert [each.key for each in scheduler.queue.nominated_pods("n1")] == [URGENT.key]
    assert told(scheduler) == [
        ("Warning", "FailedScheduling", NO_ROOM),
        ("Normal", "Preempted", "by default/urgent on node n1"),
    ]
    assert [each.object.name for each in events_of(scheduler)] == ["urgent", "small"]
    assert part(scheduler, URGENT) == "backoff"
    clock.advance(1)
    assert one(scheduler).result is Result.BOUND
    assert scheduler.queue.nominated_pods("n1") == ()
    check(scheduler)


def test_less_important_pods_lose_their_nomination_to_the_node() -> None:
    cluster = Cluster.of([N1, SMALL, nominated(LESS), URGENT])
    scheduler = scheduler_over(cluster)
    outcome = one(scheduler)
    assert outcome.preemption is not None
    assert [each.key for each in outcome.preemption.withdrawn] == [LESS.key]
    assert cluster.pending[LESS.key].status.nominated_node_name == ""
    assert [each.key for each in scheduler.queue.nominated_pods("n1")] == [URGENT.key]


def test_a_pod_for_which_no_eviction_helps_loses_its_nomination() -> None:
    picky = nominated(make_pod("urgent", priority=10, node_selector={"disk": "fast"}))
    cluster = Cluster.of([N1, SMALL, picky])
    scheduler = scheduler_over(cluster)
    one(scheduler)
    assert cluster.pending[picky.key].status.nominated_node_name == ""
    assert scheduler.queue.nominated_pods("n1") == ()
    assert SMALL.key in cluster.pods


@pytest.mark.parametrize(
    "options",
    [{"disable_preemption": True}, {"pod_priority": False}],
    ids=["it is switched off", "priorities are"],
)
def test_nobody_has_to_leave_if(options: dict[str, bool]) -> None:
    cluster = Cluster.of([N1, SMALL, URGENT])
    scheduler = scheduler_over(cluster, Profile.default().with_options(**options))
    assert one(scheduler).preemption is None
    assert SMALL.key in cluster.pods


def test_nobody_has_to_leave_for_a_pod_about_which_there_was_no_answer() -> None:
    cluster = Cluster.of([N1, SMALL, URGENT])
    rules = profile(cannot_answer, always_check_all_predicates=True)
    assert one(scheduler_over(cluster, rules)).preemption is None
    assert SMALL.key in cluster.pods


@define(eq=False)
class Preemptor(InMemoryPodPreemptor):
    """A preemptor that cannot do one thing, or not for one pod."""

    cannot: str
    about: str = ""

    def updated_pod(self, pod: Pod, /) -> Pod:
        self._may("look", pod)
        return super().updated_pod(pod)

    def delete_pod(self, pod: Pod, /) -> None:
        self._may("delete", pod)
        super().delete_pod(pod)

    def set_nominated_node(self, pod: Pod, node_name: str, /) -> None:
        self._may("nominate" if node_name else "withdraw", pod)
        super().set_nominated_node(pod, node_name)

    def _may(self, step: str, pod: Pod) -> None:
        if step == self.cannot and self.about in pod.name:
            cannot()


@pytest.mark.parametrize(
    ("step", "is_nominated", "is_evicted"),
    [
        pytest.param("look", False, False, id="its latest state is not known"),
        pytest.param("nominate", False, False, id="it cannot be nominated"),
        pytest.param("delete", True, False, id="a victim cannot be evicted"),
        pytest.param("withdraw", True, True, id="a nomination cannot be withdrawn"),
    ],
)
def test_a_pod_waits_on_if(step: str, *, is_nominated: bool, is_evicted: bool) -> None:
    cluster = Cluster.of([N1, SMALL, nominated(LESS), URGENT])
    scheduler = scheduler_over(cluster, preemptor=Preemptor(cluster, step))
    assert one(scheduler).result is Result.UNSCHEDULABLE
    assert part(scheduler, URGENT) is not None
    promised = {each.key for each in scheduler.queue.nominated_pods("n1")}
    assert (URGENT.key in promised) == is_nominated
    assert bool(cluster.pending[URGENT.key].status.nominated_node_name) == is_nominated
    assert (SMALL.key not in cluster.pods) == is_evicted
    check(scheduler)


@define(eq=False)
class FarAway(InMemoryPodPreemptor):
    """A preemptor whose nominations are not seen for a while."""

    def set_nominated_node(self, pod: Pod, node_name: str, /) -> None:
        """Tell somebody who takes his time."""


def test_room_is_kept_before_the_nomination_is_seen() -> None:
    cluster, clock = Cluster.of([N1, SMALL, URGENT]), ManualClock()
    scheduler = scheduler_over(cluster, preemptor=FarAway(cluster), clock=clock)
    one(scheduler)
    cluster.add_pod(LESS)
    assert one(scheduler).message == NO_ROOM
    clock.advance(1)
    assert one(scheduler).node == "n1"


def test_one_nomination_that_cannot_be_withdrawn_does_not_save_the_next() -> None:
    others = [nominated(make_pod(name, priority=1)) for name in ("first", "second")]
    cluster = Cluster.of([N1, SMALL, *others, URGENT])
    scheduler = scheduler_over(cluster, preemptor=Preemptor(cluster, "withdraw", "first"))
    outcome = one(scheduler)
    assert outcome.preemption is not None
    assert len(outcome.preemption.withdrawn) == 2
    left = [pod.name for pod in cluster.pending.values() if pod.status.nominated_node_name]
    assert left == ["first", "urgent"]


def test_a_pod_that_goes_while_room_is_made_for_it_is_promised_nothing() -> None:
    cluster = Cluster.of([N1, SMALL, URGENT])

    @define(eq=False)
    class Slow(InMemoryPodPreemptor):
        def updated_pod(self, pod: Pod, /) -> Pod:
            latest = super().updated_pod(pod)
            self.cluster.remove_pod(pod)
            return latest

    scheduler = scheduler_over(cluster, preemptor=Slow(cluster))
    one(scheduler)
    assert scheduler.queue.nominated_pods("n1") == ()
    assert len(scheduler.queue) == 0


def test_a_victim_that_is_still_being_bound_is_not_bound() -> None:
    small = make_pod("small", cpu=2)
    cluster, pool, clock = Cluster.of([N1, small]), Elsewhere(), ManualClock()
    scheduler = scheduler_over(cluster, binding_threads=pool, clock=clock)
    one(scheduler)
    cluster.add_pod(URGENT)
    one(scheduler)
    pool.run(0)
    assert small.key not in cluster.pods
    clock.advance(1)
    assert one(scheduler).result is Result.BINDING
    pool.run(0)
    assert cluster.pods[URGENT.key].node_name == "n1"
