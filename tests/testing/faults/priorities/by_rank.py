"""Gives the emptiest node 10, the next one 9, and so on.

What is wrong: the scores come back from the best to the worst, not in the order of the nodes.
"""

from collections.abc import Sequence
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE


def count_pods(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Count the node's pods."""
    return len(node.pods)


def rank(
    _pod: Pod, _meta: None, _nodes: Sequence[NodeInfo], counts: Sequence[int], /
) -> Sequence[int]:
    """Score by place, where nodes with as many pods share one."""
    places = sorted(set(counts))
    return [max(0, MAX_SCORE - places.index(count)) for count in sorted(counts)]


RULE: Final = PrioritySpec("PreferFewPods", count_pods, reduce=rank, reads={Facet.PODS})
