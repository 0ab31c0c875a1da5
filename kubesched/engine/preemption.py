"""Who would have to leave which node so that a pod fits: the answer, not the act.

Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go (Preempt,
podEligibleToPreemptOthers, nodesWherePreemptionMightHelp, selectNodesForPreemption,
selectVictimsOnNode, filterPodsWithPDBViolation, pickOneNodeForPreemption,
getLowerPriorityNominatedPods).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from attrs import field, frozen

from kubesched.engine.errors import FitError
from kubesched.engine.extender import preempt_by_extenders
from kubesched.engine.filtering import Filter
from kubesched.engine.pattern_sort import pattern_sorted
from kubesched.engine.what_if import WhatIf
from kubesched.errors import SelectorError, SpecError
from kubesched.framework import Reason, RuleSet, Victims
from kubesched.model import FrozenMap, Pod, PodDisruptionBudget
from kubesched.selectors import Selector, label_selector
from kubesched.state import NodeInfo, Snapshot

_LEAST_PRIORITY: Final = -(2**31)
"""No pod's priority is less."""


@frozen(eq=False)
class Preemption:
    """Where a pod could go if others left, and who they are.

    Attributes:
        pod: the pod that makes the others leave.
        node: the name of the node to which it is to be nominated; None if nowhere enough pods may
            be evicted.
        victims: the pods to evict from that node: first those whose disruption budget does not
            allow it, and within both by falling priority.
        withdrawn: the pods that lose their nomination: less important ones that were nominated to
            the node, or the pod itself if there is no node where eviction could help.
        candidates: every node that could be freed with the victims that it takes, extenders having
            had their say.
        found: the candidates before the extenders had their say.
    """

    pod: Pod
    node: str | None = None
    victims: tuple[Pod, ...] = ()
    withdrawn: tuple[Pod, ...] = ()
    candidates: Mapping[str, Victims] = field(factory=FrozenMap)
    found: Mapping[str, Victims] = field(factory=FrozenMap)

    @cached_property
    def tied(self) -> tuple[str, ...]:
        """The candidates that are as good as the one that was taken, itself included, sorted."""
        return best_candidates(self.candidates)


def preempt(pod: Pod, error: FitError, snapshot: Snapshot, rules: RuleSet) -> Preemption:
    """Work out where a pod could go if less important pods left; O(nodes x pods on each x rules).

    It changes nothing and evicts nobody: whoever asks acts on the answer.

    Args:
        pod: the pod, which fits nowhere.
        error: why.
        snapshot: the cluster on which that was found.
        rules: by which it was found.

    Raises:
        EvaluationError: a predicate could not prepare.
        ExtenderError: an extender failed that may not.
        SpecError: a predicate broke the contract.

    Differs: of several candidates that are equally good the original takes whichever comes first
        in an order that is chance; here it is the first by name.
    """
    options = rules.options
    if options.disable_preemption or not options.pod_priority or not may_preempt(pod, snapshot):
        return Preemption(pod)
    worth_a_try = nodes_where_preemption_might_help(error.refusals, snapshot)
    if not worth_a_try:
        return Preemption(pod, withdrawn=(pod,) if pod.status.nominated_node_name else ())
    found = select_nodes(pod, worth_a_try, snapshot, rules)
    candidates = preempt_by_extenders(pod, rules.extenders, found, snapshot) if found else found
    tied = best_candidates(candidates)
    if not tied or not _exists(tied[0], snapshot):
        return Preemption(pod, candidates=candidates, found=found)
    chosen = tied[0]
    return Preemption(
        pod,
        chosen,
        candidates[chosen].pods,
        tuple(p for p in snapshot.nominated.get(chosen, ()) if p.priority < pod.priority),
        candidates,
        found,
    )


def may_preempt(pod: Pod, snapshot: Snapshot) -> bool:
    """Tell whether a pod may make others leave: not while that is under way for it already.

    It is, if the pod is nominated to a node on which a less important pod is being deleted.
    """
    info = snapshot.node_infos.get(pod.status.nominated_node_name)
    return info is None or not any(
        each.is_terminating and each.priority < pod.priority for each in info.pods.values()
    )


def nodes_where_preemption_might_help(
    refusals: Mapping[str, tuple[Reason, ...]], snapshot: Snapshot
) -> Sequence[NodeInfo]:
    """Return the nodes against which there is no reason that eviction cannot cure; O(nodes)."""
    return [
        info
        for info in snapshot.node_infos.entries()
        if info.node is not None
        and all(reason.resolvable for reason in refusals.get(info.name, ()))
    ]


