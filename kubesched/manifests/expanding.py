"""From workloads to the pods that they would make."""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from attrs import evolve

from kubesched.model import (
    Deployment,
    KubeObject,
    OwnerReference,
    Pod,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
)

Workload: TypeAlias = Deployment | ReplicaSet | ReplicationController | StatefulSet

_WORKLOADS: Final = (Deployment, ReplicaSet, ReplicationController, StatefulSet)


def expanded(objects: Iterable[KubeObject]) -> Iterator[KubeObject]:
    """Go over the objects, and behind each workload over the pods that it would make.

    A workload that owns one of the objects, pod or replica set, has been at work already and makes
    none.
    """
    listed = tuple(objects)
    owners = {
        (owner.kind, it.namespace, owner.name)
        for it in listed
        for owner in it.metadata.owner_references
    }
    for it in listed:
        yield it
        if isinstance(it, _WORKLOADS) and (it.kind, it.namespace, it.name) not in owners:
            yield from pods_of(it)


def pods_of(workload: Workload) -> Iterator[Pod]:
    """Make the pods of a workload: as many as its replicas, or one if it does not say how many.

    They are called `NAME-0`, `NAME-1` and so on, and are owned by it; those of a deployment by the
    replica set that it would make.

    >>> from kubesched.model import ObjectMeta, PodTemplateSpec, WorkloadSpec
    >>> web = StatefulSet(
    ...     metadata=ObjectMeta(name="web"),
    ...     spec=WorkloadSpec(replicas=2, template=PodTemplateSpec()),
    ... )
    >>> [pod.name for pod in pods_of(web)]
    ['web-0', 'web-1']
    """
    template = workload.spec.template
    if template is None:
        return
    kind = ReplicaSet.kind if isinstance(workload, Deployment) else workload.kind
    owner = OwnerReference(kind=kind, name=workload.name, uid=workload.uid, controller=True)
    replicas = 1 if workload.spec.replicas is None else workload.spec.replicas
    for number in range(replicas):
        metadata = evolve(
            template.metadata,
            name=f"{workload.name}-{number}",
            namespace=workload.namespace,
            creation_timestamp=workload.metadata.creation_timestamp,
            owner_references=(owner,),
        )
        yield Pod(metadata=metadata, spec=template.spec)
