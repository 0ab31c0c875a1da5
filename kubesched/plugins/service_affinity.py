"""Pods of a service that are to share some labels of their nodes, such as the rack.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go (checkServiceAffinity,
serviceAffinityMetadataProducer), metadata.go (AddPod, RemovePod).
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Self

from attrs import evolve, frozen

from kubesched.errors import SchedulingError
from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Reason, Skip
from kubesched.model import Pod
from kubesched.selectors import EVERYTHING, NOTHING, Selector, label_map_selector
from kubesched.state import Facet, NodeInfo, Snapshot
from kubesched.state.selecting import count_placed, services_of

AFFINITY_NOT_MET: Final = Reason("node(s) didn't match service affinity")
_REFUSAL: Final = Fit(AFFINITY_NOT_MET)


class NodeNotFoundError(SchedulingError, LookupError):
    """A pod is to go where another one is, and that one is on no node that exists.

    Attributes:
        node_name: the node that the other one names; empty if it is only nominated.
    """

    def __init__(self, node_name: str) -> None:
        """Say which node there is not."""
        super().__init__(f'node "{node_name}" not found')
        self.node_name = node_name


@frozen
class Place:
    """A node with pods to follow.

    Attributes:
        pods: how many, above 0.
        labels: those of its labels that are to be shared; None if there is no such node.
    """

    pods: int
    labels: Mapping[str, str] | None


@frozen(kw_only=True)
class Followed:
    """What the labels of a pod's node must be, and the pods that say so.

    Those are the placed pods of the pod's namespace that carry all of its labels.

    Attributes:
        shared: the keys of the labels in question.
        fixed: those that the pod's own node selector settles, with their values.
        namespace: the pod's.
        selector: what selects the pods to follow; none, if the pod depends on no others.
        places: where they are, by the name of the node.
        minds_nominated: whether nominated pods are followed, too. They name no node.
    """

    shared: tuple[str, ...]
    fixed: Mapping[str, str]
    namespace: str
    selector: Selector
    places: Mapping[str, Place]
    minds_nominated: bool

    @cached_property
    def wanted(self) -> Selector:
        """What selects the nodes that will do; O(places), once.

        Raises:
            NodeNotFoundError: there are pods to follow, but none on a node that exists.
        """
        there = [name for name, place in self.places.items() if place.labels is not None]
        first = min(there or self.places, default=None)
        labels = {} if first is None else self.places[first].labels
        if labels is None:
            raise NodeNotFoundError(first or "")
        return label_map_selector({**labels, **self.fixed})

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        """Return what holds with one more pod; O(places) if it is one to follow, else O(1)."""
        return self._changed(pod, node, 1)

    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        """Return what holds with one pod less; O(places) if it was one to follow, else O(1)."""
        return self._changed(pod, node, -1)

    def _changed(self, pod: Pod, node: NodeInfo, by: int) -> Self:
        name = pod.node_name
        if pod.namespace != self.namespace or not self.selector.matches(pod.labels):
            return self
        if not (name or self.minds_nominated):
            return self
        places = dict(self.places)
        place = places.pop(name, None) or _place(node if name else None, self.shared, 0)
        if place.pods + by:
            places[name] = evolve(place, pods=place.pods + by)
        return evolve(self, places=places)


def _place(node: NodeInfo | None, shared: tuple[str, ...], pods: int) -> Place:
    if node is None or node.node is None:
        return Place(pods, None)
    return Place(pods, {key: node.labels[key] for key in shared if key in node.labels})


def check_service_affinity(
    labels: Iterable[str], *, name: str = "CheckServiceAffinity"
) -> PredicateSpec[Followed]:
    """Return the predicate that keeps the pods of a service on nodes with the same labels.

    Labels that the pod's node selector names must be as it says. If a service selects the pod, the
    others must be as on the node of the first placed pod in its namespace that carries all of its
    labels; a label that this node does not have is left open.

    Differs: the first pod is one on the node whose name comes first, and one whose node exists
    comes before one whose node does not; in the original chance decides. A nominated pod comes last
    in both.

    Args:
        labels: the keys.
        name: what the predicate is called.

    >>> from kubesched.builders import node, pod
    >>> same_rack = check_service_affinity(["rack"])
    >>> web = pod("web-1", node_selector={"rack": "1"})
    >>> racks = [node("n1", labels={"rack": "1"}), node("n2", labels={"rack": "2"})]
    >>> from kubesched.state import Cluster
    >>> meta = same_rack.prepare(web, Cluster.of(racks).snapshot())
    >>> [bool(same_rack.check(web, meta, NodeInfo.of(rack))) for rack in racks]
    [True, False]
    """
    shared = tuple(labels)

    def prepare(pod: Pod, snapshot: Snapshot, /) -> Followed | Skip:
        return _followed(pod, snapshot, shared)

    return PredicateSpec(
        name,
        has_shared_labels,
        prepare=prepare,
        order=120,
        reads={Facet.LABELS, Facet.CLUSTER_NODES, Facet.CLUSTER_PODS, Facet.SERVICES},
    )


def has_shared_labels(_pod: Pod, followed: Followed, node: NodeInfo, /) -> Fit:
    """Tell whether the node has the labels that it must have.

    Raises:
        NodeNotFoundError: there are pods to follow, but none on a node that exists.
    """
    return FITS if followed.wanted.matches(node.labels) else _REFUSAL


def _followed(pod: Pod, snapshot: Snapshot, shared: tuple[str, ...]) -> Followed | Skip:
    """Prepare the predicate; O(services + label groups + nodes with pods to follow)."""
    node_selector = pod.spec.node_selector
    fixed = {key: node_selector[key] for key in shared if key in node_selector}
    is_open = len(shared) > len(fixed) and bool(services_of(pod, snapshot))
    if not is_open and label_map_selector(fixed) == EVERYTHING:
        return SKIP
    selector = label_map_selector(pod.labels) if is_open else NOTHING
    counts = count_placed(snapshot, pod.namespace, [selector], terminating=True)
    infos = snapshot.node_infos
    return Followed(
        shared=shared,
        fixed=fixed,
        namespace=pod.namespace,
        selector=selector,
        places={name: _place(infos.get(name), shared, pods) for name, pods in counts.items()},
        # A name without a node costs the original what it prepares, and so the nominated pods.
        minds_nominated=len(infos) == snapshot.num_nodes,
    )
