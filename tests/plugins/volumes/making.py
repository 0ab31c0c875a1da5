"""Disks, claims, volumes and pods that mount them, each in a word."""

from collections.abc import Iterable, Mapping
from typing import Any

from kubesched import builders
from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    CSIPersistentVolumeSource,
    DiskSource,
    GCEPersistentDiskVolumeSource,
    ISCSIVolumeSource,
    NFSVolumeSource,
    Node,
    ObjectMeta,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimVolumeSource,
    PersistentVolumeSpec,
    Pod,
    RBDVolumeSource,
    Volume,
)

_FIELDS = {
    AWSElasticBlockStoreVolumeSource: "aws_elastic_block_store",
    AzureDiskVolumeSource: "azure_disk",
    CSIPersistentVolumeSource: "csi",
    GCEPersistentDiskVolumeSource: "gce_persistent_disk",
    ISCSIVolumeSource: "iscsi",
    NFSVolumeSource: "nfs",
    RBDVolumeSource: "rbd",
}


def ebs(volume_id: str) -> AWSElasticBlockStoreVolumeSource:
    return AWSElasticBlockStoreVolumeSource(volume_id=volume_id)


def gce(pd_name: str, *, read_only: bool = False) -> GCEPersistentDiskVolumeSource:
    return GCEPersistentDiskVolumeSource(pd_name=pd_name, read_only=read_only)


def azure(disk_name: str) -> AzureDiskVolumeSource:
    return AzureDiskVolumeSource(disk_name=disk_name)


def iscsi(iqn: str, *, lun: int = 0, read_only: bool = False) -> ISCSIVolumeSource:
    return ISCSIVolumeSource(iqn=iqn, lun=lun, read_only=read_only)


def rbd(
    *monitors: str, image: str = "i", pool: str = "p", read_only: bool = False
) -> RBDVolumeSource:
    return RBDVolumeSource(monitors=monitors, image=image, pool=pool, read_only=read_only)


def csi(handle: str, driver: str = "d") -> CSIPersistentVolumeSource:
    return CSIPersistentVolumeSource(driver=driver, volume_handle=handle)


def volume_of(mounted: DiskSource | str) -> Volume:
    """Return a pod's volume: a disk, or a claim if it is a name."""
    if isinstance(mounted, str):
        claim = PersistentVolumeClaimVolumeSource(claim_name=mounted)
        return Volume(persistent_volume_claim=claim)
    source: dict[str, Any] = {_FIELDS[type(mounted)]: mounted}
    return Volume(**source)


def volumes_of(*mounted: DiskSource | str) -> list[Volume]:
    """Return several of them."""
    return [volume_of(each) for each in mounted]


def asking(*mounted: DiskSource | str, name: str = "p") -> Pod:
    """Return a pod that waits and mounts disks, or claims by their names."""
    return builders.pod(name, volumes=volumes_of(*mounted))


def placed(name: str, *mounted: DiskSource | str) -> Pod:
    """Return a pod on n1 that mounts the same."""
    return builders.pod(name, node_name="n1", volumes=volumes_of(*mounted))


def claim(name: str, volume: str = "", class_name: str | None = None) -> PersistentVolumeClaim:
    """Return a claim in the namespace default, bound to a volume or to none."""
    return PersistentVolumeClaim(
        metadata=ObjectMeta(name=name, namespace="default"),
        spec=PersistentVolumeClaimSpec(volume_name=volume, storage_class_name=class_name),
    )


def volume(
    name: str,
    disk: DiskSource | CSIPersistentVolumeSource | None = None,
    labels: Mapping[str, str] | None = None,
) -> PersistentVolume:
    """Return a persistent volume."""
    source: dict[str, Any] = {} if disk is None else {_FIELDS[type(disk)]: disk}
    return PersistentVolume(
        metadata=ObjectMeta(name=name, labels=labels or {}), spec=PersistentVolumeSpec(**source)
    )


def node(limits: Mapping[str, int] | None = None, labels: Mapping[str, str] | None = None) -> Node:
    """Return the node n1, with limits on volumes by the resource's name."""
    return builders.node("n1", allocatable=limits, labels=labels)


def many(kind: Iterable[DiskSource]) -> list[Pod]:
    """Return pods on n1, one for each disk."""
    return [placed(f"q{index}", disk) for index, disk in enumerate(kind)]
