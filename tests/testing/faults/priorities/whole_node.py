"""Keeps large pods off small nodes: scores by a table how many tenths of a node's cpu a pod takes.

What is wrong: the table has ten entries for eleven answers. A pod that takes just all of a node is
off its end.
"""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec, Snapshot
from kubesched.state import Resources, requests_to_fit

SCORES: Final = (10, 10, 10, 9, 8, 7, 6, 4, 2, 1)
"""By tenths that are taken."""


def requests(pod: Pod, _snapshot: Snapshot, /) -> Resources:
    """Return what the pod needs."""
    return requests_to_fit(pod)


def smallness(_pod: Pod, mine: Resources, node: NodeInfo, /) -> int:
    """Score 10 where the pod takes little, and 0 where it takes too much."""
    total = node.allocatable.milli_cpu
    if not 0 <= mine.milli_cpu <= total or not total:
        return 0
    return SCORES[mine.milli_cpu * 10 // total]


RULE: Final = PrioritySpec("SmallPart", smallness, prepare=requests, reads={Facet.ALLOCATABLE})
