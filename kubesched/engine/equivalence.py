"""Verdicts that are remembered for pods alike, until what they depend on has changed.

A predicate's answer depends on the pod, on what it prepared and on what it reads of the node. So an
answer about one pod of a class holds for the next one, as long as the predicate prepares the same
again and none of the facets that it reads has moved at that node. Nobody writes rules about what a
change makes void: the facets say it. A predicate that does not declare what it reads is asked
every time.

Source: kubernetes v1.12.2, pkg/scheduler/core/equivalence/eqivalence.go, for what it is good for.

Differs: the original remembers predicate by predicate and is told what to forget; the answers are
the same.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from threading import Lock
from typing import Any, Final, TypeAlias, cast

from attrs import define, evolve, field, frozen

from kubesched.engine.filtering import Ask, Filter, Verdict
from kubesched.engine.prepared import Prepared
from kubesched.errors import OptionError
from kubesched.framework import PredicateSpec, Reason
from kubesched.model import OwnerReference, Pod, PodSpec
from kubesched.state import CLUSTER_FACETS, NODE_FACETS, Facet, NodeInfo, Snapshot

MAX_CLASSES: Final = 100
"""Classes that are remembered, if nothing else is said; the one asked for longest ago goes first.

Source: kubernetes v1.12.2, pkg/scheduler/core/equivalence/eqivalence.go, maxCacheEntries.
"""


@frozen(cache_hash=True)
class EquivalenceClass:
    """What pods have in common that no predicate can tell apart.

    All that a predicate may read of a pod: where it comes from and what it asks for, but neither
    its name nor its age nor its status.

    Differs: the original compares fewer fields, which is enough for its own predicates; this is
    enough for anybody's.
    """

    namespace: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    owner_references: tuple[OwnerReference, ...]
    spec: PodSpec

    @classmethod
    def of(cls, pod: Pod) -> "EquivalenceClass":
        """Return the class of a pod; to compare two costs O(size of the pods).

        >>> from kubesched.builders import pod
        >>> one, other = pod("web-1", cpu=1), pod("web-2", cpu=1)
        >>> EquivalenceClass.of(one) == EquivalenceClass.of(other)
        True
        """
        meta = pod.metadata
        return cls(meta.namespace, meta.labels, meta.annotations, meta.owner_references, pod.spec)


@frozen
class CacheStatistics:
    """How often a verdict was remembered; each counts for one node and some neighbouring rules.

    Attributes:
        hits: verdicts that were remembered.
        misses: verdicts that had to be worked out.
        discarded: verdicts that were worked out from an older snapshot than what was remembered by
            then, and so were not kept.
        bypassed: nodes about which nothing is remembered: room is kept there for nominated pods, or
            the pod is the first of its class.
    """

    hits: int = 0
    misses: int = 0
    discarded: int = 0
    bypassed: int = 0


Remembered: TypeAlias = tuple[int, Sequence[int], tuple[Reason, ...]]
"""A node's generation, those of its facets, and the reasons against it."""


@frozen(eq=False)
class _Run:
    """Neighbouring predicates whose reasons are remembered together, or not at all.

    Attributes:
        prepared: the predicates with what they prepared.
        facets: what they read of a node; None if they do not say so.
        since: the newest generation of what they read of the cluster without preparing it.
        known: the reasons against each node, by its name.
        is_outdated: whether a newer snapshot has been seen since, so that nothing is to be kept.
    """

    prepared: Prepared
    facets: tuple[Facet, ...] | None
    since: int
    known: dict[str, Remembered] = field(factory=dict)
    is_outdated: bool = False

    def keep(self, nodes: Sequence[NodeInfo], answers: Iterable[Verdict]) -> int:
        """Remember answers, unless something newer is known; return how many were not."""
        known, discarded = self.known, 0
        for node, answer in zip(nodes, answers, strict=True):
            remembered = known.get(node.name)
            if isinstance(answer, Exception):
                continue
            if self.is_outdated or (remembered is not None and remembered[0] > node.generation):
                discarded += 1
            else:
                known[node.name] = (node.generation, node.generations, answer)
        return discarded

    def is_still_good_for(self, other: "_Run") -> bool:
        """Tell whether what is known here holds for the same predicates prepared anew."""
        mine, its = self.prepared, other.prepared
        return (
            self.since == other.since
            and mine.specs == its.specs
            and _same(mine.metas, its.metas)
            and len(self.known) <= 2 * its.snapshot.num_nodes  # else most are of nodes long gone
        )


