"""Scores by how much of a node's cpu and memory its pods and this one request.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities (resource_allocation.go,
least_requested.go, most_requested.go, balanced_resource_allocation.go).
"""

from collections.abc import Callable
from typing import Final

from kubesched.framework import MAX_SCORE, PriorityMap, PrioritySpec, quotient
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, NonzeroRequests, Snapshot, nonzero_requests


def prepare_nonzero_requests(pod: Pod, _snapshot: Snapshot, /) -> NonzeroRequests:
    """Work out what the pod counts for in scores."""
    return nonzero_requests(pod)


# The scores are cut off towards 0. Where nothing is negative, as is usual, `//` does that and is
# quicker than `quotient`.


def least_requested_score(requested: int, capacity: int) -> int:
    """Score how much would stay free: 10 for all, 0 for nothing or too little.

    >>> least_requested_score(1000, 4000)
    7
    """
    if capacity == 0 or requested > capacity:
        return 0
    free = (capacity - requested) * MAX_SCORE
    return free // capacity if capacity > 0 else quotient(free, capacity)


def most_requested_score(requested: int, capacity: int) -> int:
    """Score how much would be used: 10 for all, 0 for nothing or too much.

    >>> most_requested_score(1000, 4000)
    2
    """
    if capacity == 0 or requested > capacity:
        return 0
    used = requested * MAX_SCORE
    return used // capacity if used >= 0 else quotient(used, capacity)


def mean_of_cpu_and_memory(score: Callable[[int, int], int]) -> PriorityMap[NonzeroRequests]:
    """Return a map that scores cpu and memory by a formula and takes the mean, cut off.

    Args:
        score: `(requested, capacity) -> 0..10`, of the node's pods and this one together.
    """

    def score_node(_pod: Pod, mine: NonzeroRequests, node: NodeInfo, /) -> int:
        used, allocatable = node.nonzero_requested, node.allocatable
        cpu = score(mine.milli_cpu + used.milli_cpu, allocatable.milli_cpu)
        memory = score(mine.memory + used.memory, allocatable.memory)
        total = cpu + memory
        return total // 2 if total >= 0 else quotient(total, 2)

    return score_node


def balanced_resource_allocation(_pod: Pod, mine: NonzeroRequests, node: NodeInfo, /) -> int:
    """Score how alike the used parts of cpu and memory would be: 10 for equal, 0 for a full one.

    The parts are doubles and the last step cuts off, so binary rounding shows as in the original.
    """
    used, allocatable = node.nonzero_requested, node.allocatable
    cpu = _fraction(mine.milli_cpu + used.milli_cpu, allocatable.milli_cpu)
    memory = _fraction(mine.memory + used.memory, allocatable.memory)
    if cpu >= 1 or memory >= 1:
        return 0
    return int((1 - abs(cpu - memory)) * MAX_SCORE)


def _fraction(requested: int, capacity: int) -> float:
    return float(requested) / float(capacity) if capacity else 1.0


REQUESTED_READS: Final = frozenset({Facet.REQUESTED, Facet.ALLOCATABLE})

LEAST_REQUESTED: Final = PrioritySpec(
    "LeastRequestedPriority",
    mean_of_cpu_and_memory(least_requested_score),
    prepare=prepare_nonzero_requests,
    reads=REQUESTED_READS,
)

MOST_REQUESTED: Final = PrioritySpec(
    "MostRequestedPriority",
    mean_of_cpu_and_memory(most_requested_score),
    prepare=prepare_nonzero_requests,
    reads=REQUESTED_READS,
)

BALANCED_RESOURCE_ALLOCATION: Final = PrioritySpec(
    "BalancedResourceAllocation",
    balanced_resource_allocation,
    prepare=prepare_nonzero_requests,
    reads=REQUESTED_READS,
)
