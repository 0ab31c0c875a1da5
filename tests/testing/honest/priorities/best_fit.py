"""Prefers nodes on which little of a resource would be left over: made for any resource."""

from collections.abc import Callable
from operator import attrgetter
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec, Snapshot
from kubesched.framework import MAX_SCORE
from kubesched.state import Resources, requests_to_fit


def requests(pod: Pod, _snapshot: Snapshot, /) -> Resources:
    """Return what the pod needs."""
    return requests_to_fit(pod)


def best_fit(name: str, amount_of: Callable[[Resources], int]) -> PrioritySpec[Resources]:
    """Return the priority: 10 where nothing would be left, 0 where all would or is lacking."""

    def score(_pod: Pod, mine: Resources, node: NodeInfo, /) -> int:
        total = amount_of(node.allocatable)
        used = amount_of(node.requested) + amount_of(mine)
        return MAX_SCORE * used // total if 0 <= used <= total and total else 0

    reads = {Facet.REQUESTED, Facet.ALLOCATABLE}
    return PrioritySpec(name, score, prepare=requests, reads=reads)


RULE: Final = best_fit("BestFitMemory", attrgetter("memory"))
