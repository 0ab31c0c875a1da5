"""What volumes and claims look like on their way to each other.

Source: kubernetes v1.12.2, pkg/controller/volume/persistentvolume/pv_controller.go
(getBindVolumeToClaim, bindClaimToVolume, updateVolumePhase, updateClaimStatus).
"""

from collections.abc import Mapping
from typing import Final, TypeVar

from attrs import evolve

from kubesched.model import (
    KubeObject,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeClaimStatus,
    PersistentVolumeStatus,
)
from kubesched.plugins.volume_binding import BIND_COMPLETED, SELECTED_NODE, is_reserved_for

K = TypeVar("K", bound=KubeObject)

BOUND_BY_CONTROLLER: Final = "pv.kubernetes.io/bound-by-controller"
"""The annotation of what was bound without its owner having said to what."""

_YES: Final = "yes"
_BOUND: Final = "Bound"


def annotated(it: K, changes: Mapping[str, str | None]) -> K:
    """Return an object with some annotations set, or taken away where the value is None."""
    merged = {**it.annotations, **changes}
    annotations = {key: value for key, value in merged.items() if value is not None}
    return evolve(it, metadata=evolve(it.metadata, annotations=annotations))


def reserved(volume: PersistentVolume, claim: PersistentVolumeClaim) -> PersistentVolume:
    """Return a volume kept for a claim; one that its owner has kept for it only gets the uid."""
    owner = ObjectReference(
        kind=claim.kind,
        api_version="v1",
        namespace=claim.namespace,
        name=claim.name,
        uid=claim.uid,
        resource_version=claim.metadata.resource_version,
    )
    kept = evolve(volume, spec=evolve(volume.spec, claim_ref=owner))
    if is_reserved_for(volume, claim):
        return kept
    return annotated(kept, {BOUND_BY_CONTROLLER: _YES})


def released(volume: PersistentVolume, before: PersistentVolume) -> PersistentVolume:
    """Return a volume kept for whomever it was kept `before`, if for anybody."""
    free = evolve(volume, spec=evolve(volume.spec, claim_ref=before.spec.claim_ref))
    return annotated(free, {BOUND_BY_CONTROLLER: before.annotations.get(BOUND_BY_CONTROLLER)})


def selected(claim: PersistentVolumeClaim, node_name: str) -> PersistentVolumeClaim:
    """Return a claim for which a volume is to be made on a node."""
    return annotated(claim, {SELECTED_NODE: node_name})


def deselected(claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
    """Return a claim for which no node has been chosen."""
    return annotated(claim, {SELECTED_NODE: None})


def bound_volume(volume: PersistentVolume) -> PersistentVolume:
    """Return a volume whose claim has it for good."""
    return evolve(volume, status=PersistentVolumeStatus(phase=_BOUND))


def bound_claim(claim: PersistentVolumeClaim, volume: PersistentVolume) -> PersistentVolumeClaim:
    """Return a claim that has a volume for good."""
    bound = evolve(
        claim,
        spec=evolve(claim.spec, volume_name=volume.name),
        status=PersistentVolumeClaimStatus(
            phase=_BOUND,
            access_modes=volume.spec.access_modes,
            capacity=volume.spec.capacity,
        ),
    )
    return annotated(bound, {BIND_COMPLETED: _YES, BOUND_BY_CONTROLLER: _YES})
