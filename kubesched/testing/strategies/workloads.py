"""What makes pods, and what finds them."""

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve, frozen
from hypothesis import strategies as st

from kubesched.model import (
    KubeObject,
    LabelSelector,
    ObjectMeta,
    OwnerReference,
    Pod,
    PodDisruptionBudget,
    PodDisruptionBudgetSpec,
    PodTemplateSpec,
    ReplicaSet,
    ReplicationController,
    ReplicationControllerSpec,
    Service,
    ServiceSpec,
    StatefulSet,
    WorkloadSpec,
)
from kubesched.testing.strategies.drawing import Drawn, drawn, refuse_odd_bounds
from kubesched.testing.strategies.metadata import UIDS, labels
from kubesched.testing.strategies.pods import pods as usual_pods
from kubesched.testing.words import WORDS, Words

CONTROLLERS: Final[tuple[type[KubeObject], ...]] = (ReplicaSet, StatefulSet, ReplicationController)
"""Kinds that make pods and that a cluster keeps."""

FINDERS: Final[tuple[type[KubeObject], ...]] = (Service, *CONTROLLERS, PodDisruptionBudget)
"""Kinds that find pods by their labels."""


def services(
    *,
    name: Drawn[str] = ...,
    namespace: Drawn[str] = ...,
    selector: Drawn[Mapping[str, str] | None] = ...,
    words: Words = WORDS,
) -> st.SearchStrategy[Service]:
    """Draw services; each keyword is a value or a strategy.

    >>> from hypothesis import find
    >>> find(services(), lambda service: service.spec.selector)
    Service(metadata=ObjectMeta(name='s1', namespace='default'),
            spec=ServiceSpec(selector={'app': 'a'}))
    """
    return st.builds(
        _service,
        drawn(name, st.sampled_from(words.service_names)),
        drawn(namespace, st.sampled_from(words.namespaces)),
        drawn(selector, st.none() | labels(words=words)),
    )


def _service(name: str, namespace: str, selector: Mapping[str, str] | None) -> Service:
    return Service(
        metadata=ObjectMeta(name=name, namespace=namespace), spec=ServiceSpec(selector=selector)
    )


def finder(
    kind: type[KubeObject], metadata: ObjectMeta, found: Mapping[str, str], **more: Any
) -> KubeObject:
    """Return an object of one of the kinds that find pods by their labels.

    >>> finder(Service, ObjectMeta(name="s1"), {"app": "a"}).spec.selector
    {'app': 'a'}
    """
    selector = LabelSelector(match_labels=found)
    if kind is Service:
        return Service(metadata=metadata, spec=ServiceSpec(selector=found))
    if kind is ReplicationController:
        spec = ReplicationControllerSpec(selector=found, **more)
        return ReplicationController(metadata=metadata, spec=spec)
    if kind is PodDisruptionBudget:
        return PodDisruptionBudget(
            metadata=metadata, spec=PodDisruptionBudgetSpec(selector=selector)
        )
    make: Any = kind
    found_by: KubeObject = make(metadata=metadata, spec=WorkloadSpec(selector=selector, **more))
    return found_by


@frozen
class Workload:
    """Pods that are alike, what made them, and perhaps a service in front of them.

    Attributes:
        controller: a ReplicaSet, StatefulSet or ReplicationController.
        pods: its pods; they wait for nodes.
        service: the service.
    """

    controller: KubeObject
    pods: tuple[Pod, ...]
    service: Service | None = None

    @property
    def objects(self) -> tuple[KubeObject, ...]:
        """All of it."""
        services = () if self.service is None else (self.service,)
        return (self.controller, *services, *self.pods)


def workloads(
    *,
    min_pods: int = 1,
    max_pods: int = 3,
    pods: st.SearchStrategy[Pod] | None = None,
    words: Words = WORDS,
) -> st.SearchStrategy[Workload]:
    """Draw workloads.

    Args:
        min_pods: how many pods there are at least.
        max_pods: how many pods there are at most.
        pods: what they look like; name and owner are the workload's.
        words: what everything else is drawn from.

    Raises:
        OptionError: a bound is below 0, or the minimum above the maximum.

    >>> from hypothesis import find
    >>> [pod.name for pod in find(workloads(), lambda it: len(it.pods) > 1).pods]
    ['s1-0', 's1-1']
    """
    refuse_odd_bounds(min_pods=min_pods, max_pods=max_pods)
    return st.builds(
        _workload,
        kind=st.sampled_from(CONTROLLERS),
        name=st.sampled_from(words.service_names),
        uid=st.sampled_from(UIDS),
        pod=usual_pods(labels=labels(min_size=1, words=words), words=words)
        if pods is None
        else pods,
        number=st.integers(min_pods, max_pods),
        has_service=st.booleans(),
    )


def _workload(
    *, kind: type[KubeObject], name: str, uid: str, pod: Pod, number: int, has_service: bool
) -> Workload:
    metadata = ObjectMeta(name=name, namespace=pod.namespace, uid=uid)
    owner = OwnerReference(kind=kind.kind, name=name, uid=uid, controller=True)
    template = PodTemplateSpec(metadata=ObjectMeta(labels=pod.labels), spec=pod.spec)
    owned = evolve(pod.metadata, owner_references=(owner,))
    numbered = (evolve(owned, name=f"{name}-{each}") for each in range(number))
    return Workload(
        controller=finder(kind, metadata, pod.labels, replicas=number, template=template),
        pods=tuple(evolve(pod, metadata=each) for each in numbered),
        service=_service(name, pod.namespace, pod.labels) if has_service else None,
    )
