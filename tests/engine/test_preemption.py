"""Who would have to leave so that a pod fits."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from attrs import evolve
from hypothesis import assume, given, strategies as st

from kubesched.builders import node, pod
from kubesched.config import FeatureGates, Profile
from kubesched.engine import FitError, GenericScheduler, Preemption
from kubesched.engine.preemption import best_candidates
from kubesched.framework import Extender, ExtenderFilterResult, RuleSet, Victims
from kubesched.model import (
    KubeObject,
    LabelSelector,
    LabelSelectorRequirement,
    ObjectMeta,
    Pod,
    PodDisruptionBudget,
    PodDisruptionBudgetSpec,
    PodDisruptionBudgetStatus,
    PodStatus,
)
from kubesched.state import Cluster
from tests.strategies import labels, pod_affinities

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
VIP = pod("shop/vip", cpu=2, priority=100)
WORKER = node("n1", cpu=4)
OTHER = node("n2", cpu=4)


def on(name: str, where: str = "n1", cpu: int = 1, **fields: Any) -> Pod:
    """Return a pod on a node; of priority 0 unless told otherwise."""
    return pod(f"shop/{name}", cpu=cpu, node_name=where, **fields)


def terminating(placed: Pod) -> Pod:
    return evolve(placed, metadata=evolve(placed.metadata, deletion_timestamp=NEW_YEAR))


def nominated(waiting: Pod, where: str) -> Pod:
    return evolve(waiting, status=PodStatus(nominated_node_name=where))


def budget(
    selector: LabelSelector | None, *, allowed: int = 0, namespace: str = "shop"
) -> PodDisruptionBudget:
    return PodDisruptionBudget(
        metadata=ObjectMeta(name=f"budget-{allowed}", namespace=namespace),
        spec=PodDisruptionBudgetSpec(selector=selector),
        status=PodDisruptionBudgetStatus(disruptions_allowed=allowed),
    )


def preempted(asked: Pod, *objects: KubeObject, rules: RuleSet | None = None) -> Preemption:
    """Return what becomes of a pod that does not fit anywhere."""
    scheduler = GenericScheduler(Cluster.of(objects), rules or Profile.default())
    with pytest.raises(FitError) as failed:
        scheduler.schedule(asked)
    return scheduler.preempt(asked, failed.value)


def names(pods: Iterable[Pod]) -> list[str]:
    return [each.name for each in pods]


# -- who has to leave ------------------------------------------------------------------------------


class Leaving(NamedTuple):
    """The pods on n1, which has four cpus, and those that leave so that the VIP's two are free."""

    says: str
    placed: Sequence[Pod]
    leaves: Sequence[str]


FULL = (on("a", cpu=1), on("b", cpu=1, priority=5), on("c", cpu=2, priority=3))
LEAVING = [
    Leaving("the one that is enough stays away, the more important ones come back", FULL, ["c"]),
    Leaving(
        "the more important of two that are as big stays",
        [on("a", cpu=2, priority=1), on("b", cpu=2, priority=2)],
        ["a"],
    ),
    Leaving(
        "of equally important ones those stay that came first",
        [on("b", cpu=2), on("a", cpu=2)],
        ["a"],
    ),
    Leaving(
        "a less important pod may stay where a more important one cannot",
        [on("big", cpu=3, priority=9), on("small", cpu=1)],
        ["big"],
    ),
    Leaving(
        "victims come by falling priority",
        [on("a", cpu=3, priority=1), on("b", cpu=1, priority=200), on("c", cpu=0, priority=7)],
        ["a"],
    ),
    Leaving("as important is too important", [on("a", cpu=3, priority=100)], []),
    Leaving(
        "no priority counts as 0, which is more than less",
        [on("a", cpu=2), on("b", cpu=2, priority=-1)],
        ["b"],
    ),
]


@pytest.mark.parametrize("case", LEAVING, ids=lambda case: case.says)
def test_who_leaves(case: Leaving) -> None:
    ours = preempted(VIP, WORKER, *case.placed)
    assert names(ours.victims) == case.leaves
    assert ours.node == ("n1" if case.leaves else None)


