"""What the API server and its usual admission plugins fill in, kind by kind.

Source: kubernetes v1.12.2, pkg/apis/core/v1/defaults.go, pkg/apis/storage/v1/defaults.go,
plugin/pkg/admission/priority, defaulttolerationseconds and storage/storageclass/setdefault.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from attrs import evolve, frozen

from kubesched.manifests.errors import ManifestError, Place, Problem
from kubesched.manifests.identity import label_of
from kubesched.model import (
    Container,
    ContainerPort,
    KubeObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodSpec,
    PriorityClass,
    RBDVolumeSource,
    ReplicationController,
    StorageClass,
    Toleration,
    Volume,
)

T = TypeVar("T", bound=KubeObject)

DEFAULT_NAMESPACE: Final = "default"

_BUILT_IN_CLASSES: Final[Mapping[str, int]] = {
    "system-cluster-critical": 2_000_000_000,
    "system-node-critical": 2_000_001_000,
}
_DEFAULT_CLASS_MARKS: Final = (
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
)
_EVICTED_AFTER: Final = tuple(
    Toleration(key=key, operator="Exists", effect="NoExecute", toleration_seconds=300)
    for key in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
)


@frozen
class Admission:
    """What the defaults of one object depend on among the others.

    Attributes:
        priority_classes: the priority classes by name.
        default_class: the class of pods that name none, if there is one; of several the lowest.
        default_storage_class: the class of claims that name none, if there is one.
    """

    priority_classes: Mapping[str, PriorityClass]
    default_class: PriorityClass | None
    default_storage_class: str | None

    @classmethod
    def among(cls, objects: Iterable[KubeObject]) -> "Admission":
        """Look for classes among the objects."""
        listed = tuple(objects)
        classes = [it for it in listed if isinstance(it, PriorityClass)]
        defaults = [it for it in classes if it.global_default]
        marked = sorted(
            it.name
            for it in listed
            if isinstance(it, StorageClass)
            and any(it.annotations.get(mark) == "true" for mark in _DEFAULT_CLASS_MARKS)
        )
        return cls(
            {it.name: it for it in classes},
            min(defaults, key=lambda it: it.value, default=None),
            marked[0] if marked else None,
        )


def defaulted(objects: Sequence[KubeObject]) -> tuple[KubeObject, ...]:
    """Return the objects with all that the API server fills in; doing it again changes nothing.

    Raises:
        ManifestError: pods name priority classes that do not exist.
    """
    admission = Admission.among(objects)
    problems: list[Problem] = []
    made = tuple(_defaulted(it, admission, problems) for it in objects)
    if problems:
        raise ManifestError(problems)
    return made


def _defaulted(it: KubeObject, admission: Admission, problems: list[Problem]) -> KubeObject:
    placed = _in_namespace(it)
    match placed:
        case Pod():
            return _pod(placed, admission, problems)
        case PersistentVolumeClaim():
            return _claim(placed, admission)
        case _:
            fill = _PLAIN.get(type(placed))
            return placed if fill is None else fill(placed)


def _in_namespace(it: T) -> T:
    if not it.namespaced or it.namespace:
        return it
    return evolve(it, metadata=evolve(it.metadata, namespace=DEFAULT_NAMESPACE))


def _pod(pod: Pod, admission: Admission, problems: list[Problem]) -> Pod:
    spec = pod.spec
    filled = evolve(
        spec,
        volumes=tuple(_volume(volume) for volume in spec.volumes),
        containers=tuple(_container(each, spec) for each in spec.containers),
        init_containers=tuple(_container(each, spec) for each in spec.init_containers),
        restart_policy=spec.restart_policy or "Always",
        scheduler_name=spec.scheduler_name or "default-scheduler",
        tolerations=(*spec.tolerations, *_missing_tolerations(spec.tolerations)),
    )
    phase = pod.status.phase or "Pending"
    return evolve(
        pod,
        spec=_with_priority(pod, filled, admission, problems),
        status=evolve(pod.status, phase=phase),
    )


def _container(container: Container, spec: PodSpec) -> Container:
    """Request what is limited, and complete the ports."""
    resources = container.resources
    return evolve(
        container,
        ports=tuple(_port(port, on_host=spec.host_network) for port in container.ports),
        resources=evolve(resources, requests={**resources.limits, **resources.requests}),
    )


def _port(port: ContainerPort, *, on_host: bool) -> ContainerPort:
    host_port = port.host_port or (port.container_port if on_host else 0)
    return evolve(port, protocol=port.protocol or "TCP", host_port=host_port)


def _volume(volume: Volume) -> Volume:
    return volume if volume.rbd is None else evolve(volume, rbd=_with_pool(volume.rbd))


def _with_pool(rbd: RBDVolumeSource) -> RBDVolumeSource:
    return evolve(rbd, pool=rbd.pool or "rbd")


def _missing_tolerations(given: Sequence[Toleration]) -> list[Toleration]:
    """Tolerate for a while that the node is gone, unless the pod says something about that."""
    return [
        wanted
        for wanted in _EVICTED_AFTER
        if not any(
            each.key in {"", wanted.key} and each.effect in {"", "NoExecute"} for each in given
        )
    ]


def _with_priority(
    pod: Pod, spec: PodSpec, admission: Admission, problems: list[Problem]
) -> PodSpec:
    name = spec.priority_class_name
    if not name:
        return _with_default_priority(spec, admission)
    named = admission.priority_classes.get(name)
    value = _BUILT_IN_CLASSES.get(name) if named is None else named.value
    if value is None and spec.priority is None:
        what = "is no priority class here (expected the name of a PriorityClass)"
        place = Place(object=label_of(pod))
        problems.append(place.problem(what, "spec.priorityClassName", name))
    policy = spec.preemption_policy or (None if named is None else named.preemption_policy)
    priority = value if spec.priority is None else spec.priority
    return evolve(spec, priority=priority, preemption_policy=policy)


def _with_default_priority(spec: PodSpec, admission: Admission) -> PodSpec:
    default = admission.default_class
    if spec.priority is not None:
        return spec
    if default is None:
        return evolve(spec, priority=0)
    return evolve(
        spec,
        priority_class_name=default.name,
        priority=default.value,
        preemption_policy=spec.preemption_policy or default.preemption_policy,
    )


def _claim(claim: PersistentVolumeClaim, admission: Admission) -> PersistentVolumeClaim:
    """Complete a claim; one that has a phase was admitted without a class and stays so."""
    spec = claim.spec
    storage_class = spec.storage_class_name
    if storage_class is None and not claim.status.phase and not _has_beta_class(claim):
        storage_class = admission.default_storage_class
    return evolve(
        claim,
        spec=evolve(
            spec, storage_class_name=storage_class, volume_mode=spec.volume_mode or "Filesystem"
        ),
        status=evolve(claim.status, phase=claim.status.phase or "Pending"),
    )


def _has_beta_class(claim: PersistentVolumeClaim) -> bool:
    return "volume.beta.kubernetes.io/storage-class" in claim.annotations


def _volume_object(volume: PersistentVolume) -> PersistentVolume:
    spec = volume.spec
    return evolve(
        volume,
        spec=evolve(
            spec,
            rbd=None if spec.rbd is None else _with_pool(spec.rbd),
            volume_mode=spec.volume_mode or "Filesystem",
            persistent_volume_reclaim_policy=spec.persistent_volume_reclaim_policy or "Retain",
        ),
    )


def _storage_class(storage_class: StorageClass) -> StorageClass:
    return evolve(
        storage_class,
        reclaim_policy=storage_class.reclaim_policy or "Delete",
        volume_binding_mode=storage_class.volume_binding_mode or "Immediate",
    )


def _node(node: Node) -> Node:
    """Let pods have all that a node has, where it does not say otherwise."""
    status = node.status
    return evolve(node, status=evolve(status, allocatable=status.allocatable or status.capacity))


def _controller(controller: ReplicationController) -> ReplicationController:
    spec = controller.spec
    labels = {} if spec.template is None else spec.template.metadata.labels
    return evolve(
        controller,
        spec=evolve(
            spec,
            replicas=1 if spec.replicas is None else spec.replicas,
            selector=spec.selector or labels,
        ),
    )


_PLAIN: Final[Mapping[type[KubeObject], Callable[[Any], KubeObject]]] = {
    Node: _node,
    PersistentVolume: _volume_object,
    StorageClass: _storage_class,
    ReplicationController: _controller,
}
"""The kinds whose defaults depend on nothing but the object itself."""
