"""The cluster's state: the one place where it is written.

A pod is in exactly one place::

      add_pod (no node)                 add_pod (on a node)
             │                                  │
             ▼            assume                │
         ┌───────┐ ───────────────► ┌───────┐   │    ┌─────┐
         │pending│                  │assumed│ ──┼──► │bound│
         └───────┘ ◄─────────────── └───────┘   └──► └─────┘
             │      forget, expire      add_pod or      │
             │                          update_pod      │
             │                          (seen bound)    │
             └──────────── phase Succeeded or Failed ───┤
                                                        ▼
         remove_pod takes it out of any place        ┌─────┐
         but "assumed", delete_pod out of any        │ended│
                                                     └─────┘

An assumed pod takes its resources like a bound one. It expires when its binding has finished and
nobody has seen it bound for a while; one that is still binding never does.

Source: kubernetes v1.12.2, pkg/scheduler/cache/cache.go and interface.go.
"""

from collections.abc import Callable, Iterable, Mapping
from threading import RLock
from typing import Final, TypeVar

from attrs import define, field

from kubesched.errors import ClusterError
from kubesched.model import KubeObject, Node, ObjectMeta, Pod
from kubesched.state.changes import Change, Listener
from kubesched.state.facets import FACET_OF_KIND
from kubesched.state.generations import Generations
from kubesched.state.node_book import NodeBook
from kubesched.state.object_book import ObjectBook
from kubesched.state.pod_book import PodBook
from kubesched.state.snapshot import Snapshot
from kubesched.state.table import TableView

T = TypeVar("T", bound=KubeObject)

ASSUME_TTL: Final = 30.0
"""Seconds that a pod whose binding has finished stays assumed without being seen bound."""