def test_who_could_not_fit_in_any_case_makes_nobody_leave() -> None:
    ours = preempted(pod("shop/vip", cpu=5, priority=100), WORKER, on("a", cpu=4))
    assert (ours.node, ours.victims, dict(ours.candidates)) == (None, (), {})


def test_what_eviction_cannot_cure_is_no_candidate() -> None:
    tainted = node("n2", cpu=4, taints=["gpu:NoSchedule"])
    ours = preempted(VIP, WORKER, tainted, on("a", cpu=4, priority=9), on("b", "n2", cpu=4))
    assert [*ours.candidates] == ["n1"]


def test_pods_of_unknown_nodes_free_nothing() -> None:
    assert preempted(VIP, WORKER, on("a", cpu=3, priority=200), on("b", "gone")).node is None


# -- which node ------------------------------------------------------------------------------------


def victims(*priorities: int, violations: int = 0) -> Victims:
    return Victims([pod("v", priority=each) for each in priorities], violations)


class Best(NamedTuple):
    """Candidates, and which of them are to be preferred."""

    says: str
    candidates: Mapping[str, Victims]
    best: Sequence[str]


BEST = [
    Best("none of none", {}, []),
    Best("where nobody leaves", {"a": victims(-9), "b": victims()}, ["b"]),
    Best(
        "fewest violated budgets",
        {"a": victims(1, violations=1), "b": victims(9, 9)},
        ["b"],
    ),
    Best(
        "then the least important first victim, though another one is more important",
        {"a": victims(5), "b": victims(4, 9)},
        ["b"],
    ),
    Best("then the smallest sum", {"a": victims(5, 3), "b": victims(5, 2)}, ["b"]),
    Best(
        "a sum counts from the least priority there is, so more pods are a larger one",
        {"a": victims(5, -(2**31) + 1), "b": victims(5)},
        ["b"],
    ),
    Best(
        "then the fewest victims",
        {"a": victims(5, -(2**31)), "b": victims(5)},
        ["b"],
    ),
    Best("else they are as good, by name", {"b": victims(5, 1), "a": victims(5, 1)}, ["a", "b"]),
]


@pytest.mark.parametrize("case", BEST, ids=lambda case: case.says)
def test_the_best_candidates(case: Best) -> None:
    assert list(best_candidates(case.candidates)) == case.best


def test_the_first_of_equally_good_nodes_is_taken() -> None:
    ours = preempted(VIP, OTHER, WORKER, on("a", "n2", cpu=4), on("b", cpu=4))
    assert (ours.node, ours.tied) == ("n1", ("n1", "n2"))


# -- disruption budgets ----------------------------------------------------------------------------

WEB = LabelSelector(match_labels={"app": "web"})


class Guarded(NamedTuple):
    """A budget, and whether it keeps the web pod that would leave otherwise."""

    says: str
    budget: PodDisruptionBudget
    keeps: bool


GUARDED = [
    Guarded("a budget that is used up protects", budget(WEB), keeps=True),
    Guarded("one with something left does not", budget(WEB, allowed=1), keeps=False),
    Guarded("one that is overdrawn does", budget(WEB, allowed=-1), keeps=True),
    Guarded("one of another namespace does not", budget(WEB, namespace="batch"), keeps=False),
    Guarded("one without selector protects nobody", budget(None), keeps=False),
    Guarded("nor does one with an empty selector", budget(LabelSelector()), keeps=False),
    Guarded(
        "nor one with an invalid selector",
        budget(LabelSelector(match_expressions=[LabelSelectorRequirement(key="app")])),
        keeps=False,
    ),
]


@pytest.mark.parametrize("case", GUARDED, ids=lambda case: case.says)
def test_a_budget_protects(case: Guarded) -> None:
    web = on("web", cpu=2, labels={"app": "web"})
    ours = preempted(
        VIP, WORKER, on("db", cpu=2, priority=9, labels={"app": "db"}), web, case.budget
    )
    assert names(ours.victims) == (["db"] if case.keeps else ["web"])


