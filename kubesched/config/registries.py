"""The stock rules by name.

Source: kubernetes v1.12.2, pkg/scheduler/algorithmprovider/defaults/defaults.go.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kubesched.config.gates import FeatureGates
from kubesched.framework import PredicateSpec, PrioritySpec, Registry, all_of
from kubesched.model import FrozenMap
from kubesched.plugins import (
    avoid_pods,
    equal,
    images,
    node_conditions,
    node_selection,
    pod_affinity,
    pod_count,
    ports,
    resources,
    spreading,
    taints,
    volume_binding,
    volumes,
)


def general_predicates(fit: PredicateSpec[Any]) -> PredicateSpec[Any]:
    """Return GeneralPredicates with this predicate to look for room."""
    return all_of(
        "GeneralPredicates",
        fit,
        node_selection.HOST_NAME,
        ports.POD_FITS_HOST_PORTS,
        node_selection.MATCH_NODE_SELECTOR,
        order=30,
    )


GENERAL_PREDICATES: Final = general_predicates(resources.POD_FITS_RESOURCES)
"""What a node itself would insist on: room, its name, free ports, its labels."""

_EVERYWHERE: Final = (
    GENERAL_PREDICATES,
    node_selection.HOST_NAME,
    ports.POD_FITS_HOST_PORTS,
    node_selection.MATCH_NODE_SELECTOR,
    resources.POD_FITS_RESOURCES,
    volumes.NO_DISK_CONFLICT,
    taints.POD_TOLERATES_NODE_TAINTS,
    pod_affinity.MATCH_INTER_POD_AFFINITY,
    spreading.SELECTOR_SPREAD,
    pod_affinity.INTER_POD_AFFINITY,
    resources.LEAST_REQUESTED,
    resources.MOST_REQUESTED,
    resources.REQUESTED_TO_CAPACITY_RATIO,
    avoid_pods.NODE_PREFER_AVOID_PODS,
    node_selection.NODE_AFFINITY,
    taints.TAINT_TOLERATION,
    images.IMAGE_LOCALITY,
    equal.EQUAL_PRIORITY,
    spreading.SERVICE_SPREADING,
    pod_count.LEAST_PODS,
    pod_count.MOST_PODS,
)

_WHERE_CONDITIONS_ARE_TAINTS: Final = (node_conditions.CHECK_NODE_UNSCHEDULABLE,)

_WHERE_CONDITIONS_COUNT: Final = (
    node_conditions.CHECK_NODE_CONDITION,
    node_conditions.CHECK_NODE_MEMORY_PRESSURE,
    node_conditions.CHECK_NODE_PID_PRESSURE,
    node_conditions.CHECK_NODE_DISK_PRESSURE,
)

_NO_ENVIRON: Final[Mapping[str, str]] = FrozenMap()


def _volume_rules(
    gates: FeatureGates, environ: Mapping[str, str]
) -> Iterator[PredicateSpec[Any] | PrioritySpec[Any]]:
    most, by_node = volumes.max_pd_volumes(environ), gates.attach_volume_limit
    limits = (
        volumes.max_ebs_volume_count(most, node_limits=by_node),
        volumes.max_gce_pd_volume_count(most, node_limits=by_node),
        volumes.max_azure_disk_volume_count(most, node_limits=by_node),
    )
    yield from limits
    yield volumes.max_csi_volume_count(node_limits=by_node)
    yield volumes.no_volume_zone_conflict(volume_scheduling=gates.volume_scheduling)
    if gates.balance_attached_node_volumes:
        yield volumes.balanced_resource_allocation_with_volumes(limits)
    else:
        yield resources.BALANCED_RESOURCE_ALLOCATION


def stock_registry(
    gates: FeatureGates | None = None, environ: Mapping[str, str] = _NO_ENVIRON
) -> Registry:
    """Return the registry of the stock rules; which there are depends on the gates.

    Args:
        gates: the feature gates, as they are by default if nothing is given.
        environ: environment variables; `KUBE_MAX_PD_VOLS` sets how many volumes of a kind a node
            takes that does not say so itself.

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
        volume_binding.CHECK_VOLUME_BINDING
        if gates.volume_scheduling
        else volume_binding.without_scheduling(),
        *_volume_rules(gates, environ),
        *([resources.RESOURCE_LIMITS] if gates.resource_limits_priority_function else ()),
    )
