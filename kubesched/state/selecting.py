"""What selects a pod, and where the pods are that the same selectors select.

Source: kubernetes v1.12.2, k8s.io/client-go/listers (GetPodServices, GetPodControllers,
GetPodReplicaSets, GetPodStatefulSets), pkg/scheduler/algorithm/priorities/metadata.go
(getSelectors).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

from kubesched.errors import SelectorError
from kubesched.model import (
    KubeObject,
    LabelSelector,
    Pod,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
)
from kubesched.selectors import EVERYTHING, NOTHING, Selector, label_map_selector, label_selector
from kubesched.state.snapshot import Snapshot

T = TypeVar("T", bound=KubeObject)


def services_of(pod: Pod, snapshot: Snapshot) -> list[Service]:
    """Return the services that select a pod, by name; O(services).

    A service with an empty selector selects every pod of its namespace, one without a selector
    none.

    >>> from kubesched.builders import pod
    >>> from kubesched.model import ObjectMeta, ServiceSpec
    >>> from kubesched.state import Cluster
    >>> named = ObjectMeta(namespace="shop", name="web")
    >>> web = Service(metadata=named, spec=ServiceSpec(selector={"app": "web"}))
    >>> snapshot = Cluster.of([web]).snapshot()
    >>> [each.name for each in services_of(pod("shop/web-1", labels={"app": "web"}), snapshot)]
    ['web']
    """
    wanted = pod.labels.items()
    services = _in_namespace(Service, pod.namespace, snapshot)
    selecting = [
        each
        for each in services
        if each.spec.selector is not None and each.spec.selector.items() <= wanted
    ]
    return sorted(selecting, key=lambda each: each.name)


def selector_of(service: Service) -> Selector:
    """Return a service's selector, made ready.

    >>> selector_of(Service()).matches({"app": "web"})
    False
    """
    return NOTHING if service.spec.selector is None else _of_map(service.spec.selector)


def selectors_of(pod: Pod, snapshot: Snapshot) -> list[Selector]:
    """Return the selectors of the services and controllers that select a pod; O(all of these).

    Controllers are replication controllers, replica sets and stateful sets. Those with an empty
    selector select no pod, and none of them selects a pod without labels. If one replica set of the
    namespace has a selector that cannot be evaluated, none of the replica sets counts; so it is
    with stateful sets.
    """
    selectors = [selector_of(each) for each in services_of(pod, snapshot)]
    if pod.labels:
        selectors += _of_replication_controllers(pod, snapshot)
        selectors += _of_workloads(ReplicaSet, pod, snapshot)
        selectors += _of_workloads(StatefulSet, pod, snapshot)
    return selectors


def count_placed(
    snapshot: Snapshot, namespace: str, selectors: Collection[Selector], *, terminating: bool
) -> Mapping[str, int]:
    """Count the placed pods of a namespace that any of the selectors selects, by node.

    What it returns is to be read, not written. O(label groups x selectors + nodes with such pods).

    Args:
        snapshot: where the pods are.
        namespace: theirs.
        selectors: of which one must select a pod.
        terminating: whether pods that are being deleted count as well.
    """
    matching = [
        counts
        for group, counts in snapshot.label_groups.items()
        if group.namespace == namespace
        and (terminating or not group.is_terminating)
        and any(selector.matches(group.labels) for selector in selectors)
    ]
    return matching[0] if len(matching) == 1 else _added_up(matching)


def _added_up(groups: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for counts in groups:
        for name, count in counts.items():
            total[name] = total.get(name, 0) + count
    return total


def _in_namespace(kind: type[T], namespace: str, snapshot: Snapshot) -> Iterator[T]:
    objects = snapshot.of(kind).entries()
    return (each for each in objects if each.metadata.namespace == namespace)


def _of_replication_controllers(pod: Pod, snapshot: Snapshot) -> list[Selector]:
    wanted = pod.labels.items()
    controllers = _in_namespace(ReplicationController, pod.namespace, snapshot)
    selectors = (each.spec.selector for each in controllers)
    return [_of_map(each) for each in selectors if each and each.items() <= wanted]


def _of_workloads(
    kind: type[ReplicaSet] | type[StatefulSet], pod: Pod, snapshot: Snapshot
) -> list[Selector]:
    workloads = _in_namespace(kind, pod.namespace, snapshot)
    try:
        selectors = [_of_selector(each.spec.selector) for each in workloads]
    except SelectorError:
        return []
    return [each for each in selectors if each != EVERYTHING and each.matches(pod.labels)]


# Pods come and go far more often than what selects them.
_of_map = lru_cache(maxsize=4096)(label_map_selector)


@lru_cache(maxsize=4096)
def _of_selector(selector: LabelSelector | None) -> Selector:
    return label_selector(selector)
