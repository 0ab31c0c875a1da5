"""Disks that two pods of a node cannot mount both.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go, NoDiskConflict and
isVolumeConflict.
"""

from typing import Final, TypeAlias

from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Reason, Skip
from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    DiskSource,
    GCEPersistentDiskVolumeSource,
    ISCSIVolumeSource,
    Pod,
    RBDVolumeSource,
)
from kubesched.plugins.volumes.claims import disks_of
from kubesched.state import Facet, NodeInfo, Snapshot

DISK_CONFLICT: Final = Reason("node(s) had no available disk")
_REFUSAL: Final = Fit(DISK_CONFLICT)

Exclusive: TypeAlias = (
    GCEPersistentDiskVolumeSource
    | AWSElasticBlockStoreVolumeSource
    | ISCSIVolumeSource
    | RBDVolumeSource
)
"""A disk that cannot always be shared; a file server's share, for instance, always can."""


def clash(mine: DiskSource, other: DiskSource) -> bool:
    """Tell whether two pods on one node cannot mount both.

    An EBS volume is for one pod alone. A GCE disk, an iSCSI target (by its iqn alone) and an RBD
    image (of one pool, by any monitor that both name) can be shared if both only read.

    >>> first = GCEPersistentDiskVolumeSource(pd_name="data", read_only=True)
    >>> clash(first, first), clash(first, GCEPersistentDiskVolumeSource(pd_name="data"))
    (False, True)
    """
    match mine, other:
        case AWSElasticBlockStoreVolumeSource(), AWSElasticBlockStoreVolumeSource():
            return mine.volume_id == other.volume_id
        case GCEPersistentDiskVolumeSource(), GCEPersistentDiskVolumeSource():
            is_same = mine.pd_name == other.pd_name
        case ISCSIVolumeSource(), ISCSIVolumeSource():
            is_same = mine.iqn == other.iqn
        case RBDVolumeSource(), RBDVolumeSource():
            is_same = _is_same_image(mine, other)
        case _:
            return False
    return is_same and not (mine.read_only and other.read_only)


def _is_same_image(mine: RBDVolumeSource, other: RBDVolumeSource) -> bool:
    return (
        mine.pool == other.pool
        and mine.image == other.image
        and not set(mine.monitors).isdisjoint(other.monitors)
    )


def prepare_disks(pod: Pod, _snapshot: Snapshot, /) -> tuple[Exclusive, ...] | Skip:
    """Collect the pod's disks that may clash with others."""
    return tuple(disk for disk in disks_of(pod) if isinstance(disk, Exclusive)) or SKIP


def no_disk_conflict(_pod: Pod, disks: tuple[Exclusive, ...], node: NodeInfo, /) -> Fit:
    """Check that no pod of the node mounts one of the disks; O(the node's disks).

    Only disks that are mounted without a claim count, on both sides.
    """
    for other in node.disks:
        for mine in disks:
            if clash(mine, other):
                return _REFUSAL
    return FITS


NO_DISK_CONFLICT: Final = PredicateSpec(
    "NoDiskConflict", no_disk_conflict, prepare=prepare_disks, order=80, reads={Facet.DISKS}
)
