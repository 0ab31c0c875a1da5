"""How near a pod would be to the pods that it prefers, and that prefer it.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/interpod_affinity.go.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from attrs import define, field

from kubesched.errors import OptionError, SelectorError
from kubesched.framework import MAX_SCORE, SKIP, PrioritySpec, Skip
from kubesched.model import Pod
from kubesched.plugins.pod_affinity.faults import faults_in
from kubesched.plugins.pod_affinity.groups import answers_by_node
from kubesched.plugins.pod_affinity.terms import (
    Labelled,
    PodTerms,
    Preferences,
    Term,
    terms_of,
    terms_of_group,
)
from kubesched.state import AffinityGroup, Facet, NodeInfo, Snapshot

G = TypeVar("G")

HARD_WEIGHTS: Final = range(1, 101)
"""What required affinity may be worth to the pods that it is about."""

Sums: TypeAlias = Mapping[str, Mapping[str, int]]
"""What a place is worth, by the key of a node label and by its value."""

WeightedTerm: TypeAlias = tuple[int, Term]
Worth: TypeAlias = tuple[tuple[str, int], ...]
"""What it is worth to be near a pod, by the key of a node label."""


@define(eq=False)
class _Ledger:
    """Adds up what places are worth."""

    sums: dict[str, dict[str, int]] = field(factory=dict)

    def add_groups(
        self,
        groups: Mapping[G, Mapping[str, int]],
        worth_of: Callable[[G], Worth],
        snapshot: Snapshot,
    ) -> None:
        """Add what placed pods are worth, asked once for a group of them."""
        for worth, labels, pods in answers_by_node(groups, worth_of, snapshot):
            self._add(labels, worth, pods)

    def _add(self, labels: Mapping[str, str], worth: Worth, pods: int) -> None:
        """Add what some pods on a node with these labels are worth each."""
        for key, amount in worth:
            value = labels.get(key)
            if value is not None:
                by_value = self.sums.setdefault(key, {})
                by_value[value] = by_value.get(value, 0) + amount * pods


def inter_pod_affinity(
    hard_pod_affinity_weight: int = 1,
    *,
    name: str = "InterPodAffinityPriority",
    weight: int = 1,
) -> PrioritySpec[Sums]:
    """Return the priority that scores nodes by preferred affinity and anti-affinity to pods.

    For each placed pod a node gains the weights of the pod's preferred affinity terms that are
    about the placed pod and by which the node is near it, and those of the placed pod's that are
    about the pod; it loses those of anti-affinity. Required affinity of placed pods to the pod
    counts as well. The sums are then stretched to 0..10.

    Args:
        hard_pod_affinity_weight: what each term of that required affinity is worth, 1..100.
        name: what the priority is called.
        weight: the priority's weight.

    Raises:
        OptionError: a weight out of its range.

    >>> inter_pod_affinity(100).name
    'InterPodAffinityPriority'
    """
    if type(hard_pod_affinity_weight) is not int or hard_pod_affinity_weight not in HARD_WEIGHTS:
        raise OptionError(
            f"hard_pod_affinity_weight is {hard_pod_affinity_weight!r}, "
            f"expected an integer from 1 to 100"
        )

    def prepare(pod: Pod, snapshot: Snapshot, /) -> Sums | Skip:
        return prepare_sums(pod, snapshot, hard_pod_affinity_weight)

    return PrioritySpec(
        name,
        sum_at,
        reduce=stretch,
        weight=weight,
        prepare=prepare,
        reads={Facet.LABELS, Facet.CLUSTER_PODS, Facet.CLUSTER_NODES},
    )


def prepare_sums(pod: Pod, snapshot: Snapshot, hard_weight: int) -> Sums | Skip:
    """Add up what each place is worth to a pod; O(groups of pods + nodes of those that matter).

    Raises:
        SelectorError: a term of the pod or of a placed one cannot be evaluated.
    """
    ledger = _Ledger()
    _add_own(ledger, terms_of(pod).preferred, snapshot)
    _add_others(ledger, pod, snapshot, hard_weight)
    return ledger.sums or SKIP


def _add_own(ledger: _Ledger, own: Preferences, snapshot: Snapshot) -> None:
    """Add what the pod's own terms say about placed pods."""
    if own.fault is not None and _is_any_pod_on_a_node(snapshot):
        raise SelectorError(own.fault)
    if own.terms:
        ledger.add_groups(snapshot.label_groups, lambda it: _worth(own.terms, it), snapshot)


def _is_any_pod_on_a_node(snapshot: Snapshot) -> bool:
    return any(info.pods for info in snapshot.node_infos.entries() if info.node is not None)


def _add_others(ledger: _Ledger, pod: Pod, snapshot: Snapshot, hard_weight: int) -> None:
    """Add what the terms of placed pods say about the pod."""
    for fault in faults_in(snapshot, lambda terms: terms.required.fault or terms.preferred.fault):
        raise SelectorError(fault.text)

    def worth_of(group: AffinityGroup) -> Worth:
        return _worth(_weighted(terms_of_group(group), hard_weight), pod)

    ledger.add_groups(snapshot.affinity_groups, worth_of, snapshot)


def _weighted(terms: PodTerms, hard_weight: int) -> Iterator[WeightedTerm]:
    yield from ((hard_weight, term) for term in terms.required.terms)
    yield from terms.preferred.terms


def _worth(terms: Iterable[WeightedTerm], pod: Labelled) -> Worth:
    worth: Counter[str] = Counter()
    for weight, term in terms:
        if term.topology_key and term.selects(pod):
            worth[term.topology_key] += weight
    return tuple((key, amount) for key, amount in worth.items() if amount)


def sum_at(_pod: Pod, sums: Sums, node: NodeInfo, /) -> int:
    """Add up what the node's places are worth: any integer."""
    labels, total = node.labels, 0
    for key, by_value in sums.items():
        value = labels.get(key)
        if value is not None:
            total += by_value.get(value, 0)
    return total


def stretch(
    _pod: Pod, _sums: Sums, _nodes: Sequence[NodeInfo], totals: Sequence[int], /
) -> Sequence[int]:
    """Bring the sums to 0..10, cut off.

    The lowest sum becomes 0 and the highest 10, where 0 counts as a sum as well: a node that is
    near nobody stands between those that are liked and those that are disliked.
    """
    low, high = min((0, *totals)), max((0, *totals))
    if low == high:
        return [0] * len(totals)
    return [int(MAX_SCORE * ((total - low) / (high - low))) for total in totals]


INTER_POD_AFFINITY: Final = inter_pod_affinity()
