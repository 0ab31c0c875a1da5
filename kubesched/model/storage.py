"""Persistent volumes, the claims on them, and what provides them.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/types.go and storage/v1/types.go (v1.34.1
for the kinds that came later).
"""

from collections.abc import Mapping
from typing import ClassVar

from attrs import field, frozen

from kubesched.model.affinity import NodeSelector
from kubesched.model.frozen import Model, frozen_tuple, resource_list, string_map
from kubesched.model.meta import KubeObject, LabelSelector, ObjectReference
from kubesched.model.volume import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    CSIPersistentVolumeSource,
    GCEPersistentDiskVolumeSource,
    ISCSIVolumeSource,
    LocalVolumeSource,
    NFSVolumeSource,
    PersistentVolumeClaimSpec,
    RBDVolumeSource,
)
from kubesched.quantity import Quantity


@frozen(kw_only=True, repr=False)
class VolumeNodeAffinity(Model):
    """The nodes from which a volume can be reached; without it, all."""

    required: NodeSelector | None = None


@frozen(kw_only=True, repr=False)
class PersistentVolumeSpec(Model):
    """What a volume is; at most one of the sources is set."""

    capacity: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)
    gce_persistent_disk: GCEPersistentDiskVolumeSource | None = None
    aws_elastic_block_store: AWSElasticBlockStoreVolumeSource | None = None
    nfs: NFSVolumeSource | None = None
    rbd: RBDVolumeSource | None = None
    iscsi: ISCSIVolumeSource | None = None
    azure_disk: AzureDiskVolumeSource | None = None
    local: LocalVolumeSource | None = None
    csi: CSIPersistentVolumeSource | None = None
    access_modes: tuple[str, ...] = field(default=(), converter=frozen_tuple)
    claim_ref: ObjectReference | None = None
    persistent_volume_reclaim_policy: str = ""
    storage_class_name: str = ""
    volume_mode: str | None = None
    node_affinity: VolumeNodeAffinity | None = None


@frozen(kw_only=True, repr=False)
class PersistentVolumeStatus(Model):
    """`phase` is Pending, Available, Bound, Released or Failed."""

    phase: str = ""


@frozen(kw_only=True, repr=False)
class PersistentVolume(KubeObject):
    """A piece of storage, in no namespace."""

    kind: ClassVar[str] = "PersistentVolume"
    namespaced: ClassVar[bool] = False

    spec: PersistentVolumeSpec = field(factory=PersistentVolumeSpec, metadata={"keep": True})
    status: PersistentVolumeStatus = field(factory=PersistentVolumeStatus, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class PersistentVolumeClaimStatus(Model):
    """`phase` is Pending, Bound or Lost."""

    phase: str = ""
    access_modes: tuple[str, ...] = field(default=(), converter=frozen_tuple)
    capacity: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)


@frozen(kw_only=True, repr=False)
class PersistentVolumeClaim(KubeObject):
    """A wish for storage that pods of its namespace mount by its name."""

    kind: ClassVar[str] = "PersistentVolumeClaim"

    spec: PersistentVolumeClaimSpec = field(
        factory=PersistentVolumeClaimSpec, metadata={"keep": True}
    )
    status: PersistentVolumeClaimStatus = field(
        factory=PersistentVolumeClaimStatus, metadata={"keep": True}
    )


@frozen(kw_only=True, repr=False)
class TopologySelectorLabelRequirement(Model):
    """A label that must have one of the values."""

    key: str = field(default="", metadata={"keep": True})
    values: tuple[str, ...] = field(default=(), converter=frozen_tuple, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class TopologySelectorTerm(Model):
    """Label requirements, all of which must hold."""

    match_label_expressions: tuple[TopologySelectorLabelRequirement, ...] = field(
        default=(), converter=frozen_tuple
    )


@frozen(kw_only=True, repr=False)
class StorageClass(KubeObject):
    """How volumes are provisioned, and whether that waits for the first consumer."""

    kind: ClassVar[str] = "StorageClass"
    group: ClassVar[str] = "storage.k8s.io"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta1")
    namespaced: ClassVar[bool] = False

    provisioner: str = field(default="", metadata={"keep": True})
    parameters: Mapping[str, str] = field(factory=dict, converter=string_map)
    reclaim_policy: str | None = None
    allow_volume_expansion: bool | None = None
    volume_binding_mode: str | None = None
    allowed_topologies: tuple[TopologySelectorTerm, ...] = field(default=(), converter=frozen_tuple)


@frozen(kw_only=True, repr=False)
class VolumeNodeResources(Model):
    """How many volumes of a driver a node can hold; None is no limit, 0 is a limit."""

    count: int | None = None


@frozen(kw_only=True, repr=False)
class CSINodeDriver(Model):
    """A CSI driver that runs on a node."""

    name: str = field(default="", metadata={"keep": True})
    node_id: str = field(default="", metadata={"json": "nodeID", "keep": True})
    topology_keys: tuple[str, ...] = field(
        default=(), converter=frozen_tuple, metadata={"keep": True}
    )
    allocatable: VolumeNodeResources | None = None


@frozen(kw_only=True, repr=False)
class CSINodeSpec(Model):
    """The drivers of a node."""

    drivers: tuple[CSINodeDriver, ...] = field(
        default=(), converter=frozen_tuple, metadata={"keep": True}
    )


@frozen(kw_only=True, repr=False)
class CSINode(KubeObject):
    """What CSI drivers know of the node of the same name."""

    kind: ClassVar[str] = "CSINode"
    group: ClassVar[str] = "storage.k8s.io"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta1")
    namespaced: ClassVar[bool] = False

    spec: CSINodeSpec = field(factory=CSINodeSpec, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class CSIDriverSpec(Model):
    """What a driver asks of the scheduler."""

    attach_required: bool | None = None
    storage_capacity: bool | None = None


@frozen(kw_only=True, repr=False)
class CSIDriver(KubeObject):
    """A CSI driver of the cluster."""

    kind: ClassVar[str] = "CSIDriver"
    group: ClassVar[str] = "storage.k8s.io"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta1")
    namespaced: ClassVar[bool] = False

    spec: CSIDriverSpec = field(factory=CSIDriverSpec, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class CSIStorageCapacity(KubeObject):
    """How much storage of a class there is for some nodes."""

    kind: ClassVar[str] = "CSIStorageCapacity"
    group: ClassVar[str] = "storage.k8s.io"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta1")

    node_topology: LabelSelector | None = None
    storage_class_name: str = field(default="", metadata={"keep": True})
    capacity: Quantity | None = None
    maximum_volume_size: Quantity | None = None


@frozen(kw_only=True, repr=False)
class VolumeAttachmentSource(Model):
    """Which volume is attached."""

    persistent_volume_name: str | None = None


@frozen(kw_only=True, repr=False)
class VolumeAttachmentSpec(Model):
    """That a volume is to be attached to a node, and who does it."""

    attacher: str = field(default="", metadata={"keep": True})
    source: VolumeAttachmentSource = field(factory=VolumeAttachmentSource, metadata={"keep": True})
    node_name: str = field(default="", metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class VolumeAttachmentStatus(Model):
    """Whether it is attached."""

    attached: bool = field(default=False, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class VolumeAttachment(KubeObject):
    """A volume attached to a node, or about to be."""

    kind: ClassVar[str] = "VolumeAttachment"
    group: ClassVar[str] = "storage.k8s.io"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta1")
    namespaced: ClassVar[bool] = False

    spec: VolumeAttachmentSpec = field(factory=VolumeAttachmentSpec, metadata={"keep": True})
    status: VolumeAttachmentStatus = field(factory=VolumeAttachmentStatus)
