"""How far a pod's claims have come: bound, waiting for a node, or unbound without waiting.

Source: kubernetes v1.13.0, pkg/controller/volume/persistentvolume/scheduler_binder.go
(getPodVolumes, isPVCBound), pv_controller.go (shouldDelayBinding).
"""

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import define, field

from kubesched.errors import SchedulingError
from kubesched.model import PersistentVolume, PersistentVolumeClaim, Pod, StorageClass

BIND_COMPLETED: Final = "pv.kubernetes.io/bind-completed"
"""The annotation of a claim that is bound to its volume for good."""

SELECTED_NODE: Final = "volume.kubernetes.io/selected-node"
"""The annotation of a claim for which a volume is to be made on the node that it names."""

CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
"""Where claims and volumes named their class once; it still counts before the field."""

WAIT_FOR_FIRST_CONSUMER: Final = "WaitForFirstConsumer"


class MissingClaimError(SchedulingError, LookupError):
    """A claim that the pod uses does not exist.

    Attributes:
        claim: its key.
    """

    def __init__(self, claim: str) -> None:
        super().__init__(
            f'error getting PVC "{claim}": could not find v1.PersistentVolumeClaim "{claim}"'
        )
        self.claim = claim


class UnboundClaimsError(SchedulingError):
    """Claims that should have been bound before their pod was to be scheduled, and are not.

    Attributes:
        claims: their keys.
    """

    def __init__(self, claims: Iterable[str]) -> None:
        super().__init__("pod has unbound immediate PersistentVolumeClaims")
        self.claims = tuple(claims)


class BindingModeError(SchedulingError, ValueError):
    """A storage class that does not say when its claims are bound.

    Attributes:
        storage_class: its name.
    """

    def __init__(self, storage_class: str) -> None:
        super().__init__(f'VolumeBindingMode not set for StorageClass "{storage_class}"')
        self.storage_class = storage_class


def class_of_claim(claim: PersistentVolumeClaim) -> str:
    """Return the name of a claim's storage class; empty if it has none.

    >>> from kubesched.model import PersistentVolumeClaimSpec as Spec
    >>> class_of_claim(PersistentVolumeClaim(spec=Spec(storage_class_name="fast")))
    'fast'
    """
    named = claim.annotations.get(CLASS_ANNOTATION)
    return claim.spec.storage_class_name or "" if named is None else named


def class_of_volume(volume: PersistentVolume) -> str:
    """Return the name of a volume's storage class; empty if it has none."""
    return volume.annotations.get(CLASS_ANNOTATION, volume.spec.storage_class_name)


def is_bound(claim: PersistentVolumeClaim) -> bool:
    """Tell whether a claim has its volume for good."""
    return bool(claim.spec.volume_name) and BIND_COMPLETED in claim.annotations


def waits_for_pod(claim: PersistentVolumeClaim, classes: Mapping[str, StorageClass]) -> bool:
    """Tell whether an unbound claim is to be bound once its pod has a node.

    It is not if a volume or a node has been chosen for it already.

    Raises:
        BindingModeError: its class does not say.
    """
    if SELECTED_NODE in claim.annotations:
        return False
    storage_class = classes.get(class_of_claim(claim))
    if storage_class is None:
        return False
    if storage_class.volume_binding_mode is None:
        raise BindingModeError(storage_class.name)
    waits = storage_class.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER
    return waits and not claim.spec.volume_name


@define
class ClaimsOfPod:
    """A pod's claims, each list in the order of its volumes; one used twice is there twice.

    Attributes:
        bound: those that have their volume.
        waiting: those that are bound once the pod has a node.
        unbound: those that should have been bound before.
    """

    bound: list[PersistentVolumeClaim] = field(factory=list)
    waiting: list[PersistentVolumeClaim] = field(factory=list)
    unbound: list[PersistentVolumeClaim] = field(factory=list)


def claims_of(
    pod: Pod, claims: Mapping[str, PersistentVolumeClaim], classes: Mapping[str, StorageClass]
) -> ClaimsOfPod:
    """Sort a pod's claims by how far they have come.

    Args:
        pod: the pod.
        claims: all claims by key.
        classes: all storage classes by name.

    Raises:
        MissingClaimError: there is no such claim.
        BindingModeError: the class of an unbound claim does not say when its claims are bound.
    """
    found = ClaimsOfPod()
    for key in pod.claim_keys:
        claim = claims.get(key)
        if claim is None:
            raise MissingClaimError(key)
        if is_bound(claim):
            found.bound.append(claim)
        elif waits_for_pod(claim, classes):
            found.waiting.append(claim)
        else:
            found.unbound.append(claim)
    return found
