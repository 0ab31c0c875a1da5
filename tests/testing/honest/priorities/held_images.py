"""Prefers nodes that hold many of a pod's images: an object that can be called, with a limit."""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE


@frozen
class HeldImages:
    """Counts images of the pod's containers that the node holds, up to a limit."""

    limit: int

    def __call__(self, pod: Pod, _meta: None, node: NodeInfo, /) -> int:
        wanted = {container.image for container in pod.spec.containers}
        return min(self.limit, len(wanted & node.images.keys()))


def against_the_others(
    _pod: Pod, _meta: None, nodes: Sequence[NodeInfo], counts: Sequence[int], /
) -> Sequence[int]:
    """Score 10 for each node that holds more than the poorest one, and is open to pods."""
    fewest = min(counts, default=0)
    return [
        MAX_SCORE if count > fewest and not node.unschedulable else 0
        for node, count in zip(nodes, counts, strict=True)
    ]


RULE: Final = PrioritySpec(
    "PreferHeldImages", HeldImages(limit=3), reduce=against_the_others, reads={Facet.IMAGES}
)
