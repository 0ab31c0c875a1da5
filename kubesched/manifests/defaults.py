"""What an API server fills in when it decodes an object, kind by kind.

Each function gives back the object it was given if there is nothing to fill in. What the models do
not know is not filled in; nor are quantities rounded up to thousandths, as nothing that reads them
could tell.

Source: kubernetes v1.12.2, pkg/apis/core/v1/defaults.go, and defaults.go of apps, storage
(v1.34.1 for the kinds that came later)
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

from kubesched.manifests.filling import filled, given
from kubesched.manifests.volume_defaults import azure_disk, claim_spec, pod_volume, rbd
from kubesched.model import (
    Container,
    ContainerPort,
    CSIDriver,
    Deployment,
    KubeObject,
    LabelSelector,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodSpec,
    PodTemplateSpec,
    ReplicaSet,
    ReplicationController,
    ResourceRequirements,
    Service,
    StatefulSet,
    StorageClass,
)
from kubesched.model.pod import DEFAULT_SCHEDULER

W = TypeVar("W", ReplicaSet, StatefulSet, Deployment)

_GRACE_PERIOD = 30


def namespaced(it: KubeObject) -> KubeObject:
    """Put what has no namespace, and needs one, into `default`."""
    if not it.namespaced or it.namespace:
        return it
    return filled(it, metadata=filled(it.metadata, namespace="default"))


def pod(it: Pod) -> Pod:
    """Request what is limited, fill in the spec as in a template, and wait."""
    spec = pod_spec(it.spec)
    return filled(
        it,
        status=filled(it.status, phase=it.status.phase or "Pending"),
        spec=filled(
            spec,
            containers=tuple(map(_requesting, spec.containers)),
            init_containers=tuple(map(_requesting, spec.init_containers)),
        ),
    )


def _requesting(container: Container) -> Container:
    resources: ResourceRequirements = container.resources
    requests = {**resources.limits, **resources.requests}
    return filled(container, resources=filled(resources, requests=requests))


def pod_spec(spec: PodSpec) -> PodSpec:
    """Fill in what pods and the templates of pods have in common."""
    host = spec.host_network
    return filled(
        spec,
        containers=tuple(_container(one, host_network=host) for one in spec.containers),
        init_containers=tuple(_container(one, host_network=host) for one in spec.init_containers),
        volumes=tuple(map(pod_volume, spec.volumes)),
        restart_policy=spec.restart_policy or "Always",
        termination_grace_period_seconds=given(
            spec.termination_grace_period_seconds, _GRACE_PERIOD
        ),
        scheduler_name=spec.scheduler_name or DEFAULT_SCHEDULER,
    )


def _container(container: Container, *, host_network: bool) -> Container:
    ports = tuple(_port(port, host_network=host_network) for port in container.ports)
    return filled(container, ports=ports)


def _port(port: ContainerPort, *, host_network: bool) -> ContainerPort:
    default = port.container_port if host_network else 0
    return filled(port, protocol=port.protocol or "TCP", host_port=port.host_port or default)


def node(it: Node) -> Node:
    """Let pods use all of the capacity where nothing else is said."""
    allocatable = it.status.allocatable or it.status.capacity
    return filled(it, status=filled(it.status, allocatable=allocatable))


def replication_controller(it: ReplicationController) -> ReplicationController:
    """Take selector and labels from the template, and keep one pod running."""
    template = _template(it.spec.template)
    labels = template.metadata.labels if template else {}
    return filled(
        it,
        metadata=filled(it.metadata, labels=it.labels or labels),
        spec=filled(
            it.spec,
            replicas=given(it.spec.replicas, 1),
            selector=it.spec.selector or labels,
            template=template,
        ),
    )


def workload(it: W) -> W:
    """Keep one pod running, and take the selector from the template.

    Only versions before apps/v1 let the selector be absent, so an absent one is of such a version.
    """
    template = _template(it.spec.template)
    selector = it.spec.selector
    if selector is None and template and template.metadata.labels:
        selector = LabelSelector(match_labels=template.metadata.labels)
    replicas = given(it.spec.replicas, 1)
    return filled(it, spec=filled(it.spec, replicas=replicas, selector=selector, template=template))


def _template(template: PodTemplateSpec | None) -> PodTemplateSpec | None:
    return filled(template, spec=pod_spec(template.spec)) if template else None


def service(it: Service) -> Service:
    """Give a service an address in the cluster."""
    return filled(it, spec=filled(it.spec, type=it.spec.type or "ClusterIP"))


def storage_class(it: StorageClass) -> StorageClass:
    """Bind volumes at once, and delete them with their claims."""
    return filled(
        it,
        reclaim_policy=given(it.reclaim_policy, "Delete"),
        volume_binding_mode=given(it.volume_binding_mode, "Immediate"),
    )


def claim(it: PersistentVolumeClaim) -> PersistentVolumeClaim:
    """Ask for a file system, and wait."""
    return filled(
        it,
        spec=claim_spec(it.spec),
        status=filled(it.status, phase=it.status.phase or "Pending"),
    )


def volume(it: PersistentVolume) -> PersistentVolume:
    """Offer a file system, and keep the volume when it is released.

    Differs: the phase is left alone. An API server says Pending, and a controller soon Available.
    """
    spec = it.spec
    return filled(
        it,
        spec=filled(
            spec,
            volume_mode=given(spec.volume_mode, "Filesystem"),
            persistent_volume_reclaim_policy=spec.persistent_volume_reclaim_policy or "Retain",
            rbd=spec.rbd and rbd(spec.rbd),
            azure_disk=spec.azure_disk and azure_disk(spec.azure_disk),
        ),
    )


def csi_driver(it: CSIDriver) -> CSIDriver:
    """Attach volumes, and publish no capacity."""
    return filled(
        it,
        spec=filled(
            it.spec,
            attach_required=given(it.spec.attach_required, default=True),
            storage_capacity=given(it.spec.storage_capacity, default=False),
        ),
    )


BY_KIND: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "Pod": pod,
        "Node": node,
        "Service": service,
        "ReplicationController": replication_controller,
        "ReplicaSet": workload,
        "StatefulSet": workload,
        "Deployment": workload,
        "PersistentVolume": volume,
        "PersistentVolumeClaim": claim,
        "StorageClass": storage_class,
        "CSIDriver": csi_driver,
    }
)
"""Which function is for which kind; the other kinds have nothing to fill in."""
