"""Prefers nodes on which much memory would stay free.

What is wrong: it adds the pod to the node's own totals instead of to a copy, so each question
leaves the node fuller than it was.
"""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec, Snapshot
from kubesched.framework import MAX_SCORE
from kubesched.state import NonzeroRequests, nonzero_requests


def requests(pod: Pod, _snapshot: Snapshot, /) -> NonzeroRequests:
    """Return what the pod asks for."""
    return nonzero_requests(pod)


def free_memory(_pod: Pod, mine: NonzeroRequests, node: NodeInfo, /) -> int:
    """Score 10 where all memory would stay free, 0 where none would."""
    total, used = node.allocatable.memory, node.nonzero_requested
    used.memory += mine.memory
    if not 0 <= used.memory < total:
        return 0
    return (total - used.memory) * MAX_SCORE // total


RULE: Final = PrioritySpec(
    "PreferFreeMemory", free_memory, prepare=requests, reads={Facet.REQUESTED, Facet.ALLOCATABLE}
)
