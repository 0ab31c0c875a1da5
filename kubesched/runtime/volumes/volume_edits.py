"""What is written into the cluster while a pod's volumes are bound."""

from collections.abc import Iterator

from attrs import frozen

from kubesched.errors import SchedulingError
from kubesched.model import PersistentVolume, PersistentVolumeClaim, Pod, StorageClass
from kubesched.plugins.volume_binding import (
    SELECTED_NODE,
    Choice,
    choose,
    class_of_claim,
    is_bound,
    is_reserved_for,
    volumes_of,
)
from kubesched.runtime.volumes.edits import Edit
from kubesched.runtime.volumes.provisioning import provisioned_volume
from kubesched.runtime.volumes.volume_states import (
    bound_claim,
    bound_volume,
    deselected,
    released,
    reserved,
    selected,
)
from kubesched.state import NodeInfo, Snapshot


class VolumeBindingError(SchedulingError):
    """A pod's volumes cannot be assumed or bound on its node; nothing has been changed.

    Attributes:
        pod: the pod's key.
        node_name: the node's name.
    """

    def __init__(self, pod: str, node_name: str, why: str) -> None:
        """Say which pod, which node and what is wrong."""
        super().__init__(f"volumes of pod {pod} on node {node_name}: {why}")
        self.pod = pod
        self.node_name = node_name


def choice_for(pod: Pod, node_name: str, snapshot: Snapshot) -> Choice | None:
    """Return what the pod's claims get on a node; None if all are bound already.

    Raises:
        SchedulingError: they get nothing there.
    """
    wanted = volumes_of(pod, snapshot)
    if wanted.fault is not None:
        raise wanted.fault
    if not wanted.wishes:
        return None
    choice = choose(wanted.wishes, _node(pod, node_name, snapshot).labels)
    if choice is None:
        names = ", ".join(wish.claim.name for wish in wanted.wishes)
        raise VolumeBindingError(pod.key, node_name, f"there are none for the claims {names}")
    return choice


def _node(pod: Pod, node_name: str, snapshot: Snapshot) -> NodeInfo:
    info = snapshot.node_infos.get(node_name)
    if info is None or info.node is None:
        raise VolumeBindingError(pod.key, node_name, "there is no such node")
    return info


def assuming(choice: Choice, node_name: str) -> Iterator[Edit]:
    """Go over the changes that keep for a pod what it gets on a node."""
    for claim, volume in choice.matches:
        yield Edit(volume, reserved(volume, claim))
    for claim in dict.fromkeys(choice.provisioned):
        yield Edit(claim, selected(claim, node_name))


def forgetting(choice: Choice, node_name: str, now: Snapshot) -> Iterator[Edit]:
    """Go over the changes that take this back, where it is still so and not bound."""
    for claim, before in choice.matches:
        volume = now.of(PersistentVolume).get(before.name)
        if volume is not None and _is_only_assumed(volume, before, claim):
            yield Edit(volume, released(volume, before))
    for claim in dict.fromkeys(choice.provisioned):
        marked = now.of(PersistentVolumeClaim).get(claim.key)
        if marked is not None and marked.annotations.get(SELECTED_NODE) == node_name:
            yield Edit(marked, marked if is_bound(marked) else deselected(marked))


def _is_only_assumed(
    volume: PersistentVolume, before: PersistentVolume, claim: PersistentVolumeClaim
) -> bool:
    is_kept = volume.spec.claim_ref == reserved(before, claim).spec.claim_ref
    return is_kept and volume.status == before.status


@frozen
class Binding:
    """The binding of a pod's volumes in the cluster as it is now."""

    pod: Pod
    node_name: str
    now: Snapshot

    def edits(self, choice: Choice) -> Iterator[Edit]:
        """Go over the changes that bind what was assumed.

        A claim that the pod uses twice may have been given two volumes, or one and the promise of
        another: it gets the first.

        Raises:
            VolumeBindingError: it was taken away meanwhile.
        """
        served: set[str] = set()
        for claim, before in choice.matches:
            volume = self._kept_volume(claim, before)
            if claim.key in served:
                yield Edit(volume, released(volume, before))
            else:
                yield Edit(volume, bound_volume(volume))
                yield self._bound(claim, volume)
            served.add(claim.key)
        for claim in dict.fromkeys(choice.provisioned):
            if claim.key not in served:
                made = self._made_for(claim)
                yield Edit(None, made)
                yield self._bound(claim, made)

    def _bound(self, claim: PersistentVolumeClaim, volume: PersistentVolume) -> Edit:
        current = self._current(claim)
        if is_bound(current) and current.spec.volume_name != volume.name:
            raise self._error(f"claim {claim.name} is bound to {current.spec.volume_name} already")
        return Edit(current, bound_claim(current, volume))

    def _current(self, claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
        current = self.now.of(PersistentVolumeClaim).get(claim.key)
        if current is None or current.uid != claim.uid:
            raise self._error(f"claim {claim.name} is gone")
        return current

    def _kept_volume(
        self, claim: PersistentVolumeClaim, before: PersistentVolume
    ) -> PersistentVolume:
        current = self.now.of(PersistentVolume).get(before.name)
        if current is None or not is_reserved_for(current, claim):
            raise self._error(f"volume {before.name} is not kept for claim {claim.name} any more")
        return current

    def _made_for(self, claim: PersistentVolumeClaim) -> PersistentVolume:
        current = self._current(claim)
        if current.annotations.get(SELECTED_NODE) != self.node_name:
            raise self._error(f"claim {claim.name} is not marked for the node any more")
        storage_class = self.now.of(StorageClass).get(class_of_claim(current))
        if storage_class is None:
            raise self._error(f"the storage class of claim {claim.name} is gone")
        labels = _node(self.pod, self.node_name, self.now).labels
        return provisioned_volume(current, storage_class, labels)

    def _error(self, why: str) -> VolumeBindingError:
        return VolumeBindingError(self.pod.key, self.node_name, why)
