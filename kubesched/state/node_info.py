"""A node with the pods on it, and their totals, kept up to date change by change.

Source: kubernetes v1.12.2, pkg/scheduler/cache/node_info.go.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Final, Literal, TypeVar

from attrs import define, field

from kubesched.errors import ClusterError
from kubesched.model import DiskSource, FrozenMap, Node, Pod, Taint
from kubesched.state.facets import NODE_FACETS, Facet
from kubesched.state.host_ports import UsedPorts, host_ports
from kubesched.state.images import ImageState
from kubesched.state.node_tree import zone_key
from kubesched.state.resources import (
    NonzeroRequests,
    Resources,
    nonzero_requests,
    requests_once_placed,
)

K = TypeVar("K")

_NO_NODE: Final = Node()
_PARTS: Final[Mapping[Facet, Callable[[Node], object]]] = {
    Facet.LABELS: lambda node: node.metadata.labels,
    Facet.ANNOTATIONS: lambda node: node.metadata.annotations,
    Facet.TAINTS: lambda node: node.spec.taints,
    Facet.UNSCHEDULABLE: lambda node: node.spec.unschedulable,
    Facet.CONDITIONS: lambda node: node.status.conditions,
    Facet.ALLOCATABLE: lambda node: node.status.allocatable,
}


def has_affinity(pod: Pod) -> bool:
    """Tell whether a pod says anything about which pods it wants near or far."""
    affinity = pod.spec.affinity
    return affinity is not None and (
        affinity.pod_affinity is not None or affinity.pod_anti_affinity is not None
    )


@define(eq=False)
class NodeInfo:
    """A node and its pods, as predicates and priorities see them.

    What they are handed is to be read, not written: it belongs to a snapshot and refuses changes.
    `clone()` gives one that may be changed, for a what-if.

    Attributes:
        node: the node object; None while only pods are known that claim to be on it.
        labels: the node's own.
        zone: its region and zone together, as `zone_key` has it; empty where it has neither.
        annotations: the node's own.
        taints: the node's own.
        unschedulable: whether the node is closed to new pods.
        allocatable: what its pods may use, as whole numbers.
        images: the images it holds, by every name.
        pods: the pods on it by key, in order of arrival.
        pods_with_affinity: those of them that have affinity or anti-affinity to pods.
        requested: what its pods request, init containers left out.
        nonzero_requested: the same for scores, where each container counts for something.
        used_ports: the host ports that its pods take.
        disks: the volume sources that its pods mount directly, and how many mount each.
        claims: the same for claims, by `namespace/name`.
        generations: one number a facet (by its value), which grows whenever that side changes.
        generation: one that grows with every change of the node.

    >>> from kubesched.builders import node, pod
    >>> info = NodeInfo.of(node("worker-1", cpu=4), [pod("web-1", cpu="500m")])
    >>> info.allocatable.milli_cpu - info.requested.milli_cpu
    3500
    """

    name: str
    node: Node | None = None
    labels: Mapping[str, str] = _NO_NODE.labels
    zone: str = ""
    annotations: Mapping[str, str] = _NO_NODE.annotations
    taints: tuple[Taint, ...] = ()
    unschedulable: bool = False
    allocatable: Resources = field(factory=Resources)
    images: Mapping[str, ImageState] = field(factory=FrozenMap)
    pods: dict[str, Pod] = field(factory=dict)
    pods_with_affinity: dict[str, Pod] = field(factory=dict)
    requested: Resources = field(factory=Resources)
    nonzero_requested: NonzeroRequests = field(factory=NonzeroRequests)
    used_ports: UsedPorts = field(factory=UsedPorts)
    disks: Counter[DiskSource] = field(factory=Counter)
    claims: Counter[str] = field(factory=Counter)
    generations: list[int] = field(factory=lambda: [0] * len(NODE_FACETS))
    generation: int = 0
    _tick: Callable[[], int] = field(factory=lambda: count(1).__next__, repr=False)
    _is_shared: bool = field(default=False, repr=False)

    @classmethod
    def of(cls, node: Node, pods: Iterable[Pod] = ()) -> "NodeInfo":
        """Return a node with pods on it that stands alone, for tests and what-ifs."""
        info = cls(node.name)
        images = {
            name: ImageState(image.size_bytes, 1)
            for image in node.status.images
            for name in image.names
        }
        info.set_node(node, images)
        for pod in pods:
            info.add_pod(pod)
        return info

    def set_node(self, node: Node | None, images: Mapping[str, ImageState]) -> None:
        """Set or replace the node object; only the facets that really change move on.

        O(what a node object holds).
        """
        self._refuse_if_shared()
        before, after = self.node or _NO_NODE, node or _NO_NODE
        self.generation = now = self._tick()
        if before != after or (self.node is None) != (node is None):
            self.generations[Facet.NODE] = now
        for facet, part in _PARTS.items():
            if part(before) != part(after):
                self.generations[facet] = now
        if self.images != images:
            self.generations[Facet.IMAGES] = now
        self.node = node
        self.labels, self.annotations = after.labels, after.annotations
        self.zone = zone_key(after.labels)
        self.taints, self.unschedulable = after.spec.taints, after.spec.unschedulable
        self.allocatable = Resources.of(after.status.allocatable)
        self.images = images

    def add_pod(self, pod: Pod) -> None:
        """Put a pod on the node; O(its containers, ports and volumes).

        Raises:
            ClusterError: it is there already, or this belongs to a snapshot.
        """
        self._refuse_if_shared()
        if pod.key in self.pods:
            raise ClusterError(pod.key, f"the pod is on node {self.name} already")
        self.pods[pod.key] = pod
        if has_affinity(pod):
            self.pods_with_affinity[pod.key] = pod
        nonzero = nonzero_requests(pod)
        self.requested.add(requests_once_placed(pod))
        self.nonzero_requested.milli_cpu += nonzero.milli_cpu
        self.nonzero_requested.memory += nonzero.memory
        self.used_ports.add(host_ports(pod))
        _count_volumes(pod, self.disks, self.claims, 1)
        self._pods_changed(pod)

    def remove_pod(self, pod: Pod) -> None:
        """Take a pod off the node; what is taken off is what was put on, whatever `pod` says now.

        Raises:
            ClusterError: it is not there, or this belongs to a snapshot.
        """
        self._refuse_if_shared()
        if pod.key not in self.pods:
            raise ClusterError(pod.key, f"the pod is not on node {self.name}")
        placed = self.pods.pop(pod.key)
        self.pods_with_affinity.pop(pod.key, None)
        nonzero = nonzero_requests(placed)
        self.requested.subtract(requests_once_placed(placed))
        self.nonzero_requested.milli_cpu -= nonzero.milli_cpu
        self.nonzero_requested.memory -= nonzero.memory
        self.used_ports.remove(host_ports(placed))
        _count_volumes(placed, self.disks, self.claims, -1)
        self._pods_changed(placed)

    def clone(self) -> "NodeInfo":
        """Return one that may be changed; O(pods), each at the cost of copying a pointer."""
        cloned = self._without_pods()
        cloned.pods = self.pods.copy()
        cloned.pods_with_affinity = self.pods_with_affinity.copy()
        cloned.requested = self.requested.copy()
        cloned.nonzero_requested = self.nonzero_requested.copy()
        cloned.used_ports = self.used_ports.copy()
        cloned.disks = self.disks.copy()
        cloned.claims = self.claims.copy()
        return cloned

    def clone_without(self, gone: Mapping[str, Pod]) -> "NodeInfo":
        """Return one that may be changed, less some of its pods; O(its pods).

        For a what-if in which most of its pods are gone this costs less than taking them off.

        Args:
            gone: those of its pods that are gone, by key.
        """
        cloned = self._without_pods()
        for key, pod in self.pods.items():
            if key not in gone:
                cloned.add_pod(pod)
        cloned.used_ports = self.used_ports.copy()
        for pod in gone.values():
            cloned.used_ports.remove(host_ports(pod))
        return cloned

    def _without_pods(self) -> "NodeInfo":
        return NodeInfo(
            name=self.name,
            node=self.node,
            labels=self.labels,
            zone=self.zone,
            annotations=self.annotations,
            taints=self.taints,
            unschedulable=self.unschedulable,
            allocatable=self.allocatable,
            images=self.images,
            generations=self.generations.copy(),
            generation=self.generation,
            tick=self._tick,
        )

    def generation_of(self, facets: Iterable[Facet]) -> int:
        """Return the newest generation among some facets of a node; 0 for none.

        While it stays, so does every answer that depends on nothing but these facets of this node.
        """
        return max((self.generations[facet] for facet in facets), default=0)

    def share(self) -> None:
        """Make it refuse changes from now on, because a snapshot holds it."""
        self._is_shared = True

    @property
    def is_shared(self) -> bool:
        """Whether it refuses changes because a snapshot holds it."""
        return self._is_shared

    def _refuse_if_shared(self) -> None:
        if self._is_shared:
            raise ClusterError(self.name, "the node belongs to a snapshot; change a clone() of it")

    def _pods_changed(self, pod: Pod) -> None:
        self.generation = now = self._tick()
        self.generations[Facet.PODS] = self.generations[Facet.REQUESTED] = now
        if any(port.host_port for each in pod.spec.containers for port in each.ports):
            self.generations[Facet.PORTS] = now
        if any(volume.persistent_volume_claim or volume.disk for volume in pod.spec.volumes):
            self.generations[Facet.DISKS] = now

    def _check(self) -> None:
        """Assert that every total is what summing up afresh gives."""
        fresh = NodeInfo(self.name)
        fresh.set_node(self.node, self.images)
        for pod in self.pods.values():
            fresh.add_pod(pod)
        assert self.requested.scalars.items() >= fresh.requested.scalars.items()
        left_over = self.requested.scalars.keys() - fresh.requested.scalars.keys()
        assert not any(self.requested.scalars[name] for name in left_over)
        fresh.requested.scalars = self.requested.scalars
        assert self.requested == fresh.requested
        assert self.nonzero_requested == fresh.nonzero_requested
        assert self.allocatable == fresh.allocatable
        assert set(self.used_ports) <= set(fresh.used_ports)  # less where two pods took the same
        # As dicts, because to a counter 0 is the same as nothing.
        assert dict(self.disks) == dict(fresh.disks)
        assert dict(self.claims) == dict(fresh.claims)
        assert list(self.pods_with_affinity) == list(fresh.pods_with_affinity)
        assert (self.labels, self.taints) == (fresh.labels, fresh.taints)
        assert self.zone == fresh.zone


def _count_volumes(
    pod: Pod, disks: Counter[DiskSource], claims: Counter[str], by: Literal[1, -1]
) -> None:
    for volume in pod.spec.volumes:
        claim, disk = volume.persistent_volume_claim, volume.disk
        if claim is not None:
            _count(claims, f"{pod.namespace}/{claim.claim_name}", by)
        elif disk is not None:
            _count(disks, disk, by)


def _count(counter: Counter[K], key: K, by: Literal[1, -1]) -> None:
    counter[key] += by
    if not counter[key]:
        del counter[key]
