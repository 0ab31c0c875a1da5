"""Keeps pods in the racks of their volumes, which a label of the volume tells.

What is wrong: it declares the claims, and reads the volumes that they are bound to as well.
"""

from typing import Final

from attrs import frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.model import PersistentVolume, PersistentVolumeClaim

FAR: Final = Reason("node(s) were in another rack than the volume", resolvable=False)


@frozen
class Racks:
    """The racks in which a pod's volumes are."""

    names: frozenset[str]


def racks_of_volumes(pod: Pod, snapshot: Snapshot, /) -> Racks:
    found = set()
    for key in pod.claim_keys:
        claim = snapshot.of(PersistentVolumeClaim).get(key)
        volume = snapshot.of(PersistentVolume).get(claim.spec.volume_name) if claim else None
        if volume is not None and "rack" in volume.labels:
            found.add(volume.labels["rack"])
    return Racks(frozenset(found))


def is_near(_pod: Pod, racks: Racks, node: NodeInfo, /) -> Fit:
    return FITS if racks.names <= {node.labels.get("rack")} else Fit(FAR)


RULE: Final = PredicateSpec(
    "VolumeRack",
    is_near,
    prepare=racks_of_volumes,
    reads={Facet.LABELS, Facet.PERSISTENT_VOLUME_CLAIMS},
)
