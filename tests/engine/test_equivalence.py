"""Verdicts that are remembered for pods alike."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from attrs import define, evolve, field
from hypothesis import settings

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import (
    CacheStatistics,
    EquivalenceCache,
    EquivalenceClass,
    GenericScheduler,
)
from kubesched.engine.filtering import Filter
from kubesched.errors import OptionError, SchedulingError
from kubesched.framework import FITS, Fit, PredicateSpec, Reason
from kubesched.model import (
    ObjectMeta,
    Pod,
    PodStatus,
    Service,
)
from kubesched.state import Cluster, Facet, NodeInfo, Snapshot
from kubesched.testing.machines.cluster_machine import ClusterMachine

WEB = pod("shop/web-1", cpu=1, labels={"app": "web"})
CLOSED = Reason("closed")


@define
class Asked:
    """A predicate that notes which nodes it was asked about, and refuses those that are closed."""

    nodes: list[str] = field(factory=list)

    def __call__(self, _pod: Pod, _meta: Any, info: NodeInfo, /) -> Fit:
        self.nodes.append(info.name)
        return Fit(CLOSED) if "closed" in info.labels else FITS


@define
class Question:
    """A cluster, a predicate and a cache; asking tells which nodes it was asked about."""

    asked: Asked
    spec: PredicateSpec[Any]
    cluster: Cluster = field(factory=lambda: Cluster.of([node("a"), node("b")]))
    cache: EquivalenceCache = field(factory=EquivalenceCache)

    def ask(self, asked: Pod = WEB, snapshot: Snapshot | None = None) -> list[str]:
        there = self.cluster.snapshot() if snapshot is None else snapshot
        self.asked.nodes.clear()
        wanted = Filter.of(asked, [self.spec], there)
        self.cache.asking(wanted)(there.node_infos.select(there.order.round))
        return [*self.asked.nodes]


def question(**declared: Any) -> Question:
    """Return a question that was asked about one pod alike before, which is not remembered yet."""
    asked = Asked()
    ours = Question(asked, PredicateSpec("Closed", asked, **declared))
    assert ours.ask() == ["a", "b"]
    ours.cache.statistics = CacheStatistics()
    return ours


# -- what is asked again, and what is not ----------------------------------------------------------


def test_the_first_pod_of_a_class_is_not_remembered() -> None:
    asked = Asked()
    ours = Question(asked, PredicateSpec("Closed", asked, reads={Facet.LABELS}))
    assert ours.ask() == ours.ask() == ["a", "b"]
    assert ours.cache.statistics == CacheStatistics(misses=2, bypassed=2)


def test_a_pod_alike_is_not_asked_about_again() -> None:
    ours = question(reads={Facet.LABELS})
    assert ours.ask() == ["a", "b"]
    assert ours.ask(pod("shop/web-2", cpu=1, labels={"app": "web"})) == []
    assert ours.cache.statistics == CacheStatistics(hits=2, misses=2)


def test_another_pod_is() -> None:
    ours = question(reads={Facet.LABELS})
    assert ours.ask() == ours.ask(pod("shop/web-2", cpu=2, labels={"app": "web"})) == ["a", "b"]


class Change(NamedTuple):
    """A change of the cluster, and the nodes about which a reader of labels is asked again."""

    says: str
    change: Callable[[Cluster], object]
    asked_again: Sequence[str]


CHANGES = [
    Change("nothing", lambda cluster: cluster, []),
    Change(
        "what is read",
        lambda cluster: cluster.update_node(node("a", labels={"app": "x"})),
        ["a"],
    ),
    Change(
        "something else at the node",
        lambda cluster: cluster.update_node(node("a", taints=["spot:NoSchedule"])),
        [],
    ),
    Change("the pods on it", lambda cluster: cluster.assume(pod("shop/p"), "a"), []),
    Change("another node comes", lambda cluster: cluster.add_node(node("c")), ["c"]),
    Change(
        "a node goes and comes back",
        lambda cluster: [change(node("a")) for change in (cluster.remove_node, cluster.add_node)],
        ["a"],
    ),
    Change(
        "a service comes", lambda cluster: cluster.add(Service(metadata=ObjectMeta(name="s"))), []
    ),
]


@pytest.mark.parametrize("case", CHANGES, ids=lambda case: case.says)
def test_only_what_may_have_changed_is_asked_again(case: Change) -> None:
    ours = question(reads={Facet.LABELS})
    ours.ask()
    case.change(ours.cluster)
    assert ours.ask() == case.asked_again


def test_who_does_not_say_what_is_read_is_asked_every_time() -> None:
    ours = question()
    assert ours.ask() == ours.ask() == ["a", "b"]
    assert ours.cache.statistics == CacheStatistics()


def test_where_the_same_is_prepared_nothing_beyond_the_node_matters() -> None:
    def tidied(_pod: Pod, snapshot: Snapshot, /) -> bool:
        return len(snapshot.of(Service)) > 1

    ours = question(reads={Facet.SERVICES}, prepare=tidied)
    assert ours.ask() == ["a", "b"]
    ours.cluster.add(Service(metadata=ObjectMeta(name="s1")))
    assert ours.ask() == []
    ours.cluster.add(Service(metadata=ObjectMeta(name="s2")))
    assert ours.ask() == ["a", "b"]


def test_who_reads_beyond_the_node_without_preparing_is_asked_after_each_change_there() -> None:
    ours = question(reads={Facet.SERVICES})
    ours.ask()
    ours.cluster.add_node(node("c"))
    assert ours.ask() == ["c"]
    ours.cluster.add(Service(metadata=ObjectMeta(name="s")))
    assert ours.ask() == ["a", "b", "c"]


class Incomparable:
    """A meta whose comparison fails, as that of an array does."""

    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")

    __hash__ = None  # type: ignore[assignment]


def test_metas_that_cannot_be_compared_are_not_the_same() -> None:
    ours = question(reads={Facet.LABELS}, prepare=lambda _pod, _snapshot: Incomparable())
    assert ours.ask() == ours.ask() == ["a", "b"]


def test_a_rule_beyond_the_node_does_not_make_its_neighbours_forget() -> None:
    near, far = Asked(), Asked()
    rules = [
        PredicateSpec("Near", near, reads={Facet.LABELS}, order=1001),
        PredicateSpec("Far", far, reads={Facet.SERVICES}, order=1002),
    ]
    cluster, cache = Cluster.of([node("a"), node("b", labels={"closed": ""})]), EquivalenceCache()
    scheduler = GenericScheduler(cluster, Profile(rules), equivalence_cache=cache)
    for _ in range(2):
        scheduler.schedule(WEB)
    assert (near.nodes, far.nodes) == (["a", "b", "a", "b"], ["a", "a"])
    cluster.add(Service(metadata=ObjectMeta(name="s")))
    scheduler.schedule(WEB)
    assert (near.nodes, far.nodes) == (["a", "b", "a", "b"], ["a", "a", "a"])


def test_what_was_raised_is_not_remembered() -> None:
    def fails(_pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
        raise ValueError("odd")

    cluster, cache = Cluster.of([node("a")]), EquivalenceCache()
    rules = Profile([PredicateSpec("Fails", fails, reads={Facet.LABELS})])
    for _ in range(3):
        with pytest.raises(SchedulingError, match="odd"):
            GenericScheduler(cluster, rules, equivalence_cache=cache).schedule(WEB)
    assert cache.statistics == CacheStatistics(misses=2, bypassed=1)


# -- which snapshot --------------------------------------------------------------------------------


def test_what_an_older_snapshot_says_is_not_kept() -> None:
    ours = question(reads={Facet.LABELS})
    before = ours.cluster.snapshot()
    ours.cluster.update_node(node("a", labels={"closed": ""}))
    assert ours.ask() == ["a", "b"]
    assert ours.ask(snapshot=before) == ["a"]
    assert ours.cache.statistics == CacheStatistics(hits=1, misses=3, discarded=1)
    assert ours.ask() == []


def test_what_was_prepared_from_an_older_snapshot_does_not_take_the_place_of_newer() -> None:
    ours = question(reads={Facet.SERVICES}, prepare=lambda _pod, seen: len(seen.of(Service)))
    before = ours.cluster.snapshot()
    ours.cluster.add(Service(metadata=ObjectMeta(name="s")))
    assert ours.ask() == ours.ask(snapshot=before) == ["a", "b"]
    assert ours.cache.statistics == CacheStatistics(misses=4, discarded=2)
    assert ours.ask() == []


def test_another_cluster_is_not_taken_for_this_one() -> None:
    ours = question(reads={Facet.LABELS})
    ours.ask()
    other = Cluster.of([node("a", labels={"closed": ""}), node("b")]).snapshot()
    assert ours.ask(snapshot=other) == ["a", "b"]
    assert ours.ask() == []


def test_what_never_was_is_not_taken_for_the_cluster() -> None:
    asked = Asked()
    ours = Question(asked, PredicateSpec("Closed", asked, reads={Facet.LABELS}))
    there = ours.cluster.snapshot()
    what_if = there.with_node(there.node_infos["a"].clone())
    for _ in range(3):
        assert ours.ask(snapshot=what_if) == ["a", "b"]
    assert [ours.ask() for _ in range(3)] == [["a", "b"], ["a", "b"], []]


def test_nodes_long_gone_are_forgotten() -> None:
    ours = question(reads={Facet.LABELS})
    for number in range(9):
        ours.cluster.add_node(node(f"short-lived-{number}"))
        ours.ask()
        ours.cluster.remove_node(node(f"short-lived-{number}"))
    (memory,) = ours.cache._classes.values()
    assert len(memory.runs[0].known) <= 2 * 3


def test_where_room_is_kept_nothing_is_remembered() -> None:
    ours = question(reads={Facet.LABELS})
    waiting = evolve(pod("shop/first"), status=PodStatus(nominated_node_name="a"))
    ours.cluster.add_pod(waiting)
    assert ours.ask() == ["b", "a", "a"]
    assert ours.ask() == ["a", "a"]
    assert ours.cache.statistics == CacheStatistics(hits=1, misses=1, bypassed=2)


# -- how much --------------------------------------------------------------------------------------


def test_the_class_that_was_asked_for_longest_ago_goes_first() -> None:
    ours = question(reads={Facet.LABELS})
    ours.cache = EquivalenceCache(max_classes=2)
    first, second, third = (pod("shop/p", cpu=cpu) for cpu in (1, 2, 3))
    for asked in (first, second, first, third):
        ours.ask(asked)
    assert (ours.ask(first), ours.ask(second)) == ([], ["a", "b"])


def test_everything_may_be_forgotten() -> None:
    ours = question(reads={Facet.LABELS})
    ours.ask()
    ours.cache.clear()
    assert ours.ask() == ["a", "b"]


@pytest.mark.parametrize("number", [0, -1, True, "5"])
def test_a_cache_for_no_class_is_none(number: Any) -> None:
    with pytest.raises(OptionError, match="max_classes"):
        EquivalenceCache(max_classes=number)


# -- who is alike ----------------------------------------------------------------------------------


class Alike(NamedTuple):
    """A pod beside the web pod, and whether any predicate could tell them apart."""

    says: str
    other: Pod
    alike: bool


ALIKE = [
    Alike("another name", pod("shop/web-2", cpu=1, labels={"app": "web"}), alike=True),
    Alike("another namespace", pod("batch/web-1", cpu=1, labels={"app": "web"}), alike=False),
    Alike("other labels", pod("shop/web-1", cpu=1), alike=False),
    Alike("other containers", pod("shop/web-1", cpu=2, labels={"app": "web"}), alike=False),
    Alike(
        "another status",
        evolve(WEB, status=PodStatus(nominated_node_name="a")),
        alike=True,
    ),
    Alike(
        "other annotations",
        evolve(WEB, metadata=evolve(WEB.metadata, annotations={"a": "b"})),
        alike=False,
    ),
    Alike("another priority", evolve(WEB, spec=evolve(WEB.spec, priority=5)), alike=False),
]


@pytest.mark.parametrize("case", ALIKE, ids=lambda case: case.says)
def test_who_is_alike(case: Alike) -> None:
    assert (EquivalenceClass.of(case.other) == EquivalenceClass.of(WEB)) is case.alike


# -- with the cache and without --------------------------------------------------------------------


class CachedBesidePlain(ClusterMachine):
    """Change a cluster at will between decisions: what is remembered never changes one."""

    def make_profile(self) -> Profile:
        rules = Profile.default().with_predicate(
            PredicateSpec("Closed", Asked(), reads={Facet.LABELS})
        )
        return rules.with_predicate(PredicateSpec("Undeclared", Asked(), order=115))


class CheckingAll(CachedBesidePlain):
    """Do the same where nodes are asked every predicate."""

    def make_profile(self) -> Profile:
        return super().make_profile().with_options(always_check_all_predicates=True)


def outcome(scheduler: GenericScheduler, asked: Pod, snapshot: Snapshot) -> object:
    """Return all that a decision says, or the error in its place."""
    try:
        ours = scheduler.schedule(asked, snapshot)
    except SchedulingError as error:
        return type(error), str(error), getattr(error, "refusals", None)
    return ours.node, ours.feasible, ours.refusals, ours.totals


CachedBesidePlain.TestCase.settings = settings(
    CachedBesidePlain.TestCase.settings, max_examples=60, stateful_step_count=25
)
CheckingAll.TestCase.settings = settings(
    CheckingAll.TestCase.settings, max_examples=40, stateful_step_count=25
)
TestCachedBesidePlain = CachedBesidePlain.TestCase
TestCheckingAll = CheckingAll.TestCase


def test_a_declaration_that_is_not_honest_shows() -> None:
    """Such a predicate is what the machine above would find: its answer is remembered too long."""
    cluster = Cluster.of([node("a")])
    rules = Profile([PredicateSpec("Closed", Asked(), reads={Facet.TAINTS})])
    cached = GenericScheduler(cluster, rules, equivalence_cache=EquivalenceCache())
    plain = GenericScheduler(cluster, rules)
    for _ in range(2):
        assert outcome(cached, WEB, cluster.snapshot()) == outcome(plain, WEB, cluster.snapshot())
    cluster.update_node(node("a", labels={"closed": ""}))
    assert outcome(cached, WEB, cluster.snapshot()) != outcome(plain, WEB, cluster.snapshot())
