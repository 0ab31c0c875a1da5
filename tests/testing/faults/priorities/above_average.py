"""Prefers nodes with more images than the others have.

What is wrong: it measures by the average, so the best node gets more than 10.
"""

from collections.abc import Sequence
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE


def count_images(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Count the names of the images that the node holds."""
    return len(node.images)


def by_average(
    _pod: Pod, _meta: None, _nodes: Sequence[NodeInfo], counts: Sequence[int], /
) -> Sequence[int]:
    """Score 10 times the count over the average."""
    total = sum(counts)
    if not total:
        return [0] * len(counts)
    return [MAX_SCORE * count * len(counts) // total for count in counts]


RULE: Final = PrioritySpec(
    "PreferManyImages", count_images, reduce=by_average, reads={Facet.IMAGES}
)
