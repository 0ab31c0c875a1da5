"""The order in which stock predicates are asked, and the names that are known and never asked.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go, predicatesOrdering.
"""

from collections.abc import Mapping
from typing import Final

from kubesched.framework import Registry

_IN_ORDER: Final = (
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

STOCK_ORDER: Final[Mapping[str, int]] = {
    name: 10 * place for place, name in enumerate(_IN_ORDER, 1)
}
"""The `order` that goes with each name."""

FORMER_NAMES: Final[Mapping[str, str]] = {"PodFitsPorts": "PodFitsHostPorts"}
"""Names that are still accepted, and the ones under which the same check runs."""


def order_of(name: str, registry: Registry) -> int | None:
    """Return where in the order a predicate of this name is asked; None if it never is.

    A registered predicate has the place that it says itself. Under another name only those run that
    have a place in the original's order.

    >>> order_of("CheckNodeLabelPresence", Registry()), order_of("PodFitsPorts", Registry())
    (110, None)
    """
    spec = registry.predicates.get(name)
    return STOCK_ORDER.get(name) if spec is None else spec.order
