"""Placed pods whose required anti-affinity is about the pod that is asked for.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/metadata.go
(getTPMapMatchingExistingAntiAffinity).
"""

from attrs import frozen

from kubesched.plugins.pod_affinity.pairs import Pair, PairCounts, pairs_of
from kubesched.plugins.pod_affinity.terms import Labelled, PodTerms, terms_of
from kubesched.state import Snapshot


@frozen
class Fault:
    """A placed pod with a required anti-affinity that cannot be evaluated.

    Attributes:
        key: the pod's `namespace/name`.
        text: what is wrong.
    """

    key: str
    text: str


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
    """Ask all placed pods whether they mind a pod; O(nodes + pods with terms).

    What pods of one template say is asked once. Pods for which there is no node do not count.
    """
    pairs: dict[Pair, int] = {}
    faults: list[Fault] = []
    answers: dict[PodTerms, tuple[str, ...]] = {}
    have_nodes = True
    for info in snapshot.node_infos.entries():
        if info.node is None:
            have_nodes = False
            continue
        for holder in info.pods_with_affinity.values():
            terms = terms_of(holder)
            if terms not in answers:
                answers[terms] = terms.forbidden.keys_about(asked)
            for pair in pairs_of(info.labels, answers[terms]):
                pairs[pair] = pairs.get(pair, 0) + 1
            if terms.forbidden.fault is not None:
                faults.append(Fault(holder.key, terms.forbidden.fault))
    return Holders(PairCounts.of(pairs), tuple(faults), have_nodes)
