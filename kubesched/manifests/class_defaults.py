"""The storage class of a claim that names none."""

from collections.abc import Iterable

from attrs import NOTHING, frozen

from kubesched.manifests.fault import Fault
from kubesched.manifests.filling import filled
from kubesched.model import KubeObject, PersistentVolumeClaim, StorageClass

_CLASS_OF_CLAIM = "volume.beta.kubernetes.io/storage-class"
_DEFAULT_MARKS = (
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
)


@frozen
class DefaultClasses:
    """The names of the storage classes that are marked as the default; there should be one at most.

    Source: kubernetes v1.12.2, plugin/pkg/admission/storage/storageclass/setdefault/admission.go,
    Admit, getDefaultClass
    """

    names: tuple[str, ...]

    @classmethod
    def among(cls, objects: Iterable[KubeObject]) -> "DefaultClasses":
        """Find the default storage classes among some objects."""
        classes = [it for it in objects if isinstance(it, StorageClass)]
        return cls(tuple(sorted(it.name for it in classes if _is_default(it))))

    def applied(self, claim: PersistentVolumeClaim, found: list[Fault]) -> PersistentVolumeClaim:
        """Set a claim's storage class, or add to what was found that it is not clear which."""
        if not self.names or not _wants_default(claim):
            return claim
        if len(self.names) > 1:
            why = f"is missing, and several classes are the default: {', '.join(self.names)}"
            found.append(Fault("spec.storageClassName", NOTHING, why))
        return filled(claim, spec=filled(claim.spec, storage_class_name=self.names[0]))


def _wants_default(claim: PersistentVolumeClaim) -> bool:
    """Tell whether a claim is new and names none; one that has a phase was admitted as it is."""
    is_new = not claim.status.phase
    names_none = claim.spec.storage_class_name is None and _CLASS_OF_CLAIM not in claim.annotations
    return is_new and names_none


def _is_default(it: StorageClass) -> bool:
    return any(it.annotations.get(mark) == "true" for mark in _DEFAULT_MARKS)
