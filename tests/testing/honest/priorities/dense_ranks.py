"""Prefers nodes that hold much of a pod's images, by rank; those that hold as much are equal."""

from collections.abc import Sequence
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE


def bytes_held(pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Add up the sizes of the pod's images that the node holds."""
    names = {each.image for each in pod.spec.containers}
    return sum(node.images[name].size for name in names if name in node.images)


def ranks(
    _pod: Pod, _meta: None, _nodes: Sequence[NodeInfo], sizes: Sequence[int], /
) -> Sequence[int]:
    """Score 10 for the most and one less for each size below, down to 0."""
    place = {size: rank for rank, size in enumerate(sorted(set(sizes), reverse=True))}
    return [max(0, MAX_SCORE - place[size]) for size in sizes]


RULE: Final = PrioritySpec("Ranked", bytes_held, reduce=ranks, reads={Facet.IMAGES})