@define(eq=False)
class Cluster:
    """Nodes, pods and everything else that decides where pods go.

    Every method may be called from any thread. A decision reads a `snapshot()`, which later changes
    leave alone. Bookkeeping costs what a change touches, not the size of the cluster.

    >>> from kubesched.builders import node, pod
    >>> cluster = Cluster()
    >>> cluster.add_node(node("worker-1", cpu=4))
    >>> cluster.add_pod(pod("web-1", cpu=1))
    >>> cluster.assume(cluster.pods["default/web-1"], "worker-1").node_name
    'worker-1'
    >>> cluster.snapshot().node_infos["worker-1"].requested.milli_cpu
    1000
    """

    _generations: Generations = field(factory=Generations, init=False)
    _nodes: NodeBook = field(init=False)
    _pods: PodBook = field(factory=PodBook, init=False)
    _objects: ObjectBook = field(init=False)
    _snapshot: Snapshot | None = field(default=None, init=False)
    _listeners: dict[object, Listener] = field(factory=dict, init=False)
    _lock: RLock = field(factory=RLock, init=False)

    def __attrs_post_init__(self) -> None:
        self._nodes = NodeBook(self._generations)
        self._objects = ObjectBook(self._generations)

    @classmethod
    def of(cls, objects: Iterable[KubeObject]) -> "Cluster":
        """Return a cluster of these objects, in whatever order they come.

        Kinds that the cluster does not keep are passed over. Each node then knows how many nodes
        hold its images, as it does in a cluster that has been running for a while.

        Raises:
            ClusterError: two objects of one kind have one key.
        """
        made = cls()
        ordered = sorted(objects, key=lambda each: isinstance(each, Pod))
        for each in ordered:
            if isinstance(each, (Node, Pod)) or type(each) in FACET_OF_KIND:
                made.add(each)
        for node in made.nodes.values():
            made.update_node(node)
        return made

    # -- any kind ------------------------------------------------------------------------------

    def add(self, added: KubeObject) -> None:
        """Add an object of any kind that a cluster keeps.

        Raises:
            ClusterError: it is there already, or it is of a kind that no cluster keeps.
        """
        match added:
            case Pod():
                self.add_pod(added)
            case Node():
                self.add_node(added)
            case _:
                with self._lock:
                    self._objects.add(added)
                    self._tell(Change("added", None, added))

    def update(self, updated: KubeObject) -> None:
        """Replace an object by what has become of it.

        Raises:
            ClusterError: it is not there, or the change is not allowed.
        """
        match updated:
            case Pod():
                self.update_pod(updated)
            case Node():
                self.update_node(updated)
            case _:
                with self._lock:
                    before = self._objects.update(updated)
                    self._tell(Change("updated", before, updated))

    def remove(self, removed: KubeObject) -> None:
        """Take an object out.

        Raises:
            ClusterError: it is not there, or it is an assumed pod.
        """
        match removed:
            case Pod():
                self.remove_pod(removed)
            case Node():
                self.remove_node(removed)
            case _:
                with self._lock:
                    before = self._objects.remove(removed)
                    self._tell(Change("removed", before, None))

    def of_kind(self, kind: type[T]) -> TableView[str, T]:
        """Return all objects of a kind that the cluster keeps as they are, by key."""
        with self._lock:
            return self._objects.view(kind)

    # -- nodes ---------------------------------------------------------------------------------

    @property
    def nodes(self) -> Mapping[str, Node]:
        """The nodes by name, as they are now; O(nodes)."""
        with self._lock:
            return {node.name: node for node in self._nodes.nodes()}

    def add_node(self, node: Node) -> None:
        """Add a node; pods that claim to be on it may have come before.

        Raises:
            ClusterError: it is there already.
        """
        with self._lock:
            self._nodes.add(node)
            self._tell(Change("added", None, node))

    def update_node(self, node: Node) -> None:
        """Replace a node by what has become of it; its images are counted afresh.

        Raises:
            ClusterError: it is not there.
        """
        with self._lock:
            before = self._nodes.update(node)
            self._tell(Change("updated", before, node))

    def remove_node(self, node: Node) -> None:
        """Take a node out; pods that claim to be on it stay known.

        Raises:
            ClusterError: it is not there.
        """
        with self._lock:
            before = self._nodes.remove(node)
            self._tell(Change("removed", before, None))

    # -- pods ----------------------------------------------------------------------------------

    @property
    def pods(self) -> Mapping[str, Pod]:
        """The pods that wait, are assumed or are bound, by key; O(pods)."""
        with self._lock:
            return {pod.key: pod for pod in self._pods.alive()}

    @property
    def pending(self) -> Mapping[str, Pod]:
        """The pods that wait for a node, by key, in order of arrival."""
        with self._lock:
            return self._pods.pending.view()

    def latest(self, metadata: ObjectMeta) -> Pod | None:
        """Return what was last seen of a pod, None if it is gone; O(1).

        An assumed pod has not been seen on its node yet: it still waits.

        Args:
            metadata: the pod's; a pod of the same name but with another uid is another pod.
        """
        with self._lock:
            return self._pods.latest(metadata)

    def change_pod(self, metadata: ObjectMeta, change: Callable[[Pod], Pod]) -> Pod | None:
        """Update a pod to what `change` makes of the latest of it; nobody comes in between.

        Returns:
            What has become of it, None if it is gone.

        Raises:
            ClusterError: as by `update_pod`.
        """
        with self._lock:
            before = self.latest(metadata)
            after = None if before is None else change(before)
            if after is not None and after != before:
                self.update_pod(after)
            return after

    def is_assumed(self, pod: Pod) -> bool:
        """Tell whether a pod has been given a node and not yet been seen bound."""
        with self._lock:
            return pod.key in self._pods.assumed

    def add_pod(self, pod: Pod) -> None:
        """Add a pod as it was first seen: waiting, on a node (an assumed one is confirmed), ended.

        Raises:
            ClusterError: it is there already.
        """
        with self._lock:
            before = self._pods.get(pod.key)
            confirms = self._pods.place_of(pod) == "assumed" and pod.node_name
            if before is not None and not confirms:
                raise ClusterError(pod.key, f"the pod is {self._pods.place_of(pod)} already")
            self._move(before, pod)
            self._tell(Change("added", before, pod))

    def update_pod(self, pod: Pod) -> None:
        """Replace a pod by what has become of it: changed, bound, ended.

        Raises:
            ClusterError: it is not there, or it is bound to another node or none.
        """
        with self._lock:
            before = self._pods.get(pod.key)
            if before is None:
                raise ClusterError(pod.key, "the pod is not there")
            match self._pods.place_of(pod):
                case "bound" if pod.node_name != before.node_name:
                    where = pod.node_name or "no node"
                    raise ClusterError(
                        pod.key, f"the pod is on {before.node_name} and cannot move to {where}"
                    )
                case "assumed" if not pod.node_name:
                    self._pods.assumed[pod.key].waiting = pod
                case "pending" if not pod.node_name and not pod.is_terminated:
                    self._pods.enter(pod)  # without leaving, it keeps its place in the row
                case _:
                    self._move(before, pod)
            self._tell(Change("updated", before, pod))

    def remove_pod(self, pod: Pod) -> None:
        """Take a pod out, wherever it is.

        Raises:
            ClusterError: it is not there, or it is assumed.
        """
        with self._lock:
            before = self._pods.get(pod.key)
            if before is None:
                raise ClusterError(pod.key, "the pod is not there")
            if self._pods.place_of(pod) == "assumed":
                raise ClusterError(pod.key, "the pod is assumed; forget it instead")
            self._move(before, None)
            self._tell(Change("removed", before, None))

    def delete_pod(self, pod: Pod) -> bool:
        """Take a pod out, wherever it is, if it is there; return whether it was; O(1).

        An assumed one goes by way of being bound, so that listeners see that it gives room back.
        """
        with self._lock:
            assumed = self._pods.assumed.get(pod.key)
            if assumed is not None:
                self.update_pod(assumed.pod)
            is_there = self._pods.get(pod.key) is not None
            if is_there:
                self.remove_pod(pod)
            return is_there

    def assume(self, pod: Pod, node_name: str) -> Pod:
        """Put a pod on a node as if it were bound, and return it with its node name set.

        Raises:
            ClusterError: it is on a node already, or has ended; or the node has no name.
        """
        with self._lock:
            self._refuse_to_assume(pod, node_name)
            waiting = self._pods.pending.get(pod.key)
            assumed = pod.bound_to(node_name)
            if waiting is not None:
                self._pods.leave(waiting)
            self._pods.assume(assumed, waiting)
            self._nodes.put(assumed)
            self._tell(Change("assumed", waiting, assumed))
            return assumed

    def finish_binding(self, pod: Pod, now: float) -> None:
        """Note that a pod's binding is over, `now` in seconds: from here on it may expire.

        O(log assumed pods); times may come in any order. A pod that is not assumed any more is left
        alone, and so is another one of its name.

        Raises:
            ClusterError: the time is no number.
        """
        with self._lock:
            assumed = self._pods.assumption_of(pod)
            if assumed is not None:
                self._pods.set_deadline(assumed, now + ASSUME_TTL)

    def forget(self, pod: Pod) -> None:
        """Take back that a pod was assumed; it waits again if it did before.

        Raises:
            ClusterError: it is not assumed, or on another node.
        """
        with self._lock:
            assumed = self._pods.assumption_of(pod)
            if assumed is None:
                raise ClusterError(pod.key, "the pod is not assumed")
            where = assumed.pod.node_name
            if pod.node_name not in {"", where}:
                raise ClusterError(pod.key, f"the pod is assumed on {where}, not {pod.node_name}")
            self._move(assumed.pod, assumed.waiting)
            self._tell(Change("forgotten", assumed.pod, assumed.waiting))

    def expire(self, now: float) -> tuple[Pod, ...]:
        """Forget the assumed pods whose time is over, `now` in seconds, and return them.

        O(log assumed pods) each. They come in the order in which they were assumed, whichever was
        over first.
        """
        with self._lock:
            expired = self._pods.overdue(now)
            for each in expired:
                self._move(each.pod, each.waiting)
                self._tell(Change("expired", each.pod, each.waiting))
            return tuple(each.pod for each in expired)

    # -- readers -------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the cluster as it is now; O(what changed since the last one)."""
        with self._lock:
            if self._snapshot is None:
                self._snapshot = self._take_snapshot()
            return self._snapshot

    def copy(self) -> "Cluster":
        """Return a cluster of its own that starts out as this one; no listener comes along.

        O(nodes + pods) pointers; a node's totals are copied when one of the two first changes it.
        """
        with self._lock:
            made = Cluster()
            made._generations = self._generations.copy()
            made._nodes = self._nodes.copy(made._generations)
            made._pods = self._pods.copy()
            made._objects = self._objects.copy(made._generations)
            return made

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have a listener called after every change; what is returned ends that."""
        subscription = object()
        with self._lock:
            self._listeners[subscription] = listener

        def unsubscribe() -> None:
            with self._lock:
                self._listeners.pop(subscription, None)

        return unsubscribe

    # -- within --------------------------------------------------------------------------------

    def _take_snapshot(self) -> Snapshot:
        return Snapshot(
            node_infos=self._nodes.view(),
            order=self._nodes.order(),
            label_groups=self._nodes.label_groups(),
            affinity_groups=self._nodes.affinity_groups(),
            pending=self._pods.pending.view(),
            nominated=self._pods.nominations.view(),
            generations=tuple(self._generations.numbers),
            generation=self._generations.tick(),
            origin=self._generations,
            objects=self._objects.views(),
        )

    def _tell(self, change: Change) -> None:
        self._snapshot = None
        for listener in tuple(self._listeners.values()):
            listener(change)

    def _refuse_to_assume(self, pod: Pod, node_name: str) -> None:
        place = "ended" if pod.is_terminated else self._pods.place_of(pod)
        if place not in {None, "pending"}:
            raise ClusterError(pod.key, f"the pod is {place} already")
        if not node_name:
            raise ClusterError(pod.key, "the pod cannot be assumed on a node without a name")

    def _move(self, before: Pod | None, after: Pod | None) -> None:
        """Take a pod from where it was and put it where it belongs now."""
        if before is not None:
            self._pods.leave(before)
            if _takes_room(before):
                self._nodes.take(before)
        if after is not None:
            self._pods.enter(after)
            if _takes_room(after):
                self._nodes.put(after)

    def _check(self) -> None:
        """Assert what always holds; O(cluster)."""
        with self._lock:
            self._pods._check()  # noqa: SLF001
            self._nodes._check()  # noqa: SLF001
            self._objects._check()  # noqa: SLF001
            assert self._nodes.placed() == {*self._pods.assumed, *self._pods.bound}


def _takes_room(pod: Pod) -> bool:
    return bool(pod.node_name) and not pod.is_terminated
