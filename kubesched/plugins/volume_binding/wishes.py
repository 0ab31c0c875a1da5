"""What could become of each waiting claim, whatever the node.

Source: kubernetes v1.13.0, pkg/controller/volume/persistentvolume/index.go (findMatchingVolume),
scheduler_binder.go (findMatchingVolumes, checkVolumeProvisions).
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from attrs import field, frozen

from kubesched.errors import SchedulingError, SelectorError
from kubesched.model import (
    NodeSelectorRequirement,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    TopologySelectorTerm,
)
from kubesched.plugins.volume_binding.claims import class_of_claim, class_of_volume
from kubesched.plugins.volume_binding.reach import Reach, Shelf
from kubesched.quantity import Quantity
from kubesched.selectors import EVERYTHING, Selector, label_selector, node_label_selector

STORAGE: Final = "storage"
AVAILABLE: Final = "Available"
FILESYSTEM: Final = "Filesystem"
NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"
_NOTHING: Final = Quantity(0)


class ClaimSelectorError(SchedulingError, ValueError):
    """A claim whose label selector cannot be evaluated.

    Attributes:
        claim: its key.
    """

    def __init__(self, claim: str, why: str) -> None:
        super().__init__(f"error creating internal label selector for claim: {claim}: {why}")
        self.claim = claim


@frozen
class Provisioner:
    """Makes volumes of a class, on all nodes or on those with certain labels."""

    storage_class: StorageClass
    _terms: tuple[Selector, ...] | None = field(eq=False, repr=False)

    @classmethod
    def of(cls, storage_class: StorageClass) -> "Provisioner | None":
        """Return what makes volumes of a class, if anything does."""
        if storage_class.provisioner in {"", NO_PROVISIONER}:
            return None
        terms = storage_class.allowed_topologies
        return cls(storage_class, tuple(map(topology_selector, terms)) if terms else None)

    def serves(self, labels: Mapping[str, str]) -> bool:
        """Tell whether it can make a volume for a node with these labels."""
        return self._terms is None or any(term.matches(labels) for term in self._terms)


def topology_selector(term: TopologySelectorTerm) -> Selector:
    """Make a term of allowed topologies ready; one that cannot be evaluated selects no node.

    Source: kubernetes v1.12.2, pkg/apis/core/v1/helper/helpers.go, MatchTopologySelectorTerms.

    >>> from kubesched.model import TopologySelectorLabelRequirement
    >>> west = TopologySelectorLabelRequirement(key="zone", values=("west-1", "west-2"))
    >>> selector = topology_selector(TopologySelectorTerm(match_label_expressions=(west,)))
    >>> selector.matches({"zone": "west-2"})
    True
    """
    try:
        return node_label_selector(
            NodeSelectorRequirement(key=each.key, operator="In", values=each.values)
            for each in term.match_label_expressions
        )
    except SelectorError:
        return Selector(None)


@frozen
class Wish:
    """A waiting claim, and what could become of it.

    Attributes:
        claim: the claim.
        reserved: the volumes that are reserved for it, by name. The first that is not taken is its
            volume; if that cannot be reached, no other volume will do.
        shelf: the volumes that would do otherwise, the smallest first, then by name.
        provisioner: what makes a volume where there is none.

    Differs: the original takes volumes of one size, and several that are reserved for one claim,
        in an order that is left to chance.
    """

    claim: PersistentVolumeClaim
    reserved: tuple[Reach, ...]
    shelf: Shelf
    provisioner: Provisioner | None

    def volume_for(
        self, labels: Mapping[str, str], taken: Container[str]
    ) -> PersistentVolume | None:
        """Return the volume that the claim gets on a node with these labels.

        Args:
            labels: the node's labels.
            taken: the names of the volumes that other claims of the pod get.
        """
        for reach in self.reserved:
            if reach.volume.name not in taken:
                return reach.volume if reach.covers(labels) else None
        return next((it for it in self.shelf.within(labels) if it.name not in taken), None)

    def can_be_provisioned(self, labels: Mapping[str, str]) -> bool:
        """Tell whether a volume can be made for it on a node with these labels."""
        return self.provisioner is not None and self.provisioner.serves(labels)


def wishes_of(
    waiting: Iterable[PersistentVolumeClaim],
    volumes: Iterable[PersistentVolume],
    classes: Mapping[str, StorageClass],
) -> tuple[Wish, ...]:
    """Work out what could become of waiting claims, those that ask for the least first.

    O(volumes + claims x volumes of their classes).

    Raises:
        ClaimSelectorError: a claim's selector cannot be evaluated.
    """
    ordered = sorted(waiting, key=size_asked_for)
    of_class = _by_class(volumes, {_listed_class(claim) for claim in ordered})
    return tuple(
        _wish(claim, of_class[_listed_class(claim)], classes[class_of_claim(claim)])
        for claim in ordered
    )


def size_asked_for(claim: PersistentVolumeClaim) -> int:
    """Return how much storage a claim asks for, in nano-units, which compare quickly."""
    return claim.spec.resources.requests.get(STORAGE, _NOTHING).nano


def size_of(volume: PersistentVolume) -> int:
    """Return how much storage a volume has, in nano-units."""
    return volume.spec.capacity.get(STORAGE, _NOTHING).nano


def _listed_class(claim: PersistentVolumeClaim) -> str:
    """Return the class whose volumes are looked at: the original overlooks the annotation here."""
    return claim.spec.storage_class_name or ""


def _by_class(
    volumes: Iterable[PersistentVolume], wanted: set[str]
) -> Mapping[str, Sequence[PersistentVolume]]:
    found: defaultdict[str, list[PersistentVolume]] = defaultdict(list)
    for volume in volumes:
        name = class_of_volume(volume)
        if name in wanted:
            found[name].append(volume)
    return found


def _wish(
    claim: PersistentVolumeClaim, volumes: Iterable[PersistentVolume], storage_class: StorageClass
) -> Wish:
    selector = _selector(claim)
    large = [each for each in volumes if _is_of_use(each, claim)]
    reserved = [each for each in large if is_reserved_for(each, claim)]
    free = [each for each in large if _is_free_for(each, claim, selector)]
    return Wish(
        claim,
        tuple(map(Reach, sorted(reserved, key=lambda each: each.name))),
        Shelf.of(sorted(free, key=lambda each: (size_of(each), each.name))),
        Provisioner.of(storage_class),
    )


def _selector(claim: PersistentVolumeClaim) -> Selector:
    if claim.spec.selector is None:
        return EVERYTHING
    try:
        return label_selector(claim.spec.selector)
    except SelectorError as error:
        raise ClaimSelectorError(claim.key, str(error)) from error


def _is_of_use(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """Tell what holds even for a volume that is reserved for the claim."""
    return (
        volume_mode(volume.spec.volume_mode) == volume_mode(claim.spec.volume_mode)
        and volume.metadata.deletion_timestamp is None
        and size_of(volume) >= size_asked_for(claim)
    )


def volume_mode(given: str | None) -> str:
    """Return what nothing said about the mode means."""
    return FILESYSTEM if given is None else given


def is_reserved_for(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """Tell whether a volume is kept for a claim, or bound to it.

    Source: kubernetes v1.13.0, pkg/controller/volume/persistentvolume/pv_controller.go,
    isVolumeBoundToClaim.
    """
    owner = volume.spec.claim_ref
    return (
        owner is not None
        and (owner.name, owner.namespace) == (claim.name, claim.namespace)
        and owner.uid in {"", claim.uid}
    )


def _is_free_for(
    volume: PersistentVolume, claim: PersistentVolumeClaim, selector: Selector
) -> bool:
    return (
        volume.status.phase == AVAILABLE
        and volume.spec.claim_ref is None
        and selector.matches(volume.labels)
        and class_of_volume(volume) == class_of_claim(claim)
        and set(claim.spec.access_modes) <= set(volume.spec.access_modes)
    )
