"""Keeps pods on the nodes that were made from the newest image.

What is wrong: it takes for granted that each node of the snapshot is there. Of one that only pods
name, because it came late or is gone already, there is no object, and then no pod is placed.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

OLDER: Final = Reason("node(s) were made from an older image", resolvable=False)
VERSION: Final = "image-version"


def newest_version(_pod: Pod, snapshot: Snapshot, /) -> str:
    nodes = (info.node for info in snapshot.node_infos.values())
    return max(
        (node.metadata.labels.get(VERSION, "") for node in nodes),  # type: ignore[union-attr]
        default="",
    )


def is_newest(_pod: Pod, newest: str, node: NodeInfo, /) -> Fit:
    return FITS if node.labels.get(VERSION, "") == newest else Fit(OLDER)


RULE: Final = PredicateSpec(
    "NewestImage",
    is_newest,
    prepare=newest_version,
    reads={Facet.LABELS, Facet.CLUSTER_NODES},
)
