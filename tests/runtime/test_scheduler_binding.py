"""Bindings that take their time, pods that are never seen bound, schedulers that meet."""

from typing import Any, NoReturn

import pytest
from attrs import define

from kubesched.builders import pod as make_pod
from kubesched.errors import ClusterError
from kubesched.framework import Extender
from kubesched.model import Binding, PodCondition
from kubesched.runtime import (
    BindingTimeoutError,
    InMemoryBinder,
    ManualClock,
    Outcome,
    Result,
)
from kubesched.state import ASSUME_TTL, Cluster
from kubesched.testing.machines.loop.elsewhere import Elsewhere
from tests.runtime.schedulers import (
    N1,
    N2,
    NO_ROOM,
    WEB,
    LateBinder,
    NoBinder,
    cannot,
    check,
    condition_of,
    doing,
    failed,
    one,
    part,
    profile,
    scheduler_over,
    told,
    volumes_that,
)

# -- bindings that take their time -----------------------------------------------------------------


def test_the_next_pod_sees_one_that_is_being_bound() -> None:
    pods = [make_pod(f"web-{number}", cpu=2) for number in range(3)]
    cluster, pool = Cluster.of([N1, N2, *pods]), Elsewhere()
    scheduler = scheduler_over(cluster, binding_threads=pool)
    outcomes = list(scheduler.run_until_idle())
    assert {outcome.node for outcome in outcomes} == {"n1", "n2", None}
    assert [str(outcome.result) for outcome in outcomes] == ["Binding", "Binding", "Unschedulable"]


def test_a_binding_that_takes_too_long_is_given_up_and_the_pod_tried_again() -> None:
    cluster, clock, pool = Cluster.of([N1, WEB]), ManualClock(), Elsewhere()
    seen = list[Outcome]()
    scheduler = scheduler_over(
        cluster, clock=clock, binding_threads=pool, bind_timeout=10, observer=seen.append
    )
    one(scheduler)
    clock.advance(9.5)
    scheduler.keep_time()
    assert cluster.is_assumed(WEB)
    clock.advance(0.5)
    scheduler.keep_time()
    assert not cluster.is_assumed(WEB)
    assert isinstance(seen[-1].error, BindingTimeoutError)
    assert (seen[-1].error.pod, seen[-1].error.seconds) == (WEB.key, 10)
    text = "binding of pod default/web took longer than 10 s"
    assert told(scheduler) == [("Warning", "FailedScheduling", f"Binding rejected: {text}")]
    assert condition_of(cluster, WEB) == failed("BindingRejected", text)
    assert part(scheduler) == "unschedulable"


def test_a_binding_that_was_given_up_before_it_began_does_not_begin() -> None:
    cluster, clock, pool = Cluster.of([N1, WEB]), ManualClock(), Elsewhere()
    scheduler = scheduler_over(cluster, clock=clock, binding_threads=pool, bind_timeout=10)
    one(scheduler)
    clock.advance(10)
    scheduler.keep_time()
    pool.run(0)
    assert cluster.pods[WEB.key].node_name == ""


@pytest.mark.parametrize("tried_again", [False, True], ids=["it waits", "it is being bound again"])
def test_a_binding_that_succeeds_after_all_is_taken_as_it_is(*, tried_again: bool) -> None:
    cluster, clock, pool = Cluster.of([N1, N2, WEB]), ManualClock(), Elsewhere()
    seen = list[Outcome]()

    def hang() -> None:
        clock.advance(10)
        scheduler.keep_time()
        if tried_again:
            scheduler.queue.add(WEB)
            one(scheduler)
        binder.happens = lambda: None

    binder = LateBinder(cluster, hang)
    scheduler = scheduler_over(
        cluster,
        clock=clock,
        binder=binder,
        binding_threads=pool,
        bind_timeout=10,
        observer=seen.append,
    )
    first = one(scheduler)
    while pool.tasks:
        pool.run(0)
    assert cluster.pods[WEB.key].node_name == first.node
    assert not cluster.is_assumed(WEB)
    assert part(scheduler) is None
    rejected = [each for each in seen if each.result is Result.BINDING_REJECTED]
    assert len(rejected) == 1 + tried_again
    assert {each.result for each in seen} == {Result.BINDING, Result.BINDING_REJECTED}
    check(scheduler)


def test_volumes_that_take_too_long_are_why_a_pod_is_not_bound() -> None:
    cluster, clock, pool = Cluster.of([N1, WEB]), ManualClock(), Elsewhere()
    seen = list[Outcome]()
    volumes = volumes_that("assume", "bind", "forget")
    scheduler = scheduler_over(
        cluster,
        clock=clock,
        volume_binder=volumes,
        binding_threads=pool,
        bind_timeout=10,
        observer=seen.append,
    )
    one(scheduler)
    clock.advance(10)
    scheduler.keep_time()
    assert seen[-1].result is Result.VOLUME_BINDING_FAILED
    assert isinstance(seen[-1].error, BindingTimeoutError)
    pool.run(0)
    assert volumes.done == ["assume web", "forget web"]


@define(eq=False)
class SorryBinder:
    """A binder that binds and says that it has not."""

    cluster: Cluster

    def bind(self, binding: Binding, /) -> None:
        InMemoryBinder(self.cluster).bind(binding)
        cannot()


