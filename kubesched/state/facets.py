"""What there is to read, cut into facets, so that a change is known by what it touched."""

from collections.abc import Mapping
from enum import IntEnum, unique
from typing import Final

from kubesched.model import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    KubeObject,
    Namespace,
    PersistentVolume,
    PersistentVolumeClaim,
    PodDisruptionBudget,
    PriorityClass,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
    StorageClass,
    VolumeAttachment,
)


@unique
class Facet(IntEnum):
    """One side of a node or of the cluster that an answer may depend on.

    The first ones are sides of one node: they count its changes, no other node's. `NODE` is
    everything in the node object, those up to `IMAGES` a part of it; `PODS` is everything about its
    pods, those up to `DISKS` a total over them. The others belong to the cluster: `CLUSTER_NODES`
    and `CLUSTER_PODS` are all nodes and all placed pods wherever they are, the rest all
    objects of a kind.
    """

    NODE = 0
    LABELS = 1
    ANNOTATIONS = 2
    TAINTS = 3
    UNSCHEDULABLE = 4
    CONDITIONS = 5
    ALLOCATABLE = 6
    IMAGES = 7
    PODS = 8
    REQUESTED = 9
    PORTS = 10
    DISKS = 11

    CLUSTER_NODES = 12
    CLUSTER_PODS = 13
    SERVICES = 14
    REPLICATION_CONTROLLERS = 15
    REPLICA_SETS = 16
    STATEFUL_SETS = 17
    PERSISTENT_VOLUMES = 18
    PERSISTENT_VOLUME_CLAIMS = 19
    STORAGE_CLASSES = 20
    CSI_NODES = 21
    CSI_DRIVERS = 22
    CSI_STORAGE_CAPACITIES = 23
    VOLUME_ATTACHMENTS = 24
    POD_DISRUPTION_BUDGETS = 25
    PRIORITY_CLASSES = 26
    NAMESPACES = 27


NODE_FACETS: Final = frozenset(facet for facet in Facet if facet < Facet.CLUSTER_NODES)
"""The facets of one node."""

CLUSTER_FACETS: Final = frozenset(Facet) - NODE_FACETS
"""The facets of the cluster as a whole."""

FACET_OF_KIND: Final[Mapping[type[KubeObject], Facet]] = {
    Service: Facet.SERVICES,
    ReplicationController: Facet.REPLICATION_CONTROLLERS,
    ReplicaSet: Facet.REPLICA_SETS,
    StatefulSet: Facet.STATEFUL_SETS,
    PersistentVolume: Facet.PERSISTENT_VOLUMES,
    PersistentVolumeClaim: Facet.PERSISTENT_VOLUME_CLAIMS,
    StorageClass: Facet.STORAGE_CLASSES,
    CSINode: Facet.CSI_NODES,
    CSIDriver: Facet.CSI_DRIVERS,
    CSIStorageCapacity: Facet.CSI_STORAGE_CAPACITIES,
    VolumeAttachment: Facet.VOLUME_ATTACHMENTS,
    PodDisruptionBudget: Facet.POD_DISRUPTION_BUDGETS,
    PriorityClass: Facet.PRIORITY_CLASSES,
    Namespace: Facet.NAMESPACES,
}
"""The kinds that the cluster keeps as they are, and the facet that counts their changes."""