def test_pods_without_labels_are_not_protected() -> None:
    everybody = LabelSelector(
        match_expressions=[LabelSelectorRequirement(key="app", operator="DoesNotExist")]
    )
    ours = preempted(VIP, WORKER, on("a", cpu=4), budget(everybody))
    assert ours.candidates["n1"].num_pdb_violations == 0


def test_a_violated_budget_is_counted_and_its_pods_come_first() -> None:
    web = on("web", cpu=2, priority=1, labels={"app": "web"})
    ours = preempted(
        pod("shop/vip", cpu=4, priority=10), WORKER, on("a", cpu=2, priority=5), web, budget(WEB)
    )
    assert (names(ours.victims), ours.candidates["n1"].num_pdb_violations) == (["web", "a"], 1)


# -- whether to try at all -------------------------------------------------------------------------


def test_a_pod_for_which_others_are_leaving_already_makes_nobody_leave() -> None:
    leaving, here = terminating(on("a", cpu=1)), on("b", cpu=3)
    assert preempted(nominated(VIP, "n1"), WORKER, leaving, here).node is None
    assert preempted(VIP, WORKER, leaving, here).node == "n1"
    assert preempted(nominated(VIP, "n2"), WORKER, leaving, here).node == "n1"


def test_a_more_important_pod_that_leaves_is_not_waited_for() -> None:
    leaving, here = terminating(on("a", cpu=1, priority=200)), on("b", cpu=3)
    assert preempted(nominated(VIP, "n1"), WORKER, leaving, here).node == "n1"


@pytest.mark.parametrize(
    "rules",
    [
        Profile.default(FeatureGates(pod_priority=False)),
        Profile.default().with_options(disable_preemption=True),
    ],
    ids=["without PodPriority", "where it is disabled"],
)
def test_nobody_has_to_leave(rules: RuleSet) -> None:
    assert preempted(VIP, WORKER, on("a", cpu=4), rules=rules).node is None


# -- nominations -----------------------------------------------------------------------------------


def test_less_important_pods_lose_their_nomination_to_the_node() -> None:
    waiting = [
        nominated(pod("shop/less", priority=99), "n1"),
        nominated(pod("shop/as-much", priority=100), "n1"),
        nominated(pod("shop/elsewhere", priority=1), "n2"),
    ]
    ours = preempted(VIP, WORKER, on("a", cpu=4), *waiting)
    assert names(ours.withdrawn) == ["less"]


def test_where_eviction_cannot_help_the_pod_loses_its_own_nomination() -> None:
    tainted = node("n1", cpu=4, taints=["gpu:NoSchedule"])
    assert names(preempted(nominated(VIP, "n1"), tainted).withdrawn) == ["vip"]
    assert preempted(VIP, tainted).withdrawn == ()


def test_room_is_kept_for_those_nominated_that_are_as_important() -> None:
    waiting = nominated(pod("shop/first", cpu=2, priority=100), "n1")
    ours = preempted(VIP, WORKER, waiting, on("a", cpu=2), on("b", cpu=2))
    assert sorted(names(ours.victims)) == ["a", "b"]


# -- extenders -------------------------------------------------------------------------------------


def test_extenders_choose_among_the_candidates() -> None:
    def second(
        _pod: Pod, candidates: Mapping[str, Victims], _nodes: object, /
    ) -> Mapping[str, Victims]:
        return {"n2": candidates["n2"]}

    rules = Profile.default().with_extender(Extender("chooser", preempt=second))
    ours = preempted(
        VIP, WORKER, OTHER, on("a", cpu=4), on("b", "n2", cpu=4, priority=9), rules=rules
    )
    assert (ours.node, [*ours.candidates], sorted(ours.found)) == ("n2", ["n2"], ["n1", "n2"])


def test_a_node_that_only_an_extender_refused_needs_no_victim() -> None:
    def nowhere(_pod: Pod, _nodes: object, /) -> ExtenderFilterResult:
        return ExtenderFilterResult([], {"n1": "no licence left"})

    rules = Profile.default().with_extender(Extender("licences", filter=nowhere))
    ours = preempted(VIP, WORKER, rules=rules)
    assert (ours.node, ours.victims) == ("n1", ())


