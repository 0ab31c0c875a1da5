"""A binder over a small cluster, and what can be seen of it."""

from collections.abc import Mapping
from typing import Any

from kubesched.builders import node
from kubesched.errors import SchedulingError
from kubesched.framework import SKIP
from kubesched.model import (
    KubeObject,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    StorageClass,
)
from kubesched.plugins.volume_binding import CHECK_VOLUME_BINDING
from kubesched.runtime import InMemoryVolumeBinder
from kubesched.state import Cluster
from tests.plugins.volume_binding.objects import waiting_class

LOCAL = waiting_class()
CLOUD = waiting_class("cloud", provisioner="csi.example.com")


def binder_of(*objects: KubeObject) -> InMemoryVolumeBinder:
    return InMemoryVolumeBinder(Cluster.of([node("n1", zone="east"), LOCAL, CLOUD, *objects]))


def claim_in(binder: InMemoryVolumeBinder, name: str = "data") -> PersistentVolumeClaim:
    return binder.cluster.of_kind(PersistentVolumeClaim)[f"default/{name}"]


def volume_in(binder: InMemoryVolumeBinder, name: str = "pv") -> PersistentVolume:
    return binder.cluster.of_kind(PersistentVolume)[name]


def picture(cluster: Cluster) -> Mapping[str, Any]:
    """Return all that a binder may change."""
    kinds: list[type[KubeObject]] = [PersistentVolume, PersistentVolumeClaim, StorageClass]
    return {f"{kind.kind} {key}": it for kind in kinds for key, it in cluster.of_kind(kind).items()}


def reasons(binder: InMemoryVolumeBinder, asked: Pod, node_name: str = "n1") -> list[str]:
    """Return what the next decision says about the node: reasons, or the text of an error."""
    snapshot = binder.cluster.snapshot()
    assert CHECK_VOLUME_BINDING.prepare is not None
    meta = CHECK_VOLUME_BINDING.prepare(asked, snapshot)
    if meta is SKIP:
        return []
    try:
        fit = CHECK_VOLUME_BINDING.check(asked, meta, snapshot.node_infos[node_name])
    except SchedulingError as error:
        return [str(error)]
    return [reason.text for reason in fit.reasons]
