"""Which volumes a pod's waiting claims get on a node.

Source: kubernetes v1.13.0, pkg/controller/volume/persistentvolume/scheduler_binder.go
(findMatchingVolumes, checkVolumeProvisions).
"""

from collections.abc import Iterable, Mapping

from attrs import frozen

from kubesched.model import PersistentVolume, PersistentVolumeClaim
from kubesched.plugins.volume_binding.wishes import Wish


@frozen
class Choice:
    """What waiting claims get.

    Attributes:
        matches: claims and the volumes that there are for them; no volume is there twice.
        provisioned: the claims for which a volume is to be made.
    """

    matches: tuple[tuple[PersistentVolumeClaim, PersistentVolume], ...]
    provisioned: tuple[PersistentVolumeClaim, ...]


def choose(wishes: Iterable[Wish], labels: Mapping[str, str]) -> Choice | None:
    """Choose volumes for claims on a node with these labels; None if one of them gets none.

    O(claims x volumes that can be reached from the node), and mostly O(claims).
    """
    matches: list[tuple[PersistentVolumeClaim, PersistentVolume]] = []
    provisioned: list[PersistentVolumeClaim] = []
    taken: set[str] = set()
    for wish in wishes:
        volume = wish.volume_for(labels, taken)
        if volume is not None:
            taken.add(volume.name)
            matches.append((wish.claim, volume))
        elif wish.can_be_provisioned(labels):
            provisioned.append(wish.claim)
        else:
            return None
    return Choice(tuple(matches), tuple(provisioned))
