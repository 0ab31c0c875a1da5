"""The stock sets of rules, by name.

Source: kubernetes v1.12.2, pkg/scheduler/algorithmprovider/defaults/defaults.go.
"""

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from kubesched.config.gates import FeatureGates
from kubesched.config.order import STOCK_ORDER
from kubesched.errors import UnknownNameError

DEFAULT_PROVIDER: Final = "DefaultProvider"
CLUSTER_AUTOSCALER_PROVIDER: Final = "ClusterAutoscalerProvider"

_NOT_IN_PROVIDERS: Final = frozenset(
    {
        "HostName",
        "PodFitsHostPorts",
        "MatchNodeSelector",
        "PodFitsResources",
        "PodToleratesNodeNoExecuteTaints",
        "CheckNodeLabelPresence",
        "CheckServiceAffinity",
    }
)
"""Predicates that GeneralPredicates holds, that are registered nowhere, or that take arguments."""

_PREDICATES: Final = frozenset(STOCK_ORDER) - _NOT_IN_PROVIDERS
_CONDITIONS: Final = frozenset(
    {
        "CheckNodeCondition",
        "CheckNodeMemoryPressure",
        "CheckNodePIDPressure",
        "CheckNodeDiskPressure",
    }
)
_BY_TAINTS: Final = frozenset({"CheckNodeUnschedulable"})

_COMMON_PRIORITIES: Final[Mapping[str, int]] = {
    "SelectorSpreadPriority": 1,
    "InterPodAffinityPriority": 1,
    "BalancedResourceAllocation": 1,
    "NodePreferAvoidPodsPriority": 10000,
    "NodeAffinityPriority": 1,
    "TaintTolerationPriority": 1,
    "ImageLocalityPriority": 1,
}
_OWN_PRIORITIES: Final[Mapping[str, Mapping[str, int]]] = {
    DEFAULT_PROVIDER: {"LeastRequestedPriority": 1},
    CLUSTER_AUTOSCALER_PROVIDER: {"MostRequestedPriority": 1},
}


@frozen
class Provider:
    """Names of predicates, and names of priorities with their weights."""

    predicates: frozenset[str]
    priorities: Mapping[str, int]


def provider(name: str, gates: FeatureGates | None = None) -> Provider:
    """Return what a provider consists of; the gates decide about some of it.

    Raises:
        UnknownNameError: there is no such provider.

    >>> provider("ClusterAutoscalerProvider").priorities["MostRequestedPriority"]
    1
    """
    gates = gates or FeatureGates()
    if name not in _OWN_PRIORITIES:
        raise UnknownNameError("algorithm provider", name, _OWN_PRIORITIES)
    absent = _CONDITIONS if gates.taint_nodes_by_condition else _BY_TAINTS
    limits = {"ResourceLimitsPriority": 1} if gates.resource_limits_priority_function else {}
    return Provider(_PREDICATES - absent, {**_OWN_PRIORITIES[name], **_COMMON_PRIORITIES, **limits})


def mandatory_predicates(gates: FeatureGates | None = None) -> frozenset[str]:
    """Return the predicates that run whatever else is chosen.

    >>> sorted(mandatory_predicates())
    ['CheckNodeUnschedulable', 'PodToleratesNodeTaints']
    """
    gates = gates or FeatureGates()
    if gates.taint_nodes_by_condition:
        return frozenset({"CheckNodeUnschedulable", "PodToleratesNodeTaints"})
    return frozenset({"CheckNodeCondition"})
