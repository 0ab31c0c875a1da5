"""What a pod mounts, and which volume is behind a claim."""

from collections.abc import Iterable

from attrs import field, frozen

from kubesched.model import DiskSource, PersistentVolume, PersistentVolumeClaim, Pod
from kubesched.plugins.volumes.errors import UnusableClaimError
from kubesched.state import Facet, Snapshot, TableView

NO_NAME = "PersistentVolumeClaim had no name"
"""What is said of a claim without a name, which no API server would let pass."""


def disks_of(pod: Pod) -> tuple[DiskSource, ...]:
    """Return what a pod mounts without a claim, in the order of its volumes."""
    return tuple(
        volume.disk
        for volume in pod.spec.volumes
        if volume.persistent_volume_claim is None and volume.disk is not None
    )


def is_nameless(claim: str) -> bool:
    """Tell whether a claim, `namespace/name`, has no name.

    >>> is_nameless("shop/"), is_nameless("shop/data")
    (True, False)
    """
    return claim.endswith("/")


def refuse_nameless(claims: Iterable[str]) -> None:
    """See to it that each claim has a name.

    Raises:
        UnusableClaimError: one has none.
    """
    for claim in claims:
        if is_nameless(claim):
            raise UnusableClaimError(claim, NO_NAME)


@frozen
class ClaimBook:
    """The claims and volumes of a cluster at one moment, to look up what is behind any claim.

    It looks up claims of placed pods as well as of the pod in question, so it holds all of them.
    Two books are equal if they are of one cluster, and no claim or volume has changed between them;
    O(1).
    """

    _claims: TableView[str, PersistentVolumeClaim] = field(eq=False, repr=False)
    _volumes: TableView[str, PersistentVolume] = field(eq=False, repr=False)
    _cluster: object = field(repr=False)
    _generation: int

    @classmethod
    def of(cls, snapshot: Snapshot) -> "ClaimBook":
        """Return the book of a snapshot."""
        return cls(
            snapshot.of(PersistentVolumeClaim),
            snapshot.of(PersistentVolume),
            snapshot.origin,
            snapshot.generation_of({Facet.PERSISTENT_VOLUME_CLAIMS, Facet.PERSISTENT_VOLUMES}),
        )

    def volume_behind(self, claim: str) -> PersistentVolume | None:
        """Return the volume that a claim, `namespace/name`, is bound to; O(1).

        None if the claim is missing or not bound, or its volume is missing.
        """
        try:
            return self._volumes[self._claims[claim].spec.volume_name]
        except KeyError:
            return None
