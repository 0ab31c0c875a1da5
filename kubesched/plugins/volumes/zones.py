"""Volumes that can be reached only from the nodes of a zone.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go, VolumeZoneChecker;
pkg/volume/util/util.go (LabelZonesToSet).
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import frozen

from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Reason, Skip
from kubesched.model import PersistentVolume, PersistentVolumeClaim, Pod, StorageClass
from kubesched.plugins.volumes.claims import NO_NAME, is_nameless
from kubesched.plugins.volumes.errors import UnusableClaimError
from kubesched.state import Facet, NodeInfo, Snapshot
from kubesched.state.node_tree import REGION_LABEL, ZONE_LABEL

ZONE_CONFLICT: Final = Reason("node(s) had no available volume zone", resolvable=False)
_REFUSAL: Final = Fit(ZONE_CONFLICT)

CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
"""Names a claim's storage class; it counts before the claim's own field."""

_DELIMITER: Final = "__"


@frozen
class Unusable:
    """What is wrong with a claim of the pod: any node that says its zone ends in this error."""

    claim: str
    why: str


Demand: TypeAlias = Mapping[str, frozenset[str]]
"""The labels that a volume asks of a node, each with the values of which it must have one."""


def zones_in(value: str) -> frozenset[str] | None:
    """Read a label that names one zone or several; None if a name is empty: it is then ignored.

    >>> sorted(zones_in("east-1a__east-1b")), zones_in("east-1a__")
    (['east-1a', 'east-1b'], None)
    """
    names = [name.strip() for name in value.split(_DELIMITER)]
    return frozenset(names) if all(names) else None


def class_name(claim: PersistentVolumeClaim) -> str:
    """Return the name of a claim's storage class; empty if it has none.

    Source: kubernetes v1.12.2, pkg/apis/core/v1/helper/helpers.go, GetPersistentVolumeClaimClass.
    """
    return claim.annotations.get(CLASS_ANNOTATION, claim.spec.storage_class_name or "")


@frozen
class PrepareZones:
    """Prepares the predicate that a node is in the zone of the pod's volumes.

    Attributes:
        volume_scheduling: whether a claim may wait for a node before it is bound.
    """

    volume_scheduling: bool

    def __call__(self, pod: Pod, snapshot: Snapshot, /) -> tuple[Demand | Unusable, ...] | Skip:
        """Collect what the pod's volumes ask of a node; a pod whose volumes ask nothing fits."""
        demands = (self._demand_of(claim, snapshot) for claim in pod.claim_keys)
        return tuple(demand for demand in demands if demand) or SKIP

    def _demand_of(self, claim: str, snapshot: Snapshot) -> Demand | Unusable:
        name = claim.rpartition("/")[2]
        found = snapshot.of(PersistentVolumeClaim).get(claim)
        if is_nameless(claim):
            return Unusable(claim, NO_NAME)
        if found is None:
            return Unusable(claim, f'persistentvolumeclaim "{name}" not found')
        if not found.spec.volume_name:
            return self._demand_of_unbound(found, snapshot)
        volume = snapshot.of(PersistentVolume).get(found.spec.volume_name)
        if volume is None:
            return Unusable(claim, f'persistentvolume "{found.spec.volume_name}" not found')
        return _demand_of_volume(volume)

    def _demand_of_unbound(
        self, claim: PersistentVolumeClaim, snapshot: Snapshot
    ) -> Demand | Unusable:
        found = snapshot.of(StorageClass).get(class_name(claim))
        if self.volume_scheduling and found is not None:
            if found.volume_binding_mode is None:
                why = f'VolumeBindingMode not set for StorageClass "{found.name}"'
                return Unusable(claim.key, why)
            if found.volume_binding_mode == "WaitForFirstConsumer":
                return {}
        return Unusable(claim.key, f'PersistentVolumeClaim is not bound: "{claim.name}"')


def _demand_of_volume(volume: PersistentVolume) -> Demand:
    said = {label: volume.labels.get(label) for label in (ZONE_LABEL, REGION_LABEL)}
    read = {label: zones_in(value) for label, value in said.items() if value is not None}
    return {label: zones for label, zones in read.items() if zones is not None}


def check_volume_zones(_pod: Pod, demands: tuple[Demand | Unusable, ...], node: NodeInfo, /) -> Fit:
    """Check that the node is where each volume can be reached; O(the pod's volumes).

    A node that says neither zone nor region passes, whatever is wrong with the claims.

    Raises:
        UnusableClaimError: a claim is missing or not bound, and does not wait for a node; or its
            volume is missing.
    """
    if ZONE_LABEL not in node.labels and REGION_LABEL not in node.labels:
        return FITS
    for demand in demands:
        if isinstance(demand, Unusable):
            raise UnusableClaimError(demand.claim, demand.why)
        if any(node.labels.get(label, "") not in zones for label, zones in demand.items()):
            return _REFUSAL
    return FITS


def no_volume_zone_conflict(
    *, volume_scheduling: bool = True
) -> PredicateSpec[tuple[Demand | Unusable, ...]]:
    """Return the predicate that a node is in the zone of the pod's volumes.

    Args:
        volume_scheduling: whether a claim that waits for a node may be unbound.

    >>> no_volume_zone_conflict().name
    'NoVolumeZoneConflict'
    """
    reads = {Facet.LABELS, Facet.PERSISTENT_VOLUMES, Facet.PERSISTENT_VOLUME_CLAIMS}
    return PredicateSpec(
        "NoVolumeZoneConflict",
        check_volume_zones,
        prepare=PrepareZones(volume_scheduling),
        order=180,
        reads=reads | {Facet.STORAGE_CLASSES} if volume_scheduling else reads,
    )


NO_VOLUME_ZONE_CONFLICT: Final = no_volume_zone_conflict()
