"""How many volumes of a CSI driver a node takes.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/csi_volume_predicate.go,
pkg/volume/util/attach_limit.go (GetCSIAttachLimitKey).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha1
from typing import Final

from attrs import frozen

from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Skip
from kubesched.model import Pod
from kubesched.plugins.volumes.claims import ClaimBook, is_nameless, refuse_nameless
from kubesched.plugins.volumes.kinds import ATTACHABLE_VOLUMES
from kubesched.plugins.volumes.limits import REFUSAL
from kubesched.state import Facet, NodeInfo, Snapshot

_PREFIX: Final = f"{ATTACHABLE_VOLUMES}csi-"
_TOO_LONG: Final = 63
_KEPT_OF_DRIVER: Final = 23
_KEPT_OF_HASH: Final = 16


def csi_limit(driver: str) -> str:
    """Return the allocatable resource by which a node says how many volumes of a driver it takes.

    A driver's name that is too long for the name of a resource is cut, and part of a hash added.

    >>> csi_limit("disks.example.com")
    'attachable-volumes-csi-disks.example.com'
    """
    if len(_PREFIX) + len(driver) < _TOO_LONG:
        return _PREFIX + driver
    hashed = sha1(driver.encode(), usedforsecurity=False).hexdigest()
    return _PREFIX + driver[:_KEPT_OF_DRIVER] + hashed[:_KEPT_OF_HASH]


@frozen
class WantedCSIVolumes:
    """The CSI volumes that a pod mounts.

    Attributes:
        limits: the resource that limits each volume, by the volume's handle.
        claims: all claims of the pod.
        book: tells what is behind the claims of other pods.
    """

    limits: Mapping[str, str]
    claims: tuple[str, ...]
    book: ClaimBook


def _limits(claims: Iterable[str], book: ClaimBook) -> dict[str, str]:
    volumes = map(book.volume_behind, claims)
    sources = [volume.spec.csi for volume in volumes if volume is not None and volume.spec.csi]
    return {source.volume_handle: csi_limit(source.driver) for source in sources}


def prepare_csi_volumes(pod: Pod, snapshot: Snapshot, /) -> WantedCSIVolumes | Skip:
    """Work out the pod's CSI volumes; only claims bound to one count."""
    claims = pod.claim_keys
    if not claims:
        return SKIP
    book = ClaimBook.of(snapshot)
    limits = _limits(claims, book)
    if not limits and not any(map(is_nameless, claims)):
        return SKIP
    return WantedCSIVolumes(limits, claims, book)


def _skip(_pod: Pod, _snapshot: Snapshot, /) -> Skip:
    return SKIP


def check_csi_volumes(_pod: Pod, wanted: WantedCSIVolumes, node: NodeInfo, /) -> Fit:
    """Check that the node would not have too many volumes of a driver.

    O(the pod's volumes), and where that leaves it open O(the volumes of the node's pods).

    A node that says no limit at all takes everything, and so does one of drivers that it does not
    name. Volumes are told apart by their handle alone, and one handle of two drivers counts for the
    driver of the pod that came last.

    Raises:
        UnusableClaimError: a claim of the pod or of the node's pods has no name.
    """
    said = node.allocatable.scalars
    if not any(name.startswith(ATTACHABLE_VOLUMES) for name in said):
        return FITS
    refuse_nameless(wanted.claims)
    refuse_nameless(node.claims)
    least = min((said[name] for name in wanted.limits.values() if name in said), default=None)
    if least is None or len(wanted.limits) + len(node.claims) <= least:
        return FITS
    return REFUSAL if _is_too_much(wanted, node) else FITS


def _is_too_much(wanted: WantedCSIVolumes, node: NodeInfo) -> bool:
    # Pod by pod and not by the node's total: of one handle's two drivers the last one counts.
    claims = [claim for pod in node.pods.values() for claim in pod.claim_keys]
    attached, said = _limits(claims, wanted.book), node.allocatable.scalars
    there = Counter(attached.values())
    new = Counter(limit for handle, limit in wanted.limits.items() if handle not in attached)
    return any(limit in said and there[limit] + new[limit] > said[limit] for limit in new)


def max_csi_volume_count(*, node_limits: bool = True) -> PredicateSpec[WantedCSIVolumes]:
    """Return the predicate that limits the volumes of each CSI driver.

    Args:
        node_limits: whether a node says limits; otherwise there are none, and every pod fits.

    >>> max_csi_volume_count().name
    'MaxCSIVolumeCountPred'
    """
    reads = {
        Facet.ALLOCATABLE,
        Facet.DISKS,
        Facet.PERSISTENT_VOLUMES,
        Facet.PERSISTENT_VOLUME_CLAIMS,
    }
    return PredicateSpec(
        "MaxCSIVolumeCountPred",
        check_csi_volumes,
        prepare=prepare_csi_volumes if node_limits else _skip,
        order=150,
        reads=reads if node_limits else (),
    )


MAX_CSI_VOLUME_COUNT: Final = max_csi_volume_count()
