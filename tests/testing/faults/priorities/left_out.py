"""Spreads pods over nodes by how many pods of their own namespace are there.

What is wrong: the reduce leaves out the nodes without such pods, and the scores that are left slip
to the wrong nodes.
"""

from collections.abc import Sequence
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE


def count_neighbours(pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Count the node's pods that are of the pod's namespace."""
    return sum(placed.namespace == pod.namespace for placed in node.pods.values())


def fewest_best(
    _pod: Pod, _meta: None, _nodes: Sequence[NodeInfo], counts: Sequence[int], /
) -> Sequence[int]:
    """Score 0 where most are, and more where there are fewer."""
    most = max(counts, default=0)
    return [MAX_SCORE * (most - count) // most for count in counts if count]


RULE: Final = PrioritySpec(
    "SpreadNamespace", count_neighbours, reduce=fewest_best, reads={Facet.PODS}
)
