"""Affinity to pods without an overview: each node's question goes through the placed pods anew.

The original gives its overview up when one term of any pod involved cannot be evaluated, or when a
placed pod is on a node that does not exist, and then follows other rules: a single placed pod must
meet all terms of the pod's own affinity, and also of its own anti-affinity, with all their places;
what cannot be told is an error, or a refusal if it is about the pod's own anti-affinity.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go
(satisfiesExistingPodsAntiAffinity, satisfiesPodsAffinityAntiAffinity, podMatchesPodAffinityTerms).
"""

from collections.abc import Iterator, Mapping
from typing import Self

from attrs import evolve, frozen

from kubesched.framework import FITS, Fit
from kubesched.model import Pod
from kubesched.plugins.pod_affinity.faults import Fault
from kubesched.plugins.pod_affinity.holders import Holders
from kubesched.plugins.pod_affinity.pairs import PairCounts, pairs_of
from kubesched.plugins.pod_affinity.reasons import KEPT_OFF, TOO_FAR, TOO_NEAR, PodAffinityError
from kubesched.plugins.pod_affinity.terms import PodTerms, Terms, terms_of
from kubesched.state import LabelGroup, NodeInfo, Snapshot


@frozen
class Placed:
    """A placed pod that the asked pod's own terms are about.

    Attributes:
        key: its `namespace/name`.
        node_name: the node that it claims to be on.
        labels: the labels of that node; None where there is none.
        is_wanted: whether all terms of the affinity are about it.
        is_unwanted: whether all terms of the anti-affinity are about it.
    """

    key: str
    node_name: str
    labels: Mapping[str, str] | None
    is_wanted: bool
    is_unwanted: bool

    def is_near(self, labels: Mapping[str, str], terms: Terms) -> bool:
        """Tell whether a node with these labels is near it by every term.

        Raises:
            PodAffinityError: its node does not exist, or a term has no topology key.
        """
        if self.labels is None:
            raise PodAffinityError(f'node "{self.node_name}" not found')
        for term in terms.terms:
            key = term.topology_key
            if not key:
                raise PodAffinityError(
                    "empty topologyKey is not allowed except for PreferredDuringScheduling pod "
                    "anti-affinity"
                )
            if key not in labels or labels[key] != self.labels.get(key):
                return False
        return True


@frozen
class NodeByNode:
    """What every node's question goes through.

    Attributes:
        key: the pod's `namespace/name`.
        asked: what terms can see of it.
        terms: its own terms.
        holders: the places that the required anti-affinity of placed pods keeps it off.
        faults: the placed pods of which that cannot be told.
        placed: the placed pods that matter to its own terms, in the order of the nodes; all of
            them, if one of these terms cannot be evaluated.
    """

    key: str
    asked: LabelGroup
    terms: PodTerms
    holders: PairCounts
    faults: tuple[Fault, ...]
    placed: tuple[Placed, ...]

    @classmethod
    def of(cls, pod: Pod, holders: Holders, snapshot: Snapshot) -> Self:
        """Go through all placed pods once; O(pods)."""
        terms = terms_of(pod)
        placed = (
            found
            for info in snapshot.node_infos.entries()
            for each in info.pods.values()
            for found in _if_it_matters(terms, each, info)
        )
        asked = LabelGroup.of(pod)
        return cls(pod.key, asked, terms, holders.pairs, holders.faults, tuple(placed))

    def verdict(self, node: NodeInfo) -> Fit:
        """Tell whether the pod may go to a node; O(placed pods that matter).

        Raises:
            PodAffinityError: it cannot be told.
        """
        if self.faults:
            raise PodAffinityError(
                f"Failed to get all terms that pod {self.key} matches, err: {self.faults[0].text}"
            )
        if self.holders.is_in(node.labels):
            return KEPT_OFF
        return self._verdict_by_own_terms(node)

    def _verdict_by_own_terms(self, node: NodeInfo) -> Fit:
        seeks = self.terms.required.are_given
        for other in self.placed:
            seeks = seeks and not self._is_near_wanted(other, node)
            if self._is_near_unwanted(other, node):
                return TOO_NEAR
        return TOO_FAR if seeks and not self._is_first_of_its_kind() else FITS

    def _is_near_wanted(self, other: Placed, node: NodeInfo) -> bool:
        try:
            return self._wants(other) and other.is_near(node.labels, self.terms.required)
        except PodAffinityError as error:
            raise PodAffinityError(
                f"Cannot schedule pod {self.key} onto node {node.name}, because of PodAffinity, "
                f"err: {error}"
            ) from error

    def _wants(self, other: Placed) -> bool:
        if self.terms.required.fault is not None:
            raise PodAffinityError(self.terms.required.fault)
        return other.is_wanted

    def _is_near_unwanted(self, other: Placed, node: NodeInfo) -> bool:
        """Tell whether another pod is too near, as it is also taken to be if that is not known."""
        forbidden = self.terms.forbidden
        if forbidden.fault is not None:
            return True
        try:
            return other.is_unwanted and other.is_near(node.labels, forbidden)
        except PodAffinityError:
            return True

    def _is_first_of_its_kind(self) -> bool:
        is_alone = not any(other.is_wanted for other in self.placed)
        return is_alone and self.terms.required.all_select(self.asked)

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        """Return what it would be with one more pod on a node; nominated pods do not count."""
        if not pod.node_name:
            return self
        fault = terms_of(pod).forbidden.fault
        return evolve(
            self,
            holders=self._holders_with(pod, node, 1),
            faults=self.faults if fault is None else (*self.faults, Fault(pod.key, fault)),
            placed=(*self.placed, *_if_it_matters(self.terms, pod, node)),
        )

    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        """Return what it would be with one pod less on a node."""
        return evolve(
            self,
            holders=self._holders_with(pod, node, -1),
            faults=tuple(each for each in self.faults if each.key != pod.key),
            placed=tuple(each for each in self.placed if each.key != pod.key),
        )

    def _holders_with(self, pod: Pod, node: NodeInfo, by: int) -> PairCounts:
        keys = terms_of(pod).forbidden.keys_about(self.asked)
        return self.holders.changed(pairs_of(node.labels, keys), by) if keys else self.holders


def _if_it_matters(terms: PodTerms, pod: Pod, info: NodeInfo) -> Iterator[Placed]:
    """Return what own terms must know of a placed pod, if anything."""
    required, forbidden = terms.required, terms.forbidden
    is_wanted, is_unwanted = required.all_select(pod), forbidden.all_select(pod)
    if is_wanted or is_unwanted or not (required.fault is forbidden.fault is None):
        labels = None if info.node is None else info.labels
        yield Placed(pod.key, info.name, labels, is_wanted, is_unwanted)
