"""What the original's stock sets consist of, and how each predicate refuses, by name.

The library's own sets are what is tested, so they cannot say what they still lack.

Source: kubernetes v1.12.2, pkg/scheduler/algorithmprovider/defaults/defaults.go,
pkg/scheduler/algorithm/predicates (predicates.go, error.go).
"""

from collections.abc import Mapping
from typing import Final

from kubesched.config import CLUSTER_AUTOSCALER_PROVIDER, DEFAULT_PROVIDER, FeatureGates

PREDICATES_IN_ORDER: Final = (
    "CheckNodeCondition",
    "CheckNodeUnschedulable",
    "GeneralPredicates",
    "HostName",
    "PodFitsHostPorts",
    "MatchNodeSelector",
    "PodFitsResources",
    "NoDiskConflict",
    "PodToleratesNodeTaints",
    "PodToleratesNodeNoExecuteTaints",
    "CheckNodeLabelPresence",
    "CheckServiceAffinity",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxCSIVolumeCountPred",
    "MaxAzureDiskVolumeCount",
    "CheckVolumeBinding",
    "NoVolumeZoneConflict",
    "CheckNodeMemoryPressure",
    "CheckNodePIDPressure",
    "CheckNodeDiskPressure",
    "MatchInterPodAffinity",
)
"""The names under which a predicate runs; under any other it is accepted and never asked."""

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
_ONLY_WHERE_CONDITIONS_COUNT: Final = frozenset(
    {
        "CheckNodeCondition",
        "CheckNodeMemoryPressure",
        "CheckNodePIDPressure",
        "CheckNodeDiskPressure",
    }
)
_ONLY_WHERE_CONDITIONS_ARE_TAINTS: Final = frozenset({"CheckNodeUnschedulable"})

_OWN_PRIORITIES: Final = {
    DEFAULT_PROVIDER: "LeastRequestedPriority",
    CLUSTER_AUTOSCALER_PROVIDER: "MostRequestedPriority",
}
_COMMON_PRIORITIES: Final = (
    "SelectorSpreadPriority",
    "InterPodAffinityPriority",
    "BalancedResourceAllocation",
    "NodePreferAvoidPodsPriority",
    "NodeAffinityPriority",
    "TaintTolerationPriority",
    "ImageLocalityPriority",
)

RULES_CHANGED_BY_GATE: Final[Mapping[str, frozenset[str]]] = {
    "AttachVolumeLimit": frozenset(name for name in PREDICATES_IN_ORDER if name.startswith("Max")),
    "BalanceAttachedNodeVolumes": frozenset({"BalancedResourceAllocation"}),
}
"""The gates that change what a rule answers."""

RULES_CHANGED_BY_HARD_WEIGHT: Final = frozenset({"InterPodAffinityPriority"})
"""The rules that `hardPodAffinitySymmetricWeight` changes."""

REFUSALS: Final[Mapping[str, frozenset[str]]] = {
    "NoDiskConflict": frozenset({"node(s) had no available disk"}),
    "CheckServiceAffinity": frozenset({"node(s) didn't match service affinity"}),
    "MaxEBSVolumeCount": frozenset({"node(s) exceed max volume count"}),
    "MaxGCEPDVolumeCount": frozenset({"node(s) exceed max volume count"}),
    "MaxCSIVolumeCountPred": frozenset({"node(s) exceed max volume count"}),
    "MaxAzureDiskVolumeCount": frozenset({"node(s) exceed max volume count"}),
    "CheckVolumeBinding": frozenset(
        {
            "node(s) had volume node affinity conflict",
            "node(s) didn't find available persistent volumes to bind",
        }
    ),
    "NoVolumeZoneConflict": frozenset({"node(s) had no available volume zone"}),
    "MatchInterPodAffinity": frozenset({"node(s) didn't match pod affinity/anti-affinity"}),
}
"""How those refuse, by the first reason, that may be missing; no other predicate refuses so."""


def provider_predicates(gates: FeatureGates) -> frozenset[str]:
    """Return the predicates of either provider."""
    absent = (
        _ONLY_WHERE_CONDITIONS_COUNT
        if gates.taint_nodes_by_condition
        else _ONLY_WHERE_CONDITIONS_ARE_TAINTS
    )
    return frozenset(PREDICATES_IN_ORDER) - _NOT_IN_PROVIDERS - absent


def provider_priorities(provider: str, gates: FeatureGates) -> frozenset[str]:
    """Return the priorities of a provider."""
    limits = {"ResourceLimitsPriority"} if gates.resource_limits_priority_function else set()
    return frozenset({_OWN_PRIORITIES[provider], *_COMMON_PRIORITIES, *limits})
