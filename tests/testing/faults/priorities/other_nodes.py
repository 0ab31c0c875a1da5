"""Prefers large nodes, measured by the largest one of the cluster.

What is wrong: it looks at all nodes of the cluster when it prepares, and declares that it reads
what the node itself has to give.
"""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec, Snapshot
from kubesched.framework import MAX_SCORE


def largest_node(_pod: Pod, snapshot: Snapshot, /) -> int:
    """Return what the largest node has of cpu."""
    return max((info.allocatable.milli_cpu for info in snapshot.node_infos.values()), default=0)


def size(_pod: Pod, largest: int, node: NodeInfo, /) -> int:
    """Score 10 on the largest node, 0 on one without any cpu."""
    return MAX_SCORE * node.allocatable.milli_cpu // largest if largest else 0


RULE: Final = PrioritySpec("PreferLarge", size, prepare=largest_node, reads={Facet.ALLOCATABLE})
