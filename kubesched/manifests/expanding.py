"""From workloads to the pods that they would make."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set as AbstractSet
from itertools import count, islice
from typing import Final, TypeAlias

from attrs import evolve

from kubesched.manifests.errors import ManifestError, Place
from kubesched.manifests.identity import Identity, identity_of, label_of
from kubesched.manifests.kinds import api_version
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

MOST_REPLICAS: Final = 100_000
"""Pods that are made of one workload; a manifest that asks for more has a slip in it."""

_WORKLOADS: Final = (Deployment, ReplicaSet, ReplicationController, StatefulSet)

# What a deployment puts behind its own name to name a replica set: digits, in letters that spell no
# words. Without it, `web-api` would pass for a replica set of `web`.
_HASH: Final = re.compile(r"-[bcdfghjklmnpqrstvwxz0-9]{1,10}$")


def expanded(objects: Iterable[KubeObject]) -> Iterator[KubeObject]:
    """Go over the objects, and behind each workload over the pods that it would make.

    A workload that owns one of the objects, pod or replica set, has been at work already and makes
    none. So expanding twice adds nothing.
    """
    listed = tuple(objects)
    at_work = _at_work(listed)
    taken = defaultdict[str, set[str]](set)
    for pod in listed:
        if isinstance(pod, Pod):
            taken[_namespace(pod)].add(pod.name)
    for it in listed:
        yield it
        if isinstance(it, _WORKLOADS) and identity_of(it) not in at_work:
            for pod in pods_of(it, taken=taken[_namespace(it)]):
                taken[_namespace(it)].add(pod.name)
                yield pod


def pods_of(workload: Workload, *, taken: AbstractSet[str] = frozenset()) -> Iterator[Pod]:
    """Make the pods of a workload: as many as its replicas, or one if it does not say how many.

    They are called `NAME-0`, `NAME-1` and so on, and are owned by it; those of a deployment by the
    replica set that it would make, which has its name. A stateful set's claims are not made.

    Args:
        workload: whose pods to make; none if it has no template.
        taken: the names of pods that are there already; their numbers are passed over.

    Raises:
        ManifestError: it asks for more than `MOST_REPLICAS`.

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
    names = (f"{workload.name}-{number}" for number in count())
    replicas = 1 if workload.spec.replicas is None else workload.spec.replicas
    if replicas > MOST_REPLICAS:
        what = f"is more pods than are made of one workload (expected at most {MOST_REPLICAS})"
        place = Place(object=label_of(workload))
        raise ManifestError([place.problem(what, "spec.replicas", replicas)])
    for name in islice((name for name in names if name not in taken), max(0, replicas)):
        metadata = evolve(
            template.metadata,
            name=name,
            namespace=workload.namespace,
            creation_timestamp=workload.metadata.creation_timestamp,
            owner_references=(_as_owner(workload),),
        )
        yield Pod(metadata=metadata, spec=template.spec)


def _as_owner(workload: Workload) -> OwnerReference:
    """Refer to what owns the pods of a workload."""
    if isinstance(workload, Deployment):
        made = ReplicaSet(metadata=evolve(workload.metadata, uid=""))
        return _as_owner(made)
    return OwnerReference(
        api_version=api_version(type(workload)),
        kind=workload.kind,
        name=workload.name,
        uid=workload.uid,
        controller=True,
    )


def _at_work(objects: Iterable[KubeObject]) -> set[Identity]:
    """Tell who owns any of the objects."""
    owners: set[Identity] = set()
    for it in objects:
        for owner in it.metadata.owner_references:
            owners.add((owner.kind, _namespace(it), owner.name))
            if isinstance(it, Pod) and owner.kind == ReplicaSet.kind:
                owners.update(_deployments_behind(owner.name, _namespace(it)))
    return owners


def _deployments_behind(replica_set: str, namespace: str) -> list[Identity]:
    """Name the deployments that may have made a replica set, which itself need not be there."""
    names = (replica_set, _HASH.sub("", replica_set))
    return [(Deployment.kind, namespace, name) for name in names]


def _namespace(it: KubeObject) -> str:
    return identity_of(it)[1]
