"""The kinds of volumes that are counted: how each is told apart, and how many a node takes.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go (EBSVolumeFilter,
GCEPDVolumeFilter, AzureDiskVolumeFilter, getMaxVolumeFunc), pkg/volume/util/attach_limit.go.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from attrs import frozen

from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    DiskSource,
    GCEPersistentDiskVolumeSource,
    PersistentVolume,
)

ATTACHABLE_VOLUMES: Final = "attachable-volumes-"
"""How the names of resources begin by which a node says how many volumes of a kind it takes."""

INSTANCE_TYPE_LABEL: Final = "beta.kubernetes.io/instance-type"

EBS_LIMIT: Final = 39
EBS_NITRO_LIMIT: Final = 25
GCE_PD_LIMIT: Final = 16
AZURE_DISK_LIMIT: Final = 16

# Only the first alternative is bound to the beginning, in the original as well.
_NITRO: Final = re.compile(r"^[cmr]5.*|t3|z1d")


@frozen
class VolumeKind:
    """A kind of volumes that a node takes only so many of.

    Attributes:
        node_limit: the allocatable resource by which a node says how many it takes.
        id_of_disk: the id of what a pod mounts without a claim; None if it is of another kind.
        id_of_volume: the same of a persistent volume. Ids are equal where the disk is the same.
        usual_limit: how many a node takes that does not say, by its labels.
        reads_labels: whether that depends on the labels at all.
    """

    node_limit: str
    id_of_disk: Callable[[DiskSource | None], str | None]
    id_of_volume: Callable[[PersistentVolume], str | None]
    usual_limit: Callable[[Mapping[str, str]], int]
    reads_labels: bool = False


def _ebs_id(disk: DiskSource | None) -> str | None:
    return disk.volume_id if isinstance(disk, AWSElasticBlockStoreVolumeSource) else None


def _ebs_id_of_volume(volume: PersistentVolume) -> str | None:
    return _ebs_id(volume.spec.aws_elastic_block_store)


def ebs_limit(labels: Mapping[str, str]) -> int:
    """Return how many EBS volumes a node of this instance type takes.

    >>> ebs_limit({INSTANCE_TYPE_LABEL: "m4.large"}), ebs_limit({INSTANCE_TYPE_LABEL: "m5.large"})
    (39, 25)
    """
    is_nitro = _NITRO.search(labels.get(INSTANCE_TYPE_LABEL, ""))
    return EBS_NITRO_LIMIT if is_nitro else EBS_LIMIT


def _gce_pd_id(disk: DiskSource | None) -> str | None:
    return disk.pd_name if isinstance(disk, GCEPersistentDiskVolumeSource) else None


def _gce_pd_id_of_volume(volume: PersistentVolume) -> str | None:
    return _gce_pd_id(volume.spec.gce_persistent_disk)


def _gce_pd_limit(_labels: Mapping[str, str]) -> int:
    return GCE_PD_LIMIT


def _azure_disk_id(disk: DiskSource | None) -> str | None:
    return disk.disk_name if isinstance(disk, AzureDiskVolumeSource) else None


def _azure_disk_id_of_volume(volume: PersistentVolume) -> str | None:
    return _azure_disk_id(volume.spec.azure_disk)


def _azure_disk_limit(_labels: Mapping[str, str]) -> int:
    return AZURE_DISK_LIMIT


EBS: Final = VolumeKind(
    f"{ATTACHABLE_VOLUMES}aws-ebs",
    _ebs_id,
    _ebs_id_of_volume,
    ebs_limit,
    reads_labels=True,
)
GCE_PD: Final = VolumeKind(
    f"{ATTACHABLE_VOLUMES}gce-pd", _gce_pd_id, _gce_pd_id_of_volume, _gce_pd_limit
)
AZURE_DISK: Final = VolumeKind(
    f"{ATTACHABLE_VOLUMES}azure-disk",
    _azure_disk_id,
    _azure_disk_id_of_volume,
    _azure_disk_limit,
)
