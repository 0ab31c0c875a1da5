"""How many volumes of a kind a node takes.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go,
MaxPDVolumeCountChecker.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from attrs import frozen

from kubesched.errors import OptionError
from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Reason, Skip
from kubesched.model import DiskSource, Pod
from kubesched.plugins.volumes.claims import ClaimBook, disks_of, refuse_nameless
from kubesched.plugins.volumes.kinds import AZURE_DISK, EBS, GCE_PD, VolumeKind
from kubesched.state import Facet, NodeInfo, Snapshot

TOO_MANY_VOLUMES: Final = Reason("node(s) exceed max volume count")
REFUSAL: Final = Fit(TOO_MANY_VOLUMES)


@frozen
class UnknownVolume:
    """The volume behind a claim of which that cannot be told; it counts as one of every kind."""

    claim: str


VolumeId: TypeAlias = str | UnknownVolume


@frozen
class WantedVolumes:
    """The volumes of one kind that a pod mounts.

    Attributes:
        ids: their ids.
        claims: all claims of the pod.
        book: tells what is behind the claims of other pods.
    """

    ids: frozenset[VolumeId]
    claims: tuple[str, ...]
    book: ClaimBook


def wanted_volumes(kind: VolumeKind, pod: Pod, snapshot: Snapshot) -> WantedVolumes | None:
    """Work out which volumes of a kind a pod mounts, directly or by claims; None if it has none."""
    disks, claims = disks_of(pod), pod.claim_keys
    if not disks and not claims:
        return None
    book = ClaimBook.of(snapshot)
    ids = frozenset(_ids(kind, disks, claims, book))
    return WantedVolumes(ids, claims, book) if ids else None


def _ids(
    kind: VolumeKind, disks: Iterable[DiskSource], claims: Iterable[str], book: ClaimBook
) -> set[VolumeId]:
    ids: set[VolumeId | None] = {kind.id_of_disk(disk) for disk in disks}
    for claim in claims:
        volume = book.volume_behind(claim)
        ids.add(UnknownVolume(claim) if volume is None else kind.id_of_volume(volume))
    return {each for each in ids if each is not None}


@frozen
class PrepareVolumes:
    """Prepares a predicate that counts volumes of a kind."""

    kind: VolumeKind

    def __call__(self, pod: Pod, snapshot: Snapshot, /) -> WantedVolumes | Skip:
        """Work out the pod's volumes; a pod without any fits even where there are too many."""
        return wanted_volumes(self.kind, pod, snapshot) or SKIP


class Use(NamedTuple):
    """How many volumes a pod would bring to a node, and how many more the node takes."""

    new: int
    free: int


@frozen
class VolumeLimit:
    """The predicate that a node would not have too many volumes of a kind.

    Attributes:
        kind: what is counted.
        max_volumes: the limit of a node that says none itself, instead of the usual one.
        node_limits: whether a node may say a limit itself.
    """

    kind: VolumeKind
    max_volumes: int | None = None
    node_limits: bool = True

    def __call__(self, _pod: Pod, wanted: WantedVolumes, node: NodeInfo, /) -> Fit:
        """Check it; O(the pod's and the node's volumes).

        A pod that brings no volume that is not there already is refused where there are too many.

        Raises:
            UnusableClaimError: a claim of the pod or of the node's pods has no name.
        """
        refuse_nameless(wanted.claims)
        refuse_nameless(node.claims)
        at_most = len(wanted.ids) + len(node.disks) + len(node.claims)
        if at_most <= self.limit_of(node):
            return FITS
        use = self.use(wanted, node)
        return FITS if use.new <= use.free else REFUSAL

    def limit_of(self, node: NodeInfo) -> int:
        """Return how many volumes of the kind the node takes."""
        said = node.allocatable.scalars.get(self.kind.node_limit) if self.node_limits else None
        if said is not None:
            return said
        return self.max_volumes or self.kind.usual_limit(node.labels)

    def use(self, wanted: WantedVolumes, node: NodeInfo) -> Use:
        """Count what the pod would bring and what the node still takes; O(the node's volumes).

        Volumes are told apart by their ids, however often they are mounted.
        """
        there = _ids(self.kind, node.disks, node.claims, wanted.book)
        return Use(new=len(wanted.ids - there), free=self.limit_of(node) - len(there))

    @property
    def reads(self) -> frozenset[Facet]:
        """What the answer depends on."""
        reads = {Facet.DISKS, Facet.PERSISTENT_VOLUMES, Facet.PERSISTENT_VOLUME_CLAIMS}
        if self.node_limits:
            reads.add(Facet.ALLOCATABLE)
        if self.kind.reads_labels and self.max_volumes is None:
            reads.add(Facet.LABELS)
        return frozenset(reads)


def _max_volume_count(name: str, limit: VolumeLimit, order: int) -> PredicateSpec[WantedVolumes]:
    if limit.max_volumes is not None and limit.max_volumes <= 0:
        raise OptionError(
            f"max_volumes of {name!r} is {limit.max_volumes}, expected a number above 0 or None"
        )
    return PredicateSpec(
        name, limit, prepare=PrepareVolumes(limit.kind), order=order, reads=limit.reads
    )


def max_ebs_volume_count(
    max_volumes: int | None = None, *, node_limits: bool = True
) -> PredicateSpec[WantedVolumes]:
    """Return the predicate that limits volumes of Amazon's Elastic Block Store.

    A node takes 39, or 25 if its instance type is of a newer generation. A claim that is missing or
    not bound, or whose volume is missing, counts as one volume.

    Args:
        max_volumes: another limit for nodes that say none themselves.
        node_limits: whether a node says its own, by allocatable `attachable-volumes-aws-ebs`.

    Raises:
        OptionError: a limit of 0 or less.

    >>> max_ebs_volume_count().name
    'MaxEBSVolumeCount'
    """
    return _max_volume_count("MaxEBSVolumeCount", VolumeLimit(EBS, max_volumes, node_limits), 130)


def max_gce_pd_volume_count(
    max_volumes: int | None = None, *, node_limits: bool = True
) -> PredicateSpec[WantedVolumes]:
    """Return the predicate that limits persistent disks of Google Compute Engine, 16 a node.

    Claims and arguments are as for `max_ebs_volume_count`; the resource is
    `attachable-volumes-gce-pd`.

    Raises:
        OptionError: a limit of 0 or less.

    >>> max_gce_pd_volume_count().name
    'MaxGCEPDVolumeCount'
    """
    return _max_volume_count(
        "MaxGCEPDVolumeCount", VolumeLimit(GCE_PD, max_volumes, node_limits), 140
    )


def max_azure_disk_volume_count(
    max_volumes: int | None = None, *, node_limits: bool = True
) -> PredicateSpec[WantedVolumes]:
    """Return the predicate that limits data disks of Azure, 16 a node.

    Claims and arguments are as for `max_ebs_volume_count`; the resource is
    `attachable-volumes-azure-disk`.

    Raises:
        OptionError: a limit of 0 or less.

    >>> max_azure_disk_volume_count().name
    'MaxAzureDiskVolumeCount'
    """
    return _max_volume_count(
        "MaxAzureDiskVolumeCount", VolumeLimit(AZURE_DISK, max_volumes, node_limits), 160
    )


MAX_EBS_VOLUME_COUNT: Final = max_ebs_volume_count()
MAX_GCE_PD_VOLUME_COUNT: Final = max_gce_pd_volume_count()
MAX_AZURE_DISK_VOLUME_COUNT: Final = max_azure_disk_volume_count()
