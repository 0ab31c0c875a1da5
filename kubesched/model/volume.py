"""What a pod mounts, as far as the scheduler looks.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/types.go.
"""

from collections.abc import Mapping
from typing import TypeAlias

from attrs import field, frozen

from kubesched.model.frozen import Model, frozen_tuple, resource_list, string_map
from kubesched.model.meta import LabelSelector, ObjectMeta
from kubesched.quantity import Quantity


@frozen(kw_only=True, repr=False)
class GCEPersistentDiskVolumeSource(Model):
    """A disk of Google Compute Engine."""

    pd_name: str = field(default="", metadata={"keep": True})
    fs_type: str = ""
    partition: int = 0
    read_only: bool = False


@frozen(kw_only=True, repr=False)
class AWSElasticBlockStoreVolumeSource(Model):
    """A volume of Amazon's Elastic Block Store."""

    volume_id: str = field(default="", metadata={"json": "volumeID", "keep": True})
    fs_type: str = ""
    partition: int = 0
    read_only: bool = False


@frozen(kw_only=True, repr=False)
class AzureDiskVolumeSource(Model):
    """A data disk of Azure."""

    disk_name: str = field(default="", metadata={"keep": True})
    disk_uri: str = field(default="", metadata={"json": "diskURI", "keep": True})
    caching_mode: str | None = None
    fs_type: str | None = None
    read_only: bool | None = None
    kind: str | None = None


@frozen(kw_only=True, repr=False)
class ISCSIVolumeSource(Model):
    """A logical unit of an iSCSI target; the target is told by its `iqn`."""

    target_portal: str = field(default="", metadata={"keep": True})
    iqn: str = field(default="", metadata={"keep": True})
    lun: int = field(default=0, metadata={"keep": True})
    fs_type: str = ""
    read_only: bool = False


@frozen(kw_only=True, repr=False)
class RBDVolumeSource(Model):
    """An image of a Ceph cluster, which is told by any of its monitors.

    An empty `pool` means the pool named rbd to the API server.
    """

    monitors: tuple[str, ...] = field(default=(), converter=frozen_tuple, metadata={"keep": True})
    image: str = field(default="", metadata={"keep": True})
    fs_type: str = ""
    pool: str = ""
    read_only: bool = False


@frozen(kw_only=True, repr=False)
class CSIPersistentVolumeSource(Model):
    """A volume that a CSI driver provides."""

    driver: str = field(default="", metadata={"keep": True})
    volume_handle: str = field(default="", metadata={"keep": True})
    read_only: bool = False
    fs_type: str = ""
    volume_attributes: Mapping[str, str] = field(factory=dict, converter=string_map)


@frozen(kw_only=True, repr=False)
class CSIVolumeSource(Model):
    """A volume that a CSI driver makes for this pod alone."""

    driver: str = field(default="", metadata={"keep": True})
    read_only: bool | None = None
    fs_type: str | None = None
    volume_attributes: Mapping[str, str] = field(factory=dict, converter=string_map)


@frozen(kw_only=True, repr=False)
class LocalVolumeSource(Model):
    """A disk or folder of one node."""

    path: str = field(default="", metadata={"keep": True})
    fs_type: str | None = None


@frozen(kw_only=True, repr=False)
class NFSVolumeSource(Model):
    """A share of an NFS server."""

    server: str = field(default="", metadata={"keep": True})
    path: str = field(default="", metadata={"keep": True})
    read_only: bool = False


DiskSource: TypeAlias = (
    GCEPersistentDiskVolumeSource
    | AWSElasticBlockStoreVolumeSource
    | NFSVolumeSource
    | ISCSIVolumeSource
    | RBDVolumeSource
    | AzureDiskVolumeSource
    | CSIVolumeSource
)
"""What a pod can mount without a claim."""


@frozen(kw_only=True, repr=False)
class PersistentVolumeClaimVolumeSource(Model):
    """The pod's claim, by name, in the pod's namespace."""

    claim_name: str = field(default="", metadata={"keep": True})
    read_only: bool = False


@frozen(kw_only=True, repr=False)
class VolumeResourceRequirements(Model):
    """How much storage a claim asks for."""

    limits: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)
    requests: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)


@frozen(kw_only=True, repr=False)
class PersistentVolumeClaimSpec(Model):
    """What a claim asks for, and the volume that it got."""

    access_modes: tuple[str, ...] = field(default=(), converter=frozen_tuple)
    selector: LabelSelector | None = None
    resources: VolumeResourceRequirements = field(
        factory=VolumeResourceRequirements, metadata={"keep": True}
    )
    volume_name: str = ""
    storage_class_name: str | None = None
    volume_mode: str | None = None


@frozen(kw_only=True, repr=False)
class PersistentVolumeClaimTemplate(Model):
    """The claim that is made for a pod's ephemeral volume."""

    metadata: ObjectMeta = field(factory=ObjectMeta)
    spec: PersistentVolumeClaimSpec = field(
        factory=PersistentVolumeClaimSpec, metadata={"keep": True}
    )


@frozen(kw_only=True, repr=False)
class EphemeralVolumeSource(Model):
    """A claim that lives as long as the pod and is called `pod-volume`."""

    volume_claim_template: PersistentVolumeClaimTemplate | None = None


@frozen(kw_only=True, repr=False)
class Volume(Model):
    """A volume of a pod; at most one of the sources is set.

    A source that the scheduler does not look at (a secret, a config map, an empty folder …) leaves
    all of them unset.
    """

    name: str = field(default="", metadata={"keep": True})
    gce_persistent_disk: GCEPersistentDiskVolumeSource | None = None
    aws_elastic_block_store: AWSElasticBlockStoreVolumeSource | None = None
    nfs: NFSVolumeSource | None = None
    iscsi: ISCSIVolumeSource | None = None
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    rbd: RBDVolumeSource | None = None
    azure_disk: AzureDiskVolumeSource | None = None
    csi: CSIVolumeSource | None = None
    ephemeral: EphemeralVolumeSource | None = None

    @property
    def disk(self) -> DiskSource | None:
        """What it mounts without a claim; None for what the scheduler does not look at."""
        return (
            self.gce_persistent_disk
            or self.aws_elastic_block_store
            or self.nfs
            or self.iscsi
            or self.rbd
            or self.azure_disk
            or self.csi
        )
