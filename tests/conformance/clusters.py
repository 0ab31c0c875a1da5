"""From a scenario's `objects` to a cluster."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kubesched.manifests import read_wire
from kubesched.model import (
    CSINode,
    KubeObject,
    Namespace,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
    PriorityClass,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
    StorageClass,
)
from kubesched.state import Cluster

_KINDS: Final[Mapping[str, type[KubeObject]]] = {
    "services": Service,
    "replicationControllers": ReplicationController,
    "replicaSets": ReplicaSet,
    "statefulSets": StatefulSet,
    "persistentVolumes": PersistentVolume,
    "persistentVolumeClaims": PersistentVolumeClaim,
    "storageClasses": StorageClass,
    "csiNodes": CSINode,
    "podDisruptionBudgets": PodDisruptionBudget,
    "namespaces": Namespace,
    "priorityClasses": PriorityClass,
}


def read_pod(manifest: Mapping[str, Any]) -> Pod:
    """Read a pod as it stands, nothing filled in."""
    return read_wire(Pod, manifest)


def cluster_at_start(scenario: Mapping[str, Any]) -> Cluster:
    """Return the cluster as it is before the first attempt."""
    objects, cluster = scenario["objects"], Cluster()
    nodes = [read_wire(Node, each) for each in objects.get("nodes", ())]
    for node in nodes:
        cluster.add_node(node)
    if scenario["config"].get("updateNodes", False):
        for node in nodes:
            cluster.update_node(node)
    for other in _others(objects):
        cluster.add(other)
    for pod in objects.get("pods", ()):
        cluster.add_pod(read_pod(pod))
    return cluster


def _others(objects: Mapping[str, Any]) -> Iterator[KubeObject]:
    for key, kind in _KINDS.items():
        for each in objects.get(key, ()):
            yield read_wire(kind, each)
