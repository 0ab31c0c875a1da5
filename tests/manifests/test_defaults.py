"""What an API server fills in when it decodes an object: a table, kind by kind."""

from typing import Any, NamedTuple

import pytest

from kubesched.manifests import load_objects, to_wire

ABSENT = object()


class Case(NamedTuple):
    """An object of a kind, a path into it, and what is there once defaults are filled in."""

    sentence: str
    kind: str
    fields: dict[str, Any]
    path: str
    expected: object


def container(**fields: Any) -> dict[str, Any]:
    return {"containers": [{"name": "main", **fields}]}


def ports(*, host: bool, **port: Any) -> dict[str, Any]:
    return {"spec": {"hostNetwork": host, **container(ports=[port])}}


def template(**spec: Any) -> dict[str, Any]:
    return {"template": {"metadata": {"labels": {"app": "web"}}, "spec": spec}}


POD_PORT = "spec.containers.0.ports.0"
RESOURCES = "spec.containers.0.resources.requests"

PODS = [
    Case("a pod restarts its containers", "Pod", {}, "spec.restartPolicy", "Always"),
    Case(
        "a pod keeps its restart policy",
        "Pod",
        {"spec": {"restartPolicy": "Never"}},
        "spec.restartPolicy",
        "Never",
    ),
    Case(
        "a pod is for the default scheduler", "Pod", {}, "spec.schedulerName", "default-scheduler"
    ),
    Case(
        "a pod keeps its scheduler",
        "Pod",
        {"spec": {"schedulerName": "mine"}},
        "spec.schedulerName",
        "mine",
    ),
    Case("a pod has half a minute", "Pod", {}, "spec.terminationGracePeriodSeconds", 30),
    Case(
        "a pod may have no time at all",
        "Pod",
        {"spec": {"terminationGracePeriodSeconds": 0}},
        "spec.terminationGracePeriodSeconds",
        0,
    ),
    Case("a pod is pending", "Pod", {}, "status.phase", "Pending"),
    Case("a pod keeps its phase", "Pod", {"status": {"phase": "Failed"}}, "status.phase", "Failed"),
    Case("a pod is in a namespace", "Pod", {}, "metadata.namespace", "default"),
    Case(
        "what is limited is requested, each resource by itself",
        "Pod",
        {
            "spec": container(
                resources={"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}}
            )
        },
        RESOURCES,
        {"cpu": "1", "memory": "1Gi"},
    ),
    Case(
        "a request of zero is a request",
        "Pod",
        {"spec": container(resources={"limits": {"cpu": "2"}, "requests": {"cpu": "0"}})},
        RESOURCES,
        {"cpu": "0"},
    ),
    Case(
        "what init containers are limited to is requested too",
        "Pod",
        {"spec": {"initContainers": [{"name": "init", "resources": {"limits": {"cpu": "2"}}}]}},
        "spec.initContainers.0.resources.requests",
        {"cpu": "2"},
    ),
    Case(
        "a port is one of TCP",
        "Pod",
        ports(host=False, containerPort=80),
        f"{POD_PORT}.protocol",
        "TCP",
    ),
    Case(
        "a port keeps its protocol",
        "Pod",
        ports(host=False, containerPort=80, protocol="UDP"),
        f"{POD_PORT}.protocol",
        "UDP",
    ),
    Case(
        "a port is none of the node's",
        "Pod",
        ports(host=False, containerPort=80),
        f"{POD_PORT}.hostPort",
        ABSENT,
    ),
    Case(
        "a port is the node's in the host's network",
        "Pod",
        ports(host=True, containerPort=80),
        f"{POD_PORT}.hostPort",
        80,
    ),
    Case(
        "a port of the node stays that in the host's network",
        "Pod",
        ports(host=True, containerPort=80, hostPort=8080),
        f"{POD_PORT}.hostPort",
        8080,
    ),
    Case(
        "ports of init containers are the node's too in the host's network",
        "Pod",
        {
            "spec": {
                "hostNetwork": True,
                "initContainers": [{"name": "init", "ports": [{"containerPort": 80}]}],
            }
        },
        "spec.initContainers.0.ports.0.hostPort",
        80,
    ),
    Case(
        "images are in the pool named rbd",
        "Pod",
        {"spec": {"volumes": [{"name": "data", "rbd": {"monitors": ["a"], "image": "b"}}]}},
        "spec.volumes.0.rbd.pool",
        "rbd",
    ),
    Case(
        "images keep their pool",
        "Pod",
        {"spec": {"volumes": [{"name": "data", "rbd": {"image": "b", "pool": "fast"}}]}},
        "spec.volumes.0.rbd.pool",
        "fast",
    ),
    Case(
        "a claim of the pod's own asks for a file system",
        "Pod",
        {
            "spec": {
                "volumes": [
                    {"name": "tmp", "ephemeral": {"volumeClaimTemplate": {"spec": {}}}},
                ]
            }
        },
        "spec.volumes.0.ephemeral.volumeClaimTemplate.spec.volumeMode",
        "Filesystem",
    ),
]

OTHERS = [
    Case(
        "pods may use all of a node's capacity",
        "Node",
        {"status": {"capacity": {"cpu": "4"}}},
        "status.allocatable",
        {"cpu": "4"},
    ),
    Case(
        "a node's allocatable stays as it is, whole",
        "Node",
        {"status": {"capacity": {"cpu": "4", "memory": "1Gi"}, "allocatable": {"cpu": "3"}}},
        "status.allocatable",
        {"cpu": "3"},
    ),
    Case("a node is in no namespace", "Node", {}, "metadata.namespace", ABSENT),
    Case("a service has an address of the cluster", "Service", {}, "spec.type", "ClusterIP"),
    Case("a service that selects nothing goes on doing so", "Service", {}, "spec.selector", ABSENT),
    Case(
        "a replication controller selects what it makes",
        "ReplicationController",
        {"spec": template()},
        "spec.selector",
        {"app": "web"},
    ),
    Case(
        "a replication controller keeps its selector",
        "ReplicationController",
        {"spec": {"selector": {"a": "b"}, **template()}},
        "spec.selector",
        {"a": "b"},
    ),
    Case(
        "a replication controller is labelled as what it makes",
        "ReplicationController",
        {"spec": template()},
        "metadata.labels",
        {"app": "web"},
    ),
    Case(
        "a replication controller without a template selects nothing",
        "ReplicationController",
        {},
        "spec.selector",
        ABSENT,
    ),
    Case("a replication controller keeps one pod", "ReplicationController", {}, "spec.replicas", 1),
    Case(
        "a replication controller may keep none",
        "ReplicationController",
        {"spec": {"replicas": 0}},
        "spec.replicas",
        0,
    ),
    Case("a deployment keeps one pod", "Deployment", {}, "spec.replicas", 1),
    Case("a deployment may keep none", "Deployment", {"spec": {"replicas": 0}}, "spec.replicas", 0),
    Case(
        "a deployment of an old version selects what it makes",
        "Deployment",
        {"spec": template()},
        "spec.selector",
        {"matchLabels": {"app": "web"}},
    ),
    Case(
        "a deployment's empty selector stays empty",
        "Deployment",
        {"spec": {"selector": {}, **template()}},
        "spec.selector",
        {},
    ),
    Case(
        "a template is completed like a pod",
        "StatefulSet",
        {"spec": template(**container(ports=[{"containerPort": 80}]))},
        "spec.template.spec.containers.0.ports.0.protocol",
        "TCP",
    ),
    Case(
        "a template does not request what it limits: that is for its pods",
        "StatefulSet",
        {"spec": template(**container(resources={"limits": {"cpu": "2"}}))},
        "spec.template.spec.containers.0.resources.requests",
        ABSENT,
    ),
    Case("volumes are bound at once", "StorageClass", {}, "volumeBindingMode", "Immediate"),
    Case(
        "volumes may be bound later",
        "StorageClass",
        {"volumeBindingMode": "WaitForFirstConsumer"},
        "volumeBindingMode",
        "WaitForFirstConsumer",
    ),
    Case("volumes of a class are deleted", "StorageClass", {}, "reclaimPolicy", "Delete"),
    Case(
        "a claim asks for a file system",
        "PersistentVolumeClaim",
        {},
        "spec.volumeMode",
        "Filesystem",
    ),
    Case(
        "a claim may ask for a block device",
        "PersistentVolumeClaim",
        {"spec": {"volumeMode": "Block"}},
        "spec.volumeMode",
        "Block",
    ),
    Case("a claim is pending", "PersistentVolumeClaim", {}, "status.phase", "Pending"),
    Case(
        "a claim keeps its phase",
        "PersistentVolumeClaim",
        {"status": {"phase": "Bound"}},
        "status.phase",
        "Bound",
    ),
    Case(
        "a claim has no class where none is the default",
        "PersistentVolumeClaim",
        {},
        "spec.storageClassName",
        ABSENT,
    ),
    Case("a volume offers a file system", "PersistentVolume", {}, "spec.volumeMode", "Filesystem"),
    Case(
        "a volume is kept",
        "PersistentVolume",
        {},
        "spec.persistentVolumeReclaimPolicy",
        "Retain",
    ),
    Case(
        "a volume's image is in the pool named rbd",
        "PersistentVolume",
        {"spec": {"rbd": {"image": "b"}}},
        "spec.rbd.pool",
        "rbd",
    ),
    Case(
        "a volume's disk is cached both ways",
        "PersistentVolume",
        {"spec": {"azureDisk": {"diskName": "a", "diskURI": "b"}}},
        "spec.azureDisk",
        {
            "diskName": "a",
            "diskURI": "b",
            "cachingMode": "ReadWrite",
            "fsType": "ext4",
            "readOnly": False,
            "kind": "Shared",
        },
    ),
    Case("a volume's phase is for its controller", "PersistentVolume", {}, "status.phase", ABSENT),
    Case("a driver attaches volumes", "CSIDriver", {}, "spec.attachRequired", expected=True),
    Case("a driver publishes no capacity", "CSIDriver", {}, "spec.storageCapacity", expected=False),
]


@pytest.mark.parametrize("case", [*PODS, *OTHERS], ids=lambda case: case.sentence)
def test_defaults(case: Case) -> None:
    wire = {"kind": case.kind, "metadata": {"name": "x"}, **case.fields}
    (made,) = load_objects(wire).with_defaults()
    assert at(to_wire(made), case.path) == case.expected


def at(wire: Any, path: str) -> object:
    """Follow a path as far as it goes."""
    for step in path.split("."):
        if isinstance(wire, list):
            wire = wire[int(step)]
        elif step in wire:
            wire = wire[step]
        else:
            return ABSENT
    found: object = wire
    return found


def test_a_namespace_is_nothing_to_fill_in() -> None:
    before = load_objects({"kind": "Namespace", "metadata": {"name": "shop"}})
    assert before.with_defaults() == before
