"""The registries that come with the library, and the rules that are made by an argument."""

from typing import Any, Final

from kubesched import FeatureGates, PredicateSpec, PrioritySpec, Registry, stock_registry
from kubesched.plugins.network_latency import network_latency, peers_by_label
from kubesched.plugins.node_conditions import CHECK_NODE_UNSCHEDULABLE
from kubesched.plugins.node_labels import check_node_label_presence, node_label
from kubesched.plugins.resources import (
    ShapePoint,
    requested_to_capacity_ratio,
)
from kubesched.plugins.service_affinity import check_service_affinity
from kubesched.plugins.spreading import service_anti_affinity
from kubesched.plugins.taints import (
    POD_TOLERATES_NODE_NO_EXECUTE_TAINTS,
    POD_TOLERATES_NODE_TAINTS,
)

MADE: Final[tuple[PredicateSpec[Any] | PrioritySpec[Any], ...]] = (
    POD_TOLERATES_NODE_NO_EXECUTE_TAINTS,
    check_node_label_presence(["app"], presence=False),
    check_service_affinity(["app"]),
    node_label("WithApp", "app", presence=True),
    service_anti_affinity("app"),
    requested_to_capacity_ratio([ShapePoint(0, 0), ShapePoint(70, 10)], name="UpTo70"),
    network_latency(
        lambda one, other: int(one != other),
        topology_key="app",
        peers=peers_by_label("app", {"a": {"b": 1}}),
    ),
)
"""Rules that are made by an argument, or registered under no name."""

REGISTRIES: Final = {
    "as by default, with one more": stock_registry(
        FeatureGates(resource_limits_priority_function=True)
    ),
    "with all gates the other way": stock_registry(
        FeatureGates(
            taint_nodes_by_condition=False,
            attach_volume_limit=False,
            volume_scheduling=False,
            balance_attached_node_volumes=True,
        )
    ),
    "of what takes arguments": Registry().extended(
        CHECK_NODE_UNSCHEDULABLE, POD_TOLERATES_NODE_TAINTS, *MADE
    ),
}
"""Between them they have every stock rule as every gate would have it."""
