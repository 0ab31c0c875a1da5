"""Binding the volumes of a pod that has been given a node, in steps.

What CheckVolumeBinding found for the pod on its node is assumed first, so that no other pod gets
it. Then it is bound, or given free again.

Source: kubernetes v1.12.2, pkg/controller/volume/persistentvolume/scheduler_binder.go
(AssumePodVolumes, BindPodVolumes); v1.13.0 where the two differ.
"""

from collections.abc import Iterable
from threading import RLock
from typing import Protocol

from attrs import define, field, frozen

from kubesched.errors import ClusterError
from kubesched.model import Pod
from kubesched.plugins.volume_binding import Choice
from kubesched.runtime.volumes.edits import Edit, make_all
from kubesched.runtime.volumes.volume_edits import (
    Binding,
    VolumeBindingError,
    assuming,
    choice_for,
    forgetting,
)
from kubesched.state import Cluster


class VolumeBinder(Protocol):
    """Gives pods the volumes that their claims wait for."""

    def assume_pod_volumes(self, pod: Pod, node_name: str, /) -> bool:
        """Keep the volumes for the pod that it gets on a node, and do so quickly.

        All of them or none: after an error nothing may be kept, for nobody will give it back.

        Returns:
            Whether all its claims are bound already, so that there is nothing to be done.

        Raises:
            SchedulingError: it gets none there.
        """
        ...

    def bind_pod_volumes(self, pod: Pod, node_name: str, /) -> None:
        """Bind what was assumed; this may take its time.

        Raises:
            SchedulingError: that did not work out.
        """
        ...

    def forget_pod_volumes(self, pod: Pod, /) -> None:
        """Take back what was assumed for a pod and not bound, if anything.

        That may be asked for while it is still being bound, because it has taken too long.
        """
        ...


@frozen
class _Assumed:
    """What is kept for a pod on a node; volumes and claims as they were before."""

    node_name: str
    choice: Choice


@define(eq=False)
class InMemoryVolumeBinder:
    """Binds volumes in a `Cluster`, playing the part of the API server and of the controllers.

    To assume is to write into the cluster who gets a volume, or on which node one is to be made.
    Binding finishes what was assumed at once. Each step is made whole or not at all. It may be
    called from any thread.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.model import (
    ...     ObjectMeta,
    ...     PersistentVolumeClaim,
    ...     PersistentVolumeClaimSpec,
    ...     PersistentVolumeClaimVolumeSource,
    ...     StorageClass,
    ...     Volume,
    ... )
    >>> fast = StorageClass(
    ...     metadata=ObjectMeta(name="fast"),
    ...     provisioner="csi.example.com",
    ...     volume_binding_mode="WaitForFirstConsumer",
    ... )
    >>> claim = PersistentVolumeClaim(
    ...     metadata=ObjectMeta(name="data", namespace="default"),
    ...     spec=PersistentVolumeClaimSpec(storage_class_name="fast"),
    ... )
    >>> source = PersistentVolumeClaimVolumeSource(claim_name="data")
    >>> db = pod("db-0", volumes=[Volume(persistent_volume_claim=source)])
    >>> cluster = Cluster.of([node("worker-1"), fast, claim, db])
    >>> binder = InMemoryVolumeBinder(cluster)
    >>> binder.assume_pod_volumes(db, "worker-1")
    False
    >>> binder.bind_pod_volumes(db, "worker-1")
    >>> cluster.of_kind(PersistentVolumeClaim)["default/data"].spec.volume_name
    'pvc-default-data'

    Differs: the original leaves it to other processes to make and bind volumes, and waits for them.
    """

    cluster: Cluster
    _assumed: dict[str, _Assumed] = field(factory=dict, init=False)
    _lock: RLock = field(factory=RLock, init=False)

    def assume_pod_volumes(self, pod: Pod, node_name: str, /) -> bool:
        """Reserve the volumes that the pod gets on a node, and mark claims that need a new one.

        O(volumes) if a claim waits, else O(claims).

        Returns:
            Whether all its claims are bound already, so that there is nothing to be done.

        Raises:
            SchedulingError: what CheckVolumeBinding raises for the pod; a `VolumeBindingError` if
                its claims get no volumes on that node, it has some assumed already, or somebody
                else changed them meanwhile.
        """
        with self._lock:
            if pod.key in self._assumed:
                where = self._assumed[pod.key].node_name
                why = f"they are assumed on {where} already; bind or forget them first"
                raise VolumeBindingError(pod.key, node_name, why)
            choice = choice_for(pod, node_name, self.cluster.snapshot())
            if choice is None:
                return True
            self._make(assuming(choice, node_name), pod, node_name)
            self._assumed[pod.key] = _Assumed(node_name, choice)
            return False

    def bind_pod_volumes(self, pod: Pod, node_name: str, /) -> None:
        """Bind the pod's claims to what was assumed for them, making the volumes that are to be.

        Raises:
            VolumeBindingError: nothing was assumed there, or it was taken away meanwhile. What is
                left stays assumed, to be forgotten.
        """
        with self._lock:
            assumed = self._assumed.get(pod.key)
            if assumed is None or assumed.node_name != node_name:
                where = "nowhere" if assumed is None else f"on {assumed.node_name}"
                raise VolumeBindingError(pod.key, node_name, f"they are assumed {where}")
            binding = Binding(pod, node_name, self.cluster.snapshot())
            self._make(binding.edits(assumed.choice), pod, node_name)
            del self._assumed[pod.key]

    def forget_pod_volumes(self, pod: Pod, /) -> None:
        """Take back what was assumed for a pod and not bound, if anything.

        What somebody else has changed meanwhile keeps these changes.

        Raises:
            VolumeBindingError: somebody else is changing them right now; nothing was taken back.
        """
        with self._lock:
            assumed = self._assumed.get(pod.key)
            if assumed is not None:
                where, now = assumed.node_name, self.cluster.snapshot()
                self._make(forgetting(assumed.choice, where, now), pod, where)
                del self._assumed[pod.key]

    def _make(self, edits: Iterable[Edit], pod: Pod, node_name: str) -> None:
        try:
            make_all([*edits], self.cluster)
        except ClusterError as error:
            raise VolumeBindingError(pod.key, node_name, str(error)) from error
