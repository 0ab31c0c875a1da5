"""Keeps fast nodes free while a pod waits that is more urgent than the one asked about.

What is wrong: it declares the pods of the cluster, which are those that have a node, and reads the
ones that wait for one.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

KEPT: Final = Reason("node(s) were kept for urgent pods that wait", resolvable=False)


def has_to_wait(pod: Pod, snapshot: Snapshot, /) -> bool:
    """Tell whether a more urgent pod waits."""
    return any(other.priority > pod.priority for other in snapshot.pending.values())


def is_not_kept(_pod: Pod, is_urgent_waiting: bool, node: NodeInfo, /) -> Fit:  # noqa: FBT001
    is_kept = is_urgent_waiting and node.labels.get("fast") == "true"
    return Fit(KEPT) if is_kept else FITS


RULE: Final = PredicateSpec(
    "UrgentFirst",
    is_not_kept,
    prepare=has_to_wait,
    reads={Facet.LABELS, Facet.CLUSTER_PODS},
)
