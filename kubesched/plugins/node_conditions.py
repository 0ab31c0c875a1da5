"""How a node is: ready, under pressure, closed to new pods.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go
(CheckNodeConditionPredicate, CheckNodeUnschedulablePredicate, CheckNodeMemoryPressurePredicate,
CheckNodeDiskPressurePredicate, CheckNodePIDPressurePredicate), pkg/apis/core/v1/helper/qos/qos.go.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubesched.framework import FITS, Fit, FitPredicate, PredicateSpec, Reason, fit_of
from kubesched.model import Pod, Taint
from kubesched.quantity import Quantity
from kubesched.state import Facet, NodeInfo, Snapshot
from kubesched.tolerations import any_tolerates

NOT_READY: Final = Reason("node(s) were not ready", resolvable=False)
OUT_OF_DISK: Final = Reason("node(s) were out of disk space", resolvable=False)
NO_NETWORK: Final = Reason("node(s) had unavailable network", resolvable=False)
UNSCHEDULABLE: Final = Reason("node(s) were unschedulable", resolvable=False)
MEMORY_PRESSURE: Final = Reason("node(s) had memory pressure", resolvable=False)
DISK_PRESSURE: Final = Reason("node(s) had disk pressure", resolvable=False)
PID_PRESSURE: Final = Reason("node(s) had pid pressure", resolvable=False)

_UNSCHEDULABLE_TAINT: Final = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")
_CLOSED: Final = Fit(UNSCHEDULABLE)

_REQUIRED_STATUS: Final[Mapping[str, tuple[str, Reason]]] = {
    "Ready": ("True", NOT_READY),
    "OutOfDisk": ("False", OUT_OF_DISK),
    "NetworkUnavailable": ("False", NO_NETWORK),
}


def check_node_condition(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    """Check that the node is ready, has disk and network, and is open, whatever is tolerated.

    A condition that the node does not report is taken as fine; one that is Unknown is not.
    """
    return fit_of(_complaints(node))


def _complaints(node: NodeInfo) -> Iterator[Reason]:
    for condition in () if node.node is None else node.node.status.conditions:
        required, reason = _REQUIRED_STATUS.get(condition.type, (condition.status, NOT_READY))
        if condition.status != required:
            yield reason
    if node.unschedulable:
        yield UNSCHEDULABLE


def prepare_unschedulable(pod: Pod, _snapshot: Snapshot, /) -> bool:
    """Tell whether the pod tolerates the taint of a node that is closed to new pods."""
    return any_tolerates(pod.spec.tolerations, _UNSCHEDULABLE_TAINT)


def check_node_unschedulable(_pod: Pod, tolerated: bool, node: NodeInfo, /) -> Fit:  # noqa: FBT001
    """Check that the node is open to new pods, or that the pod tolerates that it is not."""
    return _CLOSED if node.unschedulable and not tolerated else FITS


def is_best_effort(pod: Pod) -> bool:
    """Tell whether none of the pod's containers requests or limits cpu or memory above 0.

    Init containers and other resources do not count.

    >>> from kubesched.builders import pod
    >>> is_best_effort(pod("idle")), is_best_effort(pod("busy", cpu=1))
    (True, False)
    """
    return not any(
        _asks_for_cpu_or_memory(amounts)
        for container in pod.spec.containers
        for amounts in (container.resources.requests, container.resources.limits)
    )


def _asks_for_cpu_or_memory(amounts: Mapping[str, Quantity]) -> bool:
    nothing = Quantity(0)
    return any(amounts.get(name, nothing) > nothing for name in ("cpu", "memory"))


def prepare_memory_pressure(pod: Pod, _snapshot: Snapshot, /) -> bool:
    """Tell whether memory pressure matters to the pod."""
    return is_best_effort(pod)


def check_node_memory_pressure(_pod: Pod, matters: bool, node: NodeInfo, /) -> Fit:  # noqa: FBT001
    """Check that a best-effort pod does not go to a node that is short of memory."""
    return _MEMORY_SHORT if matters and _has(node, "MemoryPressure") else FITS


_MEMORY_SHORT: Final = Fit(MEMORY_PRESSURE)


def is_free_of(condition: str, reason: Reason) -> FitPredicate[None]:
    """Return the predicate that refuses nodes on which a condition is True."""
    refusal = Fit(reason)

    def check(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
        return refusal if _has(node, condition) else FITS

    return check


def _has(node: NodeInfo, kind: str) -> bool:
    """Tell whether a condition is True; of one that is reported twice, the last report counts."""
    reported = () if node.node is None else node.node.status.conditions
    statuses = [condition.status for condition in reported if condition.type == kind]
    return bool(statuses) and statuses[-1] == "True"


CHECK_NODE_CONDITION: Final = PredicateSpec(
    "CheckNodeCondition",
    check_node_condition,
    order=10,
    reads={Facet.CONDITIONS, Facet.UNSCHEDULABLE},
)

CHECK_NODE_UNSCHEDULABLE: Final = PredicateSpec(
    "CheckNodeUnschedulable",
    check_node_unschedulable,
    prepare=prepare_unschedulable,
    order=20,
    reads={Facet.UNSCHEDULABLE},
)

CHECK_NODE_MEMORY_PRESSURE: Final = PredicateSpec(
    "CheckNodeMemoryPressure",
    check_node_memory_pressure,
    prepare=prepare_memory_pressure,
    order=190,
    reads={Facet.CONDITIONS},
)

CHECK_NODE_PID_PRESSURE: Final = PredicateSpec(
    "CheckNodePIDPressure",
    is_free_of("PIDPressure", PID_PRESSURE),
    order=200,
    reads={Facet.CONDITIONS},
)

CHECK_NODE_DISK_PRESSURE: Final = PredicateSpec(
    "CheckNodeDiskPressure",
    is_free_of("DiskPressure", DISK_PRESSURE),
    order=210,
    reads={Facet.CONDITIONS},
)