def test_a_pod_that_is_bound_whatever_its_binder_says_is_not_called_unscheduled() -> None:
    cluster = Cluster.of([N1, WEB])
    scheduler = scheduler_over(cluster, binder=SorryBinder(cluster))
    assert one(scheduler).result is Result.BINDING_REJECTED
    assert condition_of(cluster, WEB) == PodCondition(type="PodScheduled", status="True")
    assert cluster.pods[WEB.key].node_name == "n1"
    assert part(scheduler) is None


def test_a_pool_that_is_closed_is_a_failed_binding() -> None:
    @define(eq=False)
    class Closed(Elsewhere):
        def submit(self, *_args: Any, **_options: Any) -> NoReturn:
            raise RuntimeError("cannot schedule new futures after shutdown")

    cluster, seen = Cluster.of([N1, WEB]), list[Outcome]()
    scheduler = scheduler_over(cluster, binding_threads=Closed(), observer=seen.append)
    one(scheduler)
    assert [each.result for each in seen] == [Result.BINDING, Result.BINDING_REJECTED]
    assert part(scheduler) == "unschedulable"


# -- pods that are never seen bound ----------------------------------------------------------------


class SilentBinder:
    """A binder whose bindings nobody hears of."""

    def bind(self, binding: Binding, /) -> None:
        pass


def test_a_pod_that_is_never_seen_bound_is_tried_again() -> None:
    cluster, clock = Cluster.of([N1, WEB]), ManualClock()
    scheduler = scheduler_over(cluster, clock=clock, binder=SilentBinder())
    assert one(scheduler).result is Result.BOUND
    clock.advance(ASSUME_TTL)
    assert scheduler.schedule_one(block=False) is None
    assert cluster.is_assumed(WEB)
    clock.advance(0.5)
    assert one(scheduler).result is Result.BOUND
    assert cluster.is_assumed(WEB)


def test_whoever_sees_first_that_a_pod_has_expired_does_not_keep_it_from_its_own_scheduler() -> (
    None
):
    cluster, clock = Cluster.of([N1, WEB]), ManualClock()
    ours = scheduler_over(cluster, clock=clock, binder=SilentBinder())
    theirs = scheduler_over(cluster, clock=clock, name="other")
    one(ours)
    clock.advance(ASSUME_TTL + 1)
    theirs.keep_time()
    assert part(theirs) is None
    assert part(ours) == "active"


def test_a_pod_still_being_bound_does_not_expire() -> None:
    cluster, clock = Cluster.of([N1, WEB]), ManualClock()
    scheduler = scheduler_over(cluster, clock=clock, binding_threads=Elsewhere())
    one(scheduler)
    clock.advance(ASSUME_TTL * 2)
    scheduler.keep_time()
    assert cluster.is_assumed(WEB)


# -- several schedulers ----------------------------------------------------------------------------


def test_each_scheduler_sees_what_the_other_has_assumed() -> None:
    pods = [make_pod("web", cpu=2), make_pod("db", cpu=2, scheduler_name="other")]
    cluster = Cluster.of([N1, *pods])
    ours = scheduler_over(cluster, binding_threads=Elsewhere())
    theirs = scheduler_over(cluster, name="other")
    assert one(ours).result is Result.BINDING
    assert one(theirs).message == NO_ROOM


def test_a_pod_that_another_scheduler_assumes_meanwhile_is_left_to_that() -> None:
    cluster = Cluster.of([N1, WEB])
    quicker = scheduler_over(cluster, binding_threads=Elsewhere())
    volumes = volumes_that("assume", "bind", "forget")
    slower = scheduler_over(
        cluster, profile(None, doing(lambda: one(quicker))), volume_binder=volumes
    )
    outcome = one(slower)
    assert outcome.result is Result.SCHEDULER_ERROR
    assert isinstance(outcome.error, ClusterError)
    why = "default/web: the pod is assumed already"
    assert told(slower) == [("Warning", "FailedScheduling", f"AssumePod failed: {why}")]
    assert condition_of(cluster, WEB) is None
    assert volumes.done == ["assume web", "forget web"]
    assert (part(slower), part(quicker)) == (None, None)
    assert cluster.is_assumed(WEB)


def test_two_schedulers_that_decide_at_once_may_fill_a_node_twice_and_then_see_it() -> None:
    """Neither has seen the other's decision; as with the original, the node has to refuse one."""
    pods = [
        make_pod("web", cpu=2),
        make_pod("db", cpu=2, scheduler_name="other"),
        make_pod("late"),
    ]
    cluster = Cluster.of([N1, *pods])
    theirs = scheduler_over(cluster, name="other")
    ours = scheduler_over(cluster, profile(None, doing(lambda: theirs.schedule_one(block=False))))
    assert one(ours).node == "n1"
    info = cluster.snapshot().node_infos["n1"]
    assert (set(info.pods), info.requested.milli_cpu) == ({"default/web", "default/db"}, 4000)
    check(ours)
    check(theirs)


# -- an extender that binds ------------------------------------------------------------------------


def test_an_extender_binds_the_pods_in_which_it_is_interested() -> None:
    cluster, bound = Cluster.of([N1, WEB]), list[str]()

    def bind(binding: Binding, /) -> None:
        bound.append(f"{binding.key} to {binding.target.name}")
        InMemoryBinder(cluster).bind(binding)

    rules = profile(None, Extender("binder", bind=bind))
    assert one(scheduler_over(cluster, rules, binder=NoBinder())).result is Result.BOUND
    assert bound == ["default/web to n1"]
