"""Whether a pod would be near the pods that it must be near, and near none that forbids it.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go
(InterPodAffinityMatches), pkg/scheduler/algorithm/predicates/metadata.go. Where v1.13.0, of which
the recorded answers are, had another rule for several terms, that one is followed: each
anti-affinity term counts by itself, and different pods may be near by different affinity terms.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Self

from attrs import evolve, frozen

from kubesched.framework import FITS, Fit, PredicateSpec
from kubesched.model import Pod
from kubesched.plugins.pod_affinity.holders import Holders, holders_against
from kubesched.plugins.pod_affinity.node_by_node import NodeByNode
from kubesched.plugins.pod_affinity.pairs import NO_PAIRS, PairCounts, count_places, pairs_of
from kubesched.plugins.pod_affinity.reasons import KEPT_OFF, TOO_FAR, TOO_NEAR
from kubesched.plugins.pod_affinity.terms import PodTerms, Terms, terms_of
from kubesched.state import Facet, LabelGroup, NodeInfo, Snapshot


@frozen
class Neighbours:
    """Where the placed pods are that mind a pod, and those that the pod minds or wants.

    Attributes:
        asked: what terms can see of the pod.
        holders: the places that the required anti-affinity of placed pods keeps it off.
        required: its own required affinity.
        wanted: the places of the pods that all terms of this are about.
        forbidden: its own required anti-affinity.
        unwanted: the places of the pods that terms of this are about, each by its own terms.
    """

    asked: LabelGroup
    holders: PairCounts
    required: Terms
    wanted: PairCounts
    forbidden: Terms
    unwanted: PairCounts

    def verdict(self, node: NodeInfo) -> Fit:
        """Tell whether the pod may go to a node; O(terms)."""
        labels = node.labels
        if self.holders.is_in(labels):
            return KEPT_OFF
        if self.required.terms and not self._is_near_wanted(labels):
            return TOO_FAR
        return TOO_NEAR if self.unwanted.is_in(labels) else FITS

    def _is_near_wanted(self, labels: Mapping[str, str]) -> bool:
        for key in self.required.keys:
            value = labels.get(key)
            if value is None or not self.wanted.count((key, value)):
                return self._is_first_of_its_kind()
        return True

    def _is_first_of_its_kind(self) -> bool:
        """Tell whether the pod wants to be near pods like itself, and there are none yet.

        It may go anywhere then, or no such pod would ever be placed.
        """
        return not self.wanted and self.required.all_select(self.asked)

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        """Return what it would be with one more pod on a node; O(terms).

        A pod that is not bound yet, but nominated, keeps others off and is neither wanted nor
        unwanted. One whose terms cannot be evaluated is not seen at all.

        Differs: in the original a pod that is put back is unwanted at the places by all terms of
        the anti-affinity if one of them is about it.
        """
        if terms_of(pod).forbidden.fault is not None:
            return self
        return self._counting(pod, node, 1)

    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        """Return what it would be with one pod less on a node; O(terms)."""
        return self._counting(pod, node, -1)

    def _counting(self, pod: Pod, node: NodeInfo, by: int) -> Self:
        is_bound = bool(pod.node_name)
        holders = terms_of(pod).forbidden.keys_about(self.asked)
        wanted = self.required.keys_if_all_select(pod) if is_bound else ()
        unwanted = self.forbidden.keys_about(pod) if is_bound else ()
        if not (holders or wanted or unwanted):
            return self
        return evolve(
            self,
            holders=self.holders.changed(pairs_of(node.labels, holders), by),
            wanted=self.wanted.changed(pairs_of(node.labels, wanted), by),
            unwanted=self.unwanted.changed(pairs_of(node.labels, unwanted), by),
        )


def prepare_neighbours(pod: Pod, snapshot: Snapshot, /) -> Neighbours | NodeByNode:
    """Find the placed pods that matter to a pod; O(nodes + groups of pods + pods that matter)."""
    terms, holders = terms_of(pod), holders_against(pod, snapshot)
    if not _has_overview(terms, holders, snapshot):
        return NodeByNode.of(pod, holders, snapshot)
    required, forbidden = terms.required, terms.forbidden
    return Neighbours(
        LabelGroup.of(pod),
        holders.pairs,
        required,
        _places(required, required.keys_if_all_select, snapshot),
        forbidden,
        _places(forbidden, forbidden.keys_about, snapshot),
    )


def _has_overview(terms: PodTerms, holders: Holders, snapshot: Snapshot) -> bool:
    """Tell whether all placed pods can be told in advance; otherwise nothing is, for no pod."""
    if holders.faults or not holders.have_nodes or terms.required.fault is not None:
        return False
    return terms.forbidden.fault is None or not snapshot.label_groups


def _places(
    terms: Terms, keys_of: Callable[[LabelGroup], Iterable[str]], snapshot: Snapshot
) -> PairCounts:
    """Count the placed pods at their places by the keys that go for their group."""
    return count_places(snapshot.label_groups, keys_of, snapshot) if terms.terms else NO_PAIRS


def match_inter_pod_affinity(_pod: Pod, meta: Neighbours | NodeByNode, node: NodeInfo, /) -> Fit:
    """Check the required anti-affinity of placed pods, then the pod's own affinity, then the rest.

    Raises:
        PodAffinityError: it cannot be told.
    """
    return meta.verdict(node)


MATCH_INTER_POD_AFFINITY: Final[PredicateSpec[Neighbours | NodeByNode]] = PredicateSpec(
    "MatchInterPodAffinity",
    match_inter_pod_affinity,
    prepare=prepare_neighbours,
    order=220,
    reads={Facet.LABELS, Facet.CLUSTER_PODS, Facet.CLUSTER_NODES},
)
