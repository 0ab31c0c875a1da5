"""Making a volume for a claim, as the provisioner of its class would."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    CSIPersistentVolumeSource,
    GCEPersistentDiskVolumeSource,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    ObjectMeta,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeSpec,
    StorageClass,
    VolumeNodeAffinity,
)
from kubesched.plugins.volume_binding import topology_selector
from kubesched.runtime.volumes.volume_states import bound_volume, reserved

PROVISIONED_BY: Final = "pv.kubernetes.io/provisioned-by"
"""The annotation of a volume that was made for a claim."""

HOST_NAME: Final = "kubernetes.io/hostname"
ZONE: Final = "failure-domain.beta.kubernetes.io/zone"
REGION: Final = "failure-domain.beta.kubernetes.io/region"

_CLOUD_DISKS: Final[Mapping[str, Callable[[str], Mapping[str, Any]]]] = {
    "kubernetes.io/aws-ebs": lambda name: {
        "aws_elastic_block_store": AWSElasticBlockStoreVolumeSource(volume_id=name)
    },
    "kubernetes.io/gce-pd": lambda name: {
        "gce_persistent_disk": GCEPersistentDiskVolumeSource(pd_name=name)
    },
    "kubernetes.io/azure-disk": lambda name: {"azure_disk": AzureDiskVolumeSource(disk_name=name)},
}
"""The provisioners inside Kubernetes whose disks are counted, and what their volumes consist of."""


def provisioned_volume(
    claim: PersistentVolumeClaim, storage_class: StorageClass, labels: Mapping[str, str]
) -> PersistentVolume:
    """Return a volume of a class, made for a claim on a node with these labels and bound to it.

    It is as large as asked for. A disk of a cloud that Kubernetes itself knows carries the node's
    zone and region as labels; any other volume is one of a CSI driver called like the provisioner.
    It can be reached from the nodes that share what the class's allowed topologies speak about, or
    else the cloud's zone and region, or else from that node alone.

    >>> from kubesched.model import PersistentVolumeClaimSpec
    >>> claim = PersistentVolumeClaim(metadata=ObjectMeta(name="data", namespace="shop"))
    >>> fast = StorageClass(metadata=ObjectMeta(name="fast"), provisioner="csi.example.com")
    >>> provisioned_volume(claim, fast, {"kubernetes.io/hostname": "worker-1"}).name
    'pvc-shop-data'
    """
    name = f"pvc-{claim.uid or f'{claim.namespace}-{claim.name}'}"
    shared = _zone_of(labels) if storage_class.provisioner in _CLOUD_DISKS else {}
    volume = PersistentVolume(
        metadata=ObjectMeta(
            name=name,
            labels=shared,
            annotations={PROVISIONED_BY: storage_class.provisioner},
        ),
        spec=PersistentVolumeSpec(
            capacity=claim.spec.resources.requests,
            access_modes=claim.spec.access_modes,
            volume_mode=claim.spec.volume_mode,
            persistent_volume_reclaim_policy=storage_class.reclaim_policy or "Delete",
            storage_class_name=storage_class.name,
            node_affinity=_affinity(
                dict(_allowed(storage_class, labels)) or shared or _host(labels)
            ),
            **_source(storage_class.provisioner, name),
        ),
    )
    return bound_volume(reserved(volume, claim))


def _source(provisioner: str, name: str) -> Mapping[str, Any]:
    if provisioner in _CLOUD_DISKS:
        return _CLOUD_DISKS[provisioner](name)
    return {"csi": CSIPersistentVolumeSource(driver=provisioner, volume_handle=name)}


def _zone_of(labels: Mapping[str, str]) -> dict[str, str]:
    return {key: labels[key] for key in (ZONE, REGION) if labels.get(key)}


def _host(labels: Mapping[str, str]) -> dict[str, str]:
    return {HOST_NAME: labels[HOST_NAME]} if HOST_NAME in labels else {}


def _allowed(storage_class: StorageClass, labels: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Go over what the node has of the first allowed topology that it belongs to."""
    for term in storage_class.allowed_topologies:
        if topology_selector(term).matches(labels):
            yield from ((each.key, labels[each.key]) for each in term.match_label_expressions)
            return


def _affinity(labels: Mapping[str, str]) -> VolumeNodeAffinity | None:
    """Return the affinity to the nodes with these labels; None for all nodes."""
    if not labels:
        return None
    expressions = (
        NodeSelectorRequirement(key=key, operator="In", values=(value,))
        for key, value in labels.items()
    )
    term = NodeSelectorTerm(match_expressions=expressions)
    return VolumeNodeAffinity(required=NodeSelector(node_selector_terms=(term,)))
