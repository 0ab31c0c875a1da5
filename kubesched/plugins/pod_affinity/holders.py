"""Placed pods whose required anti-affinity is about the pod that is asked for.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/metadata.go
(getTPMapMatchingExistingAntiAffinity).
"""

from attrs import frozen

from kubesched.plugins.pod_affinity.faults import Fault, faults_in
from kubesched.plugins.pod_affinity.pairs import PairCounts, count_places
from kubesched.plugins.pod_affinity.terms import Labelled, terms_of_group
from kubesched.state import AffinityGroup, Snapshot


@frozen
class Holders:
    """What the anti-affinity of placed pods comes to.

    Attributes:
        pairs: the places that it keeps the pod off.
        faults: the pods whose terms cannot be evaluated, in the order of the nodes.
        have_nodes: whether there is a node for every placed pod.
    """

    pairs: PairCounts
    faults: tuple[Fault, ...]
    have_nodes: bool


def holders_against(asked: Labelled, snapshot: Snapshot) -> Holders:
    """Ask all placed pods whether they mind a pod; O(groups of pods with terms + nodes of theirs).

    Each group is asked once. Pods for which there is no node do not count.
    """

    def keys_of(group: AffinityGroup) -> tuple[str, ...]:
        return terms_of_group(group).forbidden.keys_about(asked)

    return Holders(
        count_places(snapshot.affinity_groups, keys_of, snapshot),
        tuple(faults_in(snapshot, lambda terms: terms.forbidden.fault)),
        have_nodes=len(snapshot.node_infos) == snapshot.num_nodes,
    )