# -- laws ------------------------------------------------------------------------------------------


@st.composite
def crowded_clusters(draw: st.DrawFn) -> Cluster:
    """Draw small nodes full of pods of different importance, and pods that wait for one."""
    cluster, taken = Cluster(), set[str]()
    how_many = draw(st.integers(1, 3))
    for index in range(how_many):
        cluster.add_node(
            node(f"n{index}", cpu=draw(st.integers(1, 4)), labels=draw(labels(max_size=2)))
        )
    for index in range(draw(st.integers(1, 8))):
        where = f"n{draw(st.integers(0, how_many - 1))}"
        wants_port = where not in taken and draw(st.booleans())  # no two of a node clash
        taken |= {where} if wants_port else set()
        waits = draw(st.integers(0, 4)) == 0
        placed = pod(
            f"shop/p{index}",
            cpu=draw(st.integers(0, 2)),
            host_ports=[80] if wants_port else [],
            labels=draw(labels(max_size=2)),
            affinity=draw(st.none() | pod_affinities()),
            priority=draw(st.integers(0, 3)),
            node_name="" if waits else where,
        )
        cluster.add_pod(nominated(placed, where) if waits else placed)
    for index in range(draw(st.integers(0, 2))):
        selector = LabelSelector(match_labels=draw(labels(max_size=1)))
        each = budget(selector, allowed=draw(st.integers(0, 1)))
        cluster.add(evolve(each, metadata=evolve(each.metadata, name=f"budget-{index}")))
    return cluster


@st.composite
def failures(draw: st.DrawFn) -> tuple[GenericScheduler, Pod, FitError]:
    """Draw a pod that fits nowhere, with the scheduler that says so."""
    asked = pod(
        "shop/vip",
        cpu=draw(st.integers(1, 3)),
        host_ports=draw(st.sampled_from([(), (80,)])),
        labels=draw(labels(max_size=2)),
        affinity=draw(st.none() | pod_affinities()),
        priority=draw(st.integers(1, 3)),
    )
    rules = RuleSet(Profile.default().predicates)  # nothing needs to be scored
    scheduler = GenericScheduler(draw(crowded_clusters()), rules)
    try:
        scheduler.schedule(asked)
    except FitError as error:
        return scheduler, asked, error
    assume(False)  # noqa: FBT003 - it fits
    raise AssertionError


def fits_without(
    scheduler: GenericScheduler, asked: Pod, where: str, leaving: Sequence[Pod]
) -> bool:
    """Tell whether a pod fits a node of a cluster in which some pods are really gone."""
    trial = scheduler.cluster.copy()
    for placed in leaving:
        trial.remove_pod(placed)
    try:
        return where in GenericScheduler(trial, scheduler.profile).schedule(asked).feasible
    except FitError:
        return False


@given(failures())
def test_the_victims_are_enough_and_none_can_come_back(
    failure: tuple[GenericScheduler, Pod, FitError],
) -> None:
    scheduler, asked, error = failure
    for name, candidate in scheduler.preempt(asked, error).candidates.items():
        leaving = candidate.pods
        assert all(each.priority < asked.priority for each in leaving)
        assert all(each.node_name == name for each in leaving)
        assert fits_without(scheduler, asked, name, leaving)
        if asked.spec.affinity is None or asked.spec.affinity.pod_affinity is None:
            assert not any(
                fits_without(scheduler, asked, name, [each for each in leaving if each is not back])
                for back in leaving
            )


@given(failures())
def test_it_changes_nothing_and_answers_the_same_again(
    failure: tuple[GenericScheduler, Pod, FitError],
) -> None:
    scheduler, asked, error = failure
    before = scheduler.cluster.snapshot()
    first, again = scheduler.preempt(asked, error), scheduler.preempt(asked, error)
    assert scheduler.cluster.snapshot() is before
    scheduler.cluster._check()
    assert (first.node, first.victims, first.candidates) == (
        again.node,
        again.victims,
        again.candidates,
    )
