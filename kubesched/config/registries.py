"""The stock rules by name.

Source: kubernetes v1.12.2, pkg/scheduler/algorithmprovider/defaults/defaults.go.
"""

from typing import Final

from kubesched.config.gates import FeatureGates
from kubesched.framework import Registry, all_of
from kubesched.plugins import (
    avoid_pods,
    equal,
    images,
    node_conditions,
    node_selection,
    ports,
    resources,
    taints,
)

GENERAL_PREDICATES: Final = all_of(
    "GeneralPredicates",
    resources.POD_FITS_RESOURCES,
    node_selection.HOST_NAME,
    ports.POD_FITS_HOST_PORTS,
    node_selection.MATCH_NODE_SELECTOR,
    order=30,
)
"""What a node itself would insist on: room, its name, free ports, its labels."""

_EVERYWHERE: Final = (
    GENERAL_PREDICATES,
    node_selection.HOST_NAME,
    ports.POD_FITS_HOST_PORTS,
    node_selection.MATCH_NODE_SELECTOR,
    resources.POD_FITS_RESOURCES,
    taints.POD_TOLERATES_NODE_TAINTS,
    resources.LEAST_REQUESTED,
    resources.MOST_REQUESTED,
    resources.BALANCED_RESOURCE_ALLOCATION,
    resources.REQUESTED_TO_CAPACITY_RATIO,
    avoid_pods.NODE_PREFER_AVOID_PODS,
    node_selection.NODE_AFFINITY,
    taints.TAINT_TOLERATION,
    images.IMAGE_LOCALITY,
    equal.EQUAL_PRIORITY,
)

_WHERE_CONDITIONS_ARE_TAINTS: Final = (node_conditions.CHECK_NODE_UNSCHEDULABLE,)

_WHERE_CONDITIONS_COUNT: Final = (
    node_conditions.CHECK_NODE_CONDITION,
    node_conditions.CHECK_NODE_MEMORY_PRESSURE,
    node_conditions.CHECK_NODE_PID_PRESSURE,
    node_conditions.CHECK_NODE_DISK_PRESSURE,
)


def stock_registry(gates: FeatureGates | None = None) -> Registry:
    """Return the registry of the stock rules; which there are depends on the gates.

    PodToleratesNodeNoExecuteTaints is registered under no name, as in the original; it is
    `kubesched.plugins.taints.POD_TOLERATES_NODE_NO_EXECUTE_TAINTS`.

    >>> "CheckNodeUnschedulable" in stock_registry().predicates
    True
    """
    gates = gates or FeatureGates()
    taints_stand_in = gates.taint_nodes_by_condition
    return Registry().extended(
        *_EVERYWHERE,
        *(_WHERE_CONDITIONS_ARE_TAINTS if taints_stand_in else _WHERE_CONDITIONS_COUNT),
        *([resources.RESOURCE_LIMITS] if gates.resource_limits_priority_function else ()),
    )
