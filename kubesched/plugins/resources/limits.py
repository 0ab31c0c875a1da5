"""A score for nodes that could hold a pod even at its limits.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/resource_limits.go.
"""

from typing import Final

from kubesched.framework import PrioritySpec
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, Resources, Snapshot


def prepare_limits(pod: Pod, _snapshot: Snapshot, /) -> Resources:
    """Work out the pod's limits: its containers together, or an init container's where higher."""
    limits = Resources()
    for container in pod.spec.containers:
        limits.add(Resources.of(container.resources.limits))
    for container in pod.spec.init_containers:
        limits.raise_to(container.resources.limits)
    return limits


def resource_limits(_pod: Pod, limits: Resources, node: NodeInfo, /) -> int:
    """Score 1 where the whole node is as large as the cpu or the memory limit, else 0."""
    allocatable = node.allocatable
    return int(
        _is_within(limits.milli_cpu, allocatable.milli_cpu)
        or _is_within(limits.memory, allocatable.memory)
    )


def _is_within(limit: int, allocatable: int) -> bool:
    """Tell whether there are a limit and a size, and the one is within the other."""
    return limit != 0 and allocatable != 0 and limit <= allocatable


RESOURCE_LIMITS: Final = PrioritySpec(
    "ResourceLimitsPriority", resource_limits, prepare=prepare_limits, reads={Facet.ALLOCATABLE}
)
