"""Sends pods to small nodes, measured by what each pod mainly needs.

What is wrong: it takes for that what comes first among the requests, and a mapping has no first
entry. Which it is, is up to whoever wrote the manifest: two pods that are the same differ.
"""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE


def part_of_node(pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Score 10 where the pod takes the whole node, 0 where it takes next to nothing."""
    if node.node is None:
        return 0
    for container in pod.spec.containers:
        for name, amount in container.resources.requests.items():
            total = node.node.status.allocatable.get(name)
            if not total:
                return 0
            return min(MAX_SCORE, MAX_SCORE * amount.milli_value() // total.milli_value())
    return 0


RULE: Final = PrioritySpec("PreferSmallNodes", part_of_node, reads={Facet.ALLOCATABLE})
