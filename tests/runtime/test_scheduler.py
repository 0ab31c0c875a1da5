"""Every way on which the loop takes a pod, and what is seen of it outside."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import pytest
from attrs import evolve

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.config import Profile
from kubesched.engine import EvaluationError, FitError, NoNodesAvailable
from kubesched.errors import ExtenderError, SpecError
from kubesched.framework import Extender
from kubesched.model import (
    KubeObject,
    Pod,
    PodCondition,
)
from kubesched.runtime import (
    DeletedPodError,
    Event,
    Outcome,
    Result,
)
from kubesched.state import Cluster
from kubesched.testing.machines.loop.elsewhere import Elsewhere
from tests.runtime.schedulers import (
    GOING,
    HUGE,
    LOST,
    N1,
    NO_ROOM,
    WEB,
    NoBinder,
    Options,
    OutsideError,
    after,
    breaks_the_contract,
    cannot,
    cannot_answer,
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

# -- the arrows of the diagram ---------------------------------------------------------------------


class Way(NamedTuple):
    """What there is, who stands outside, and what is seen when the pod has been tried."""

    says: str
    objects: Sequence[KubeObject]
    outside: Callable[[], tuple[Profile, Options]]
    result: Result
    error: type[Exception] | None
    event: tuple[str, str, str]
    condition: PodCondition | None
    part: str | None = "unschedulable"


def usual(**options: Any) -> Callable[[], tuple[Profile, Options]]:
    return lambda: (Profile.default(), options)


def with_rules(
    check: Callable[..., Any] | None, *extenders: Extender
) -> Callable[[], tuple[Profile, Options]]:
    return lambda: (profile(check, *extenders), {})


NOT_BOUND = "bind of extender 'binder' raised OutsideError: it cannot"
WAYS = [
    Way(
        "a pod that has a place is bound",
        [N1, WEB],
        usual(),
        Result.BOUND,
        None,
        ("Normal", "Scheduled", "Successfully assigned default/web to n1"),
        PodCondition(type="PodScheduled", status="True"),
        None,
    ),
    Way(
        "a pod that fits nowhere waits",
        [N1, HUGE],
        usual(),
        Result.UNSCHEDULABLE,
        FitError,
        ("Warning", "FailedScheduling", NO_ROOM),
        failed("Unschedulable", NO_ROOM),
    ),
    Way(
        "a pod waits while there is no node",
        [WEB],
        usual(),
        Result.UNSCHEDULABLE,
        NoNodesAvailable,
        ("Warning", "FailedScheduling", "no nodes available to schedule pods"),
        failed("Unschedulable", "no nodes available to schedule pods"),
    ),
    Way(
        "a pod waits for a claim that is missing",
        [N1, LOST],
        usual(),
        Result.UNSCHEDULABLE,
        Exception,
        ("Warning", "FailedScheduling", 'persistentvolumeclaim "data" not found'),
        failed("Unschedulable", 'persistentvolumeclaim "data" not found'),
    ),
    Way(
        "a pod waits if a rule cannot answer",
        [N1, WEB],
        with_rules(cannot_answer),
        Result.UNSCHEDULABLE,
        EvaluationError,
        ("Warning", "FailedScheduling", "n1 is odd"),
        failed("Unschedulable", "n1 is odd"),
    ),
    Way(
        "a pod waits if an extender fails",
        [N1, WEB],
        with_rules(None, Extender("gate", filter=cannot)),
        Result.UNSCHEDULABLE,
        ExtenderError,
        ("Warning", "FailedScheduling", "filter of extender 'gate' raised OutsideError: it cannot"),
        failed("Unschedulable", "filter of extender 'gate' raised OutsideError: it cannot"),
    ),
    Way(
        "a pod that is being deleted is skipped",
        [N1, GOING],
        usual(),
        Result.SKIPPED,
        DeletedPodError,
        ("Warning", "FailedScheduling", "skip schedule deleting pod: default/web"),
        None,
        None,
    ),
    Way(
        "a pod waits if its volumes cannot be assumed",
        [N1, WEB],
        usual(volume_binder=volumes_that()),
        Result.SCHEDULER_ERROR,
        OutsideError,
        ("Warning", "FailedScheduling", "AssumePodVolumes failed: it cannot"),
        failed("SchedulerError", "it cannot"),
    ),
    Way(
        "a pod waits if its volumes cannot be bound",
        [N1, WEB],
        usual(volume_binder=volumes_that("assume", "forget")),
        Result.VOLUME_BINDING_FAILED,
        OutsideError,
        ("Warning", "FailedScheduling", "it cannot"),
        failed("VolumeBindingFailed", "it cannot"),
    ),
    Way(
        "that its volumes cannot be forgotten does not matter",
        [N1, WEB],
        usual(volume_binder=volumes_that("assume")),
        Result.VOLUME_BINDING_FAILED,
        OutsideError,
        ("Warning", "FailedScheduling", "it cannot"),
        failed("VolumeBindingFailed", "it cannot"),
    ),
    Way(
        "a pod waits if the binder cannot bind it",
        [N1, WEB],
        usual(binder=NoBinder()),
        Result.BINDING_REJECTED,
        OutsideError,
        ("Warning", "FailedScheduling", "Binding rejected: it cannot"),
        failed("BindingRejected", "it cannot"),
    ),
    Way(
        "a pod waits if an extender cannot bind it",
        [N1, WEB],
        with_rules(None, Extender("binder", bind=cannot)),
        Result.BINDING_REJECTED,
        ExtenderError,
        ("Warning", "FailedScheduling", f"Binding rejected: {NOT_BOUND}"),
        failed("BindingRejected", NOT_BOUND),
    ),
    Way(
        "a pod is not bound by an extender that has no interest in it",
        [N1, WEB],
        with_rules(None, Extender("binder", bind=cannot, managed_resources={"example.com/gpu"})),
        Result.BOUND,
        None,
        ("Normal", "Scheduled", "Successfully assigned default/web to n1"),
        PodCondition(type="PodScheduled", status="True"),
        None,
    ),
]


@pytest.mark.parametrize("elsewhere", [False, True], ids=["at once", "elsewhere"])
@pytest.mark.parametrize("way", WAYS, ids=[way.says for way in WAYS])
def test_a_pod_goes_its_way(way: Way, *, elsewhere: bool) -> None:
    cluster = Cluster.of(way.objects)
    rules, options = way.outside()
    pool, seen = Elsewhere(), list[Outcome]()
    options = {**options, "observer": seen.append, "binding_threads": pool if elsewhere else 0}
    scheduler = scheduler_over(cluster, rules, **options)
    first = one(scheduler)
    assert seen == [first]
    while pool.tasks:
        assert first.result is Result.BINDING
        pool.run(0)
    outcome = seen[-1]
    assert outcome.result is way.result
    assert isinstance(outcome.error, way.error or type(None))
    assert (outcome.node is not None) == (way.result is Result.BOUND)
    assert told(scheduler) == [way.event]
    assert condition_of(cluster, WEB) == way.condition
    assert part(scheduler) == way.part
    assert not cluster.is_assumed(WEB)
    assert scheduler.schedule_one(block=False) is None
    check(scheduler)


def test_a_rule_that_breaks_the_contract_fails_for_one_pod() -> None:
    scheduler = scheduler_over(Cluster.of([N1, WEB]), profile(breaks_the_contract))
    outcome = one(scheduler)
    assert isinstance(outcome.error, SpecError)
    assert part(scheduler) == "unschedulable"
    assert condition_of(scheduler.cluster, WEB) == failed("Unschedulable", outcome.message)


# -- what is not to be tried -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "happens",
    [
        pytest.param(lambda cluster: cluster.remove_pod(WEB), id="it is gone"),
        pytest.param(lambda cluster: cluster.update_pod(WEB.bound_to("n1")), id="it is bound"),
        pytest.param(lambda cluster: cluster.assume(WEB, "n1"), id="another has assumed it"),
    ],
)
def test_a_pod_that_does_not_wait_any_more_is_skipped(happens: Callable[[Cluster], Any]) -> None:
    cluster = Cluster.of([N1, WEB])
    scheduler = scheduler_over(cluster)
    happens(cluster)
    scheduler.queue.add(WEB)  # as if it had been late to hear of it
    assert one(scheduler).result is Result.SKIPPED
    assert told(scheduler) == []


def test_pods_of_others_are_left_to_them() -> None:
    theirs = make_pod("db", scheduler_name="other")
    cluster = Cluster.of([N1, theirs, WEB])
    outcomes = list(scheduler_over(cluster).run_until_idle())
    assert [outcome.pod.name for outcome in outcomes] == ["web"]
    [outcome] = scheduler_over(cluster, name="other").run_until_idle()
    assert (outcome.pod.name, outcome.result) == ("db", Result.BOUND)


def test_nothing_to_do_is_no_outcome() -> None:
    assert scheduler_over(Cluster.of([N1])).schedule_one(block=False) is None


def test_pods_are_tried_by_priority_and_then_as_they_came() -> None:
    pods = [make_pod("a"), make_pod("b"), make_pod("c", priority=5)]
    scheduler = scheduler_over(Cluster.of([N1, *pods]))
    assert [outcome.pod.name for outcome in scheduler.run_until_idle()] == ["c", "a", "b"]


# -- what happens while a pod is being tried -------------------------------------------------------


def test_a_pod_that_changes_while_it_finds_a_place_is_not_left_in_the_queue() -> None:
    cluster, pool = Cluster.of([N1, WEB]), Elsewhere()
    labelled = evolve(WEB, metadata=evolve(WEB.metadata, labels={"app": "web"}))
    rules = profile(None, doing(lambda: cluster.update_pod(labelled)))
    scheduler = scheduler_over(cluster, rules, binding_threads=pool)
    assert one(scheduler).result is Result.BINDING
    assert part(scheduler) is None
    pool.run(0)
    assert scheduler.schedule_one(block=False) is None


def test_a_pod_that_changes_while_it_finds_none_is_tried_again_at_once() -> None:
    cluster = Cluster.of([N1, HUGE])
    small = evolve(WEB, metadata=evolve(WEB.metadata, labels={"app": "web"}))
    rules = profile(after(lambda: cluster.update_pod(small)))
    scheduler = scheduler_over(cluster, rules.with_options(always_check_all_predicates=True))
    results = [outcome.result for outcome in scheduler.run_until_idle()]
    assert results == [Result.UNSCHEDULABLE, Result.BOUND]


def test_what_may_help_while_a_pod_is_being_tried_is_not_missed() -> None:
    cluster = Cluster.of([N1, HUGE])
    rules = profile(after(lambda: cluster.update_node(make_node("n1", cpu=3))))
    scheduler = scheduler_over(cluster, rules.with_options(always_check_all_predicates=True))
    one(scheduler)
    assert part(scheduler) == "backoff"


def interrupt() -> NoReturn:
    raise KeyboardInterrupt


def test_a_pod_is_not_lost_if_somebody_interrupts_while_it_is_being_tried() -> None:
    scheduler = scheduler_over(Cluster.of([N1, WEB]), profile(after(interrupt)))
    with pytest.raises(KeyboardInterrupt):
        one(scheduler)
    assert part(scheduler) == "active"


def test_a_pod_that_goes_while_it_is_being_tried_does_not_come_back() -> None:
    cluster = Cluster.of([N1, WEB])
    scheduler = scheduler_over(cluster, profile(None, doing(lambda: cluster.remove_pod(WEB))))
    assert one(scheduler).message == "default/web: the pod is not there"
    assert len(scheduler.queue) == 0
    assert cluster.pods == {}
    check(scheduler)


def known_as(uid: str, pod: Pod = WEB) -> Pod:
    return evolve(pod, metadata=evolve(pod.metadata, uid=uid))


def test_a_pod_and_one_of_its_name_that_comes_after_it_do_not_meet() -> None:
    old, new = known_as("old"), known_as("new")
    cluster, pool = Cluster.of([N1, old]), Elsewhere()
    seen = list[Outcome]()
    scheduler = scheduler_over(cluster, binding_threads=pool, observer=seen.append)
    one(scheduler)
    cluster.forget(old)
    cluster.remove_pod(old)
    cluster.add_pod(new)
    one(scheduler)
    pool.run(0)
    assert (seen[-1].pod.uid, seen[-1].result) == ("old", Result.BINDING_REJECTED)
    assert cluster.is_assumed(new)
    assert part(scheduler) is None
    pool.run(0)
    assert (seen[-1].pod.uid, seen[-1].result) == ("new", Result.BOUND)
    assert len(scheduler._bindings) == 0


# -- what is told ----------------------------------------------------------------------------------


class NoRecorder:
    def record(self, _event: Event, /) -> None:
        cannot()


class NoConditions:
    def update_condition(self, _pod: Pod, _condition: PodCondition, /) -> None:
        cannot()


@pytest.mark.parametrize("pod", [WEB, HUGE, GOING], ids=["bound", "refused", "skipped"])
@pytest.mark.parametrize("elsewhere", [False, True], ids=["at once", "elsewhere"])
def test_nobody_who_only_listens_can_stop_the_loop(pod: Pod, *, elsewhere: bool) -> None:
    pool = Elsewhere()
    scheduler = scheduler_over(
        Cluster.of([N1, pod]),
        recorder=NoRecorder(),
        conditions=NoConditions(),
        observer=cannot,
        binding_threads=pool if elsewhere else 0,
    )
    one(scheduler)
    while pool.tasks:
        pool.run(0)
    assert (part(scheduler) == "unschedulable") == (pod is HUGE)
    assert bool(scheduler.cluster.pods[WEB.key].node_name) == (pod is WEB)


def test_a_scheduler_that_is_closed_hears_nothing_any_more() -> None:
    cluster = Cluster.of([N1])
    scheduler = scheduler_over(cluster)
    scheduler.close()
    cluster.add_pod(WEB)
    assert len(scheduler.queue) == 0
    assert scheduler.schedule_one() is None