def _remembered(
    entry: Remembered | None, node: NodeInfo, facets: Sequence[Facet]
) -> tuple[Reason, ...] | None:
    """Return the reasons against a node, if nothing that was read of it has changed since."""
    if entry is None:
        return None
    _, generations, reasons = entry
    is_the_same = all(generations[facet] == node.generations[facet] for facet in facets)
    return reasons if is_the_same else None


def _same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Tell whether metas are equal; those that cannot be compared are not."""
    try:
        return bool(some == others)
    except Exception:  # noqa: BLE001 - somebody's own meta, which then is not remembered
        return False


@frozen(eq=False)
class _Memory:
    """What is known of one class: its runs, and how old the newest snapshot was."""

    runs: tuple[_Run, ...]
    generation: int


@define(eq=False)
class EquivalenceCache:
    """Remembers verdicts for the pods of one scheduler; may be used from many threads.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.config import Profile
    >>> from kubesched.engine import GenericScheduler
    >>> from kubesched.state import Cluster
    >>> cluster, cache = Cluster.of([node("a", cpu=4), node("b", cpu=4)]), EquivalenceCache()
    >>> scheduler = GenericScheduler(cluster, Profile.default(), equivalence_cache=cache)
    >>> for name in ("web-1", "web-2", "web-3"):
    ...     assumed = cluster.assume(pod(name, cpu=1), scheduler.schedule(pod(name, cpu=1)).node)
    >>> cache.statistics.hits > 0
    True
    """

    max_classes: int = MAX_CLASSES
    statistics: CacheStatistics = field(factory=CacheStatistics, init=False)
    _origin: object = field(default=None, init=False)
    _classes: OrderedDict[EquivalenceClass, _Memory] = field(factory=OrderedDict, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    def __attrs_post_init__(self) -> None:
        if type(self.max_classes) is not int or self.max_classes < 1:
            raise OptionError(
                f"max_classes is {self.max_classes!r}, expected an integer of 1 or more"
            )

    def asking(self, wanted: Filter) -> Ask:
        """Return what tells the verdicts of `wanted`, from memory where that is as good."""
        runs = self._runs(wanted.prepared)

        def ask(nodes: Sequence[NodeInfo]) -> Sequence[Verdict]:
            bypassed = nodes if runs is None else [n for n in nodes if n.name in wanted.kept]
            self._count(bypassed=len(bypassed))
            if runs is None:
                return wanted.verdicts(nodes)
            checks_all = wanted.prepared.checks_all
            if not bypassed:
                return self._ask(nodes, runs, checks_all=checks_all)
            others = [node for node in nodes if node.name not in wanted.kept]
            answers = iter(self._ask(others, runs, checks_all=checks_all))
            afresh = iter(wanted.verdicts(bypassed))
            return [next(afresh if node.name in wanted.kept else answers) for node in nodes]

        return ask

    def clear(self) -> None:
        """Forget everything but the statistics."""
        with self._lock:
            self._classes.clear()

    def _runs(self, prepared: Prepared) -> Sequence[_Run] | None:
        """Return the pod's predicates with what is known of its class and still good.

        None for the first pod of a class: many have no second one, and to remember costs, too.
        """
        snapshot, key = prepared.snapshot, EquivalenceClass.of(prepared.pod)
        with self._lock:
            self._origin = self._origin or snapshot.origin
            if snapshot.origin is None or self._origin is not snapshot.origin:
                return None  # of another cluster, or of none that ever was
            if key not in self._classes:
                self._classes[key] = _Memory((), snapshot.generation)
                if len(self._classes) > self.max_classes:
                    self._classes.popitem(last=False)
                return None
            self._classes.move_to_end(key)
            known, fresh = self._classes[key], _runs_of(prepared)
            is_outdated = snapshot.generation < known.generation
            runs = _carried_over(known.runs, fresh, is_outdated=is_outdated)
            if not is_outdated:
                self._classes[key] = _Memory(runs, snapshot.generation)
        return runs

    def _ask(
        self, nodes: Sequence[NodeInfo], runs: Sequence[_Run], *, checks_all: bool
    ) -> Sequence[Verdict]:
        """Ask run by run, and only about nodes that have got so far."""
        if not runs:
            return [()] * len(nodes)
        answers = self._answers(nodes, runs[0])
        if len(runs) == 1:
            return answers
        if checks_all:
            later = self._ask(nodes, runs[1:], checks_all=True)
            return [_both(*each) for each in zip(answers, later, strict=True)]
        if answers.count(()) == len(answers):  # all have got so far
            return self._ask(nodes, runs[1:], checks_all=False)
        left = [node for node, answer in zip(nodes, answers, strict=True) if answer == ()]
        rest = iter(self._ask(left, runs[1:], checks_all=False))
        return [next(rest) if answer == () else answer for answer in answers]

    def _answers(self, nodes: Sequence[NodeInfo], run: _Run) -> Sequence[Verdict]:
        ask, facets, known = Filter(run.prepared).verdicts, run.facets, run.known
        if facets is None:
            return ask(nodes)
        get = known.get
        answers = [
            entry[2]
            if (entry := get(node.name)) is not None and entry[0] == node.generation
            else _remembered(entry, node, facets)
            for node in nodes
        ]
        if None not in answers:
            self._count(hits=len(nodes))
            return cast("list[Verdict]", answers)
        unknown = [node for node, answer in zip(nodes, answers, strict=True) if answer is None]
        asked = ask(unknown)
        discarded = run.keep(unknown, asked)
        misses = len(unknown)
        self._count(hits=len(nodes) - misses, misses=misses, discarded=discarded)
        if misses == len(nodes):
            return asked
        later = iter(asked)
        return [next(later) if answer is None else answer for answer in answers]

    def _count(
        self, *, hits: int = 0, misses: int = 0, discarded: int = 0, bypassed: int = 0
    ) -> None:
        with self._lock:
            now = self.statistics
            self.statistics = CacheStatistics(
                now.hits + hits,
                now.misses + misses,
                now.discarded + discarded,
                now.bypassed + bypassed,
            )


def _runs_of(prepared: Prepared) -> tuple[_Run, ...]:
    """Cut a pod's predicates into runs: those that look beyond the node each for itself.

    What such a one prepares changes often, and then only its own answers are void.
    """
    numbered = list(enumerate(prepared.specs))
    runs: list[_Run] = []
    for _, group in groupby(numbered, key=lambda each: _kind(*each)):
        first, *_rest = members = [index for index, _spec in group]
        part = slice(first, first + len(members))
        specs = prepared.specs[part]
        part_of = evolve(prepared, specs=specs, metas=prepared.metas[part])
        runs.append(_Run(part_of, _node_facets(specs), _since(specs, prepared.snapshot)))
    return tuple(runs)


def _kind(index: int, spec: PredicateSpec[Any]) -> tuple[str, int]:
    """Return what neighbours must have in common to stand in one run."""
    if not _declares(spec):
        return "asked every time", 0
    looks_beyond = not spec.reads.isdisjoint(CLUSTER_FACETS)
    return ("by itself", index) if looks_beyond else ("together", 0)


def _declares(spec: PredicateSpec[Any]) -> bool:
    return spec.reads != frozenset(Facet)


def _node_facets(specs: Sequence[PredicateSpec[Any]]) -> tuple[Facet, ...] | None:
    if not all(map(_declares, specs)):
        return None
    read = frozenset[Facet]().union(*(spec.reads for spec in specs))
    return tuple(sorted(read & NODE_FACETS))


def _since(specs: Sequence[PredicateSpec[Any]], snapshot: Snapshot) -> int:
    """Return the newest generation of what is read of the cluster without having been prepared."""
    unprepared = [spec.reads & CLUSTER_FACETS for spec in specs if spec.prepare is None]
    return snapshot.generation_of(frozenset[Facet]().union(*unprepared))


def _carried_over(
    known: Sequence[_Run], fresh: Sequence[_Run], *, is_outdated: bool
) -> tuple[_Run, ...]:
    """Return the fresh runs, each with what is known if that is still good."""
    if len(known) != len(fresh):
        return tuple(evolve(new, is_outdated=is_outdated) for new in fresh)
    return tuple(
        evolve(new, known=old.known)
        if old.is_still_good_for(new)
        else evolve(new, is_outdated=is_outdated)
        for old, new in zip(known, fresh, strict=True)
    )


def _both(first: Verdict, later: Verdict) -> Verdict:
    if isinstance(first, Exception):
        return first
    return later if isinstance(later, Exception) else (*first, *later)