def select_nodes(
    pod: Pod, nodes: Iterable[NodeInfo], snapshot: Snapshot, rules: RuleSet
) -> Mapping[str, Victims]:
    """Return the nodes that evicting less important pods would free, with those it would take.

    Raises:
        EvaluationError: a predicate could not prepare.
        SpecError: a predicate broke the contract.
    """
    wanted = Filter.of(pod, rules.predicates, snapshot)
    budget_forbids = _budgets(snapshot.of(PodDisruptionBudget).values())
    found = ((info.name, _victims_on(info, wanted, budget_forbids)) for info in nodes)
    return {name: victims for name, victims in found if victims is not None}


Forbids: TypeAlias = Callable[[Pod], bool]


def _victims_on(info: NodeInfo, wanted: Filter, budget_forbids: Forbids) -> Victims | None:
    """Return which pods have to leave a node at least; None if the pod fits in no case.

    All less important pods are taken off first. If the pod fits then, they come back one by one as
    long as it goes on fitting: first those whose budget forbids eviction, then by priority.
    """
    pod = wanted.prepared.pod
    less_important = [each for each in info.pods.values() if each.priority < pod.priority]
    node = WhatIf.of(wanted.prepared, info, without=less_important)
    if not _fits(wanted, node):
        return None
    protected, others = _by_budget(less_important, budget_forbids)
    violating = tuple(each for each in protected if not _comes_back(each, wanted, node))
    other_victims = tuple(each for each in others if not _comes_back(each, wanted, node))
    return Victims((*violating, *other_victims), len(violating))


def _comes_back(placed: Pod, wanted: Filter, node: WhatIf) -> bool:
    """Put a pod back on a node, unless the other one does not fit beside it."""
    node.add_pod(placed)
    if _fits(wanted, node):
        return True
    node.remove_pod(placed)
    return False


def _fits(wanted: Filter, node: WhatIf) -> bool:
    """Tell whether a pod fits; a predicate that cannot answer counts as one that refuses."""
    try:
        return not wanted.reasons_beside_others(node)
    except SpecError:
        raise
    except Exception:  # noqa: BLE001 - the original logs it and goes on to the next node
        return False


def _by_budget(pods: Sequence[Pod], forbids: Forbids) -> tuple[Sequence[Pod], Sequence[Pod]]:
    """Sort pods by falling priority, those that budgets protect apart from the others."""
    ordered = pattern_sorted(pods, lambda one, other: one.priority > other.priority)
    protected = [pod for pod in ordered if forbids(pod)]
    others = [pod for pod in ordered if not forbids(pod)]
    return protected, others


def _budgets(budgets: Iterable[PodDisruptionBudget]) -> Forbids:
    """Return what tells whether a budget allows no disruption of a pod.

    A budget with an empty or an invalid selector protects nobody, and pods without labels are not
    protected. How many pods of a budget are evicted already does not matter.
    """
    exhausted = tuple(_exhausted(budgets))
    if not exhausted:
        return lambda _pod: False

    def forbids(pod: Pod) -> bool:
        labels = pod.metadata.labels
        return bool(labels) and any(
            namespace == pod.namespace and selector.matches(labels)
            for namespace, selector in exhausted
        )

    return forbids


def _exhausted(budgets: Iterable[PodDisruptionBudget]) -> Iterator[tuple[str, Selector]]:
    for budget in budgets:
        if budget.status.disruptions_allowed > 0:
            continue
        try:
            selector = label_selector(budget.spec.selector)
        except SelectorError:
            continue
        if selector.requirements:
            yield budget.namespace, selector


def best_candidates(candidates: Mapping[str, Victims]) -> tuple[str, ...]:
    """Return the nodes to be preferred, sorted by name: equally good, so that chance would decide.

    Those are best that need no victim. Else the fewest victims count whose budget is violated; then
    the least important first victim; then the smallest sum of the victims' priorities, each counted
    from the least there can be; then the fewest victims.
    """
    if not candidates:
        return ()
    ranks = {name: _rank(victims) for name, victims in candidates.items()}
    best = min(ranks.values())
    return tuple(sorted(name for name, rank in ranks.items() if rank == best))


def _rank(victims: Victims) -> tuple[int, ...]:
    if not victims.pods:
        return ()  # less than any other
    priorities = [pod.priority for pod in victims.pods]
    total = sum(priority - _LEAST_PRIORITY for priority in priorities)
    return victims.num_pdb_violations, priorities[0], total, len(priorities)


def _exists(node_name: str, snapshot: Snapshot) -> bool:
    info = snapshot.node_infos.get(node_name)
    return info is not None and info.node is not None
