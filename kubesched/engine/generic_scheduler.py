"""One decision: which node a pod is to go to.

Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go (Schedule,
podPassesBasicChecks).
"""

from collections.abc import Callable, Sequence
from logging import getLogger
from time import perf_counter
from typing import Final

from attrs import define, field

from kubesched.engine.decision import Decision
from kubesched.engine.equivalence import EquivalenceCache
from kubesched.engine.errors import ClaimError, FitError, NoNodesAvailable
from kubesched.engine.extender import filter_by_extenders, scores_of_extenders
from kubesched.engine.filtering import Filter, Filtered, find_nodes_that_fit
from kubesched.engine.preemption import Preemption, preempt
from kubesched.engine.scoring import Scored, prioritize_nodes
from kubesched.engine.selection import HostSelector, RoundRobin, select_host
from kubesched.engine.stopwatch import (
    SLOW_DECISION_SECONDS,
    DecisionStep,
    StepObserver,
    Stopwatch,
)
from kubesched.engine.workers import Workers
from kubesched.framework import RuleSet
from kubesched.model import PersistentVolumeClaim, Pod
from kubesched.state import Cluster, NodeCursor, NodeInfo, Snapshot

_LOGGER: Final = getLogger("kubesched.engine")


def _workers(given: Workers | int) -> Workers:
    return given if isinstance(given, Workers) else Workers(given)


@define(eq=False)
class GenericScheduler:
    """Decides by a profile where pods of a cluster are to go.

    Deciding changes nothing in the cluster: whoever asks acts on the decision. The scheduler itself
    only remembers whose turn it is, among tied nodes and in the round over the nodes. `observe` is
    told how many seconds filtering took, if a node was found, and then scoring, measured by `now`.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.config import Profile
    >>> cluster = Cluster.of([node("a", cpu=1), node("b", cpu=4), node("c", cpu=2)])
    >>> decision = GenericScheduler(cluster, Profile.default()).schedule(pod("web-1", cpu="1500m"))
    >>> decision.node, decision.feasible, decision.refusals["a"][0].text
    ('b', ('b', 'c'), 'Insufficient cpu')
    """

    cluster: Cluster
    profile: RuleSet
    select: HostSelector = field(factory=RoundRobin, kw_only=True)
    workers: Workers = field(factory=Workers, kw_only=True, converter=_workers)
    equivalence_cache: EquivalenceCache | None = field(default=None, kw_only=True)
    observe: StepObserver | None = field(default=None, kw_only=True)
    now: Callable[[], float] = field(default=perf_counter, kw_only=True)
    _cursor: NodeCursor = field(factory=NodeCursor, init=False)

    def schedule(self, pod: Pod, snapshot: Snapshot | None = None) -> Decision:
        """Return the node for a pod, with the evidence; O(nodes x rules).

        Args:
            pod: the pod, whether the cluster knows it or not.
            snapshot: the cluster to decide on, as it is now if nothing is given.

        Raises:
            ClaimError: a claim of the pod is missing or being deleted.
            NoNodesAvailable: there is no node.
            FitError: no node fits; its `refusals` say why.
            EvaluationError: a rule could not answer.
            ExtenderError: an extender failed that may not.
            SpecError: a rule broke the contract.
        """
        snapshot = self.cluster.snapshot() if snapshot is None else snapshot
        watch = Stopwatch(f"Scheduling {pod.key}", self.now)
        try:
            return self._decide(pod, snapshot, watch)
        finally:
            watch.log_if_long(_LOGGER, SLOW_DECISION_SECONDS)

    def preempt(self, pod: Pod, error: FitError, snapshot: Snapshot | None = None) -> Preemption:
        """Return where a pod that fits nowhere could go if less important ones left, and which.

        Args:
            pod: the pod.
            error: why it fits nowhere, as `schedule` raised it.
            snapshot: the cluster that was decided on, as it is now if nothing is given.

        Raises:
            EvaluationError: a rule could not answer.
            ExtenderError: an extender failed that may not.
            SpecError: a rule broke the contract.
        """
        snapshot = self.cluster.snapshot() if snapshot is None else snapshot
        return preempt(pod, error, snapshot, self.profile)

    def _decide(self, pod: Pod, snapshot: Snapshot, watch: Stopwatch) -> Decision:
        check_claims(pod, snapshot)
        if not snapshot.num_nodes:
            raise NoNodesAvailable
        found = self._filter(pod, snapshot)
        feasible, refusals = filter_by_extenders(
            pod, self.profile.extenders, found.feasible, found.refusals, snapshot
        )
        seconds = watch.step("Computing predicates")
        if not feasible:
            raise FitError(pod, snapshot.num_nodes, refusals)
        self._tell("predicate_evaluation", seconds)
        names = tuple(node.name for node in feasible)
        if len(names) == 1:
            return Decision(pod, names[0], names, refusals)
        scored = self._score(pod, feasible, snapshot)
        self._tell("priority_evaluation", watch.step("Prioritizing"))
        chosen = select_host(names, scored.totals, self.select)
        watch.step("Selecting host")
        return Decision(pod, chosen, names, refusals, scored)

    def _tell(self, step: DecisionStep, seconds: float) -> None:
        if self.observe is not None:
            self.observe(step, seconds)

    def _filter(self, pod: Pod, snapshot: Snapshot) -> Filtered:
        options, cache = self.profile.options, self.equivalence_cache
        wanted = Filter.of(
            pod,
            self.profile.predicates,
            snapshot,
            checks_all=options.always_check_all_predicates,
            keeps_room=options.pod_priority,
        )
        return find_nodes_that_fit(
            wanted.verdicts if cache is None else cache.asking(wanted),
            snapshot,
            self._cursor,
            options.percentage_of_nodes_to_score,
            workers=self.workers,
            blocks=wanted.prepared.blocks,
        )

    def _score(self, pod: Pod, nodes: Sequence[NodeInfo], snapshot: Snapshot) -> Scored:
        rules = self.profile
        scored = prioritize_nodes(pod, rules.priorities, nodes, snapshot, self.workers)
        if not rules.extenders:
            return scored
        extra = scores_of_extenders(pod, rules.extenders, nodes, self.workers)
        base = scored.totals if rules.priorities else [0] * len(nodes)
        totals = [total + extra.get(node.name, 0) for node, total in zip(nodes, base, strict=True)]
        return Scored(scored.columns, totals)


def check_claims(pod: Pod, snapshot: Snapshot) -> None:
    """Refuse a pod with a claim that is missing or on its way out.

    Raises:
        ClaimError: the first such claim.
    """
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim is None:
            continue
        name = volume.persistent_volume_claim.claim_name
        claim = snapshot.of(PersistentVolumeClaim).get(f"{pod.namespace}/{name}")
        if claim is None:
            raise ClaimError(name, "not found")
        if claim.metadata.deletion_timestamp is not None:
            raise ClaimError(name, "is being deleted")
