"""Keeps a pod away from nodes on which one of its own app runs.

What is wrong: where there is no such pod yet, it says that it has nothing to say of the pod. It is
not asked then if room is kept for another pod of the app, which may come first.
"""

from typing import Final

from kubesched import FITS, SKIP, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.framework import Skip

TOGETHER: Final = Reason("node(s) had a pod of the same app")


def nodes_of_app(pod: Pod, snapshot: Snapshot, /) -> frozenset[str] | Skip:
    app = pod.labels.get("app", "")
    names = frozenset(
        info.name
        for info in snapshot.node_infos.values()
        if any(each.labels.get("app", "") == app for each in info.pods.values())
    )
    return names or SKIP


def is_free_of_app(_pod: Pod, names: frozenset[str], node: NodeInfo, /) -> Fit:
    return Fit(TOGETHER) if node.name in names else FITS


RULE: Final = PredicateSpec(
    "Apart", is_free_of_app, prepare=nodes_of_app, reads={Facet.CLUSTER_PODS}
)
