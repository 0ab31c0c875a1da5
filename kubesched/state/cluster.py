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
         but "assumed"                               │ended│
                                                     └─────┘

An assumed pod takes its resources like a bound one. It expires when its binding has finished and
nobody has seen it bound for a while; one that is still binding never does.

Source: kubernetes v1.12.2, pkg/scheduler/cache/cache.go and interface.go.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from threading import RLock
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

from attrs import define, field, frozen

from kubesched.errors import ClusterError
from kubesched.model import KubeObject, Node, Pod
from kubesched.state.facets import FACET_OF_KIND, Facet
from kubesched.state.images import Images
from kubesched.state.node_info import NodeInfo
from kubesched.state.node_tree import NodeTree
from kubesched.state.pod_book import PodBook
from kubesched.state.snapshot import Snapshot
from kubesched.state.table import Table, TableView

T = TypeVar("T", bound=KubeObject)

ASSUME_TTL: Final = 30.0
"""Seconds that a pod whose binding has finished stays assumed without being seen bound."""


@frozen
class Change:
    """Something that happened to an object: `before` or `after` is None where there is none."""

    action: Literal["added", "updated", "removed", "assumed", "forgotten"]
    before: KubeObject | None
    after: KubeObject | None


Listener: TypeAlias = Callable[[Change], None]
"""Somebody who wants to know; called with the cluster's lock held, so it had better be quick."""


def _count_up() -> Callable[[], int]:
    return count(1).__next__


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

    _node_infos: Table[NodeInfo] = field(factory=Table[NodeInfo])
    _pods: PodBook = field(factory=PodBook)
    _objects: dict[type[KubeObject], Table[Any]] = field(
        factory=lambda: {kind: Table() for kind in FACET_OF_KIND}
    )
    _tree: NodeTree = field(factory=NodeTree)
    _images: Images = field(factory=Images)
    _generations: list[int] = field(factory=lambda: [0] * len(Facet))
    _tick: Callable[[], int] = field(factory=_count_up)
    _unshared: set[str] = field(factory=set, init=False)
    _snapshot: Snapshot | None = field(default=None, init=False)
    _listeners: dict[object, Listener] = field(factory=dict, init=False)
    _lock: RLock = field(factory=RLock, init=False)

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
                self._write("added", None, added)

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
                    self._write("updated", self._known(updated), updated)

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
                    self._write("removed", self._known(removed), None)

    def of_kind(self, kind: type[T]) -> TableView[T]:
        """Return all objects of a kind that the cluster keeps as they are, by key."""
        with self._lock:
            return cast("TableView[T]", self._table(kind).view())

    # -- nodes ---------------------------------------------------------------------------------

    @property
    def nodes(self) -> Mapping[str, Node]:
        """The nodes by name, as they are now; O(nodes)."""
        with self._lock:
            infos = self._node_infos.values()
            return {info.name: info.node for info in infos if info.node is not None}

    def add_node(self, node: Node) -> None:
        """Add a node; pods that claim to be on it may have come before.

        Raises:
            ClusterError: it is there already.
        """
        with self._lock:
            known = self._node_infos.get(node.name)
            if known is not None and known.node is not None:
                raise ClusterError(node.name, "the node is there already")
            self._tree.add(node.name, node.labels)
            self._writable(node.name).set_node(node, self._images.add(node))
            self._nodes_changed(Change("added", None, node))

    def update_node(self, node: Node) -> None:
        """Replace a node by what has become of it; its images are counted afresh.

        Raises:
            ClusterError: it is not there.
        """
        with self._lock:
            before = self._known_node(node)
            self._tree.update(node.name, before.labels, node.labels)
            self._images.remove(before)
            self._writable(node.name).set_node(node, self._images.add(node))
            self._nodes_changed(Change("updated", before, node))

    def remove_node(self, node: Node) -> None:
        """Take a node out; pods that claim to be on it stay known.

        Raises:
            ClusterError: it is not there.
        """
        with self._lock:
            before = self._known_node(node)
            self._tree.remove(node.name, before.labels)
            self._images.remove(before)
            self._writable(node.name).set_node(None, {})
            self._drop_if_void(node.name)
            self._nodes_changed(Change("removed", before, None))

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
            self._put_on_node(assumed)
            self._tell(Change("assumed", waiting, assumed))
            return assumed

    def finish_binding(self, pod: Pod, now: float) -> None:
        """Note that a pod's binding is over, `now` in seconds: from here on it may expire.

        A pod that is not assumed any more is left alone.
        """
        with self._lock:
            if pod.key in self._pods.assumed:
                self._pods.assumed[pod.key].deadline = now + ASSUME_TTL

    def forget(self, pod: Pod) -> None:
        """Take back that a pod was assumed; it waits again if it did before.

        Raises:
            ClusterError: it is not assumed, or on another node.
        """
        with self._lock:
            if pod.key not in self._pods.assumed:
                raise ClusterError(pod.key, "the pod is not assumed")
            assumed = self._pods.assumed[pod.key]
            where = assumed.pod.node_name
            if pod.node_name not in {"", where}:
                raise ClusterError(pod.key, f"the pod is assumed on {where}, not {pod.node_name}")
            self._move(assumed.pod, assumed.waiting)
            self._tell(Change("forgotten", assumed.pod, assumed.waiting))

    def expire(self, now: float) -> tuple[Pod, ...]:
        """Forget the assumed pods whose time is over, `now` in seconds, and return them."""
        with self._lock:
            expired = tuple(
                each.pod
                for each in self._pods.assumed.values()
                if each.deadline is not None and now > each.deadline
            )
            for pod in expired:
                self.forget(pod)
            return expired

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
            self.snapshot()
            return Cluster(
                node_infos=self._node_infos.copy(),
                pods=self._pods.copy(),
                objects={kind: table.copy() for kind, table in self._objects.items()},
                tree=self._tree.copy(),
                images=self._images.copy(),
                generations=self._generations.copy(),
                tick=self._tick,
            )

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
        for name in self._unshared:
            self._node_infos[name].share()
        self._unshared.clear()
        return Snapshot(
            node_infos=self._node_infos.view(),
            order=self._tree.order(),
            pending=self._pods.pending.view(),
            generations=tuple(self._generations),
            objects={kind: table.view() for kind, table in self._objects.items()},
        )

    def _tell(self, change: Change) -> None:
        self._snapshot = None
        for listener in tuple(self._listeners.values()):
            listener(change)

    def _changed(self, facet: Facet) -> None:
        self._generations[facet] = self._tick()

    def _nodes_changed(self, change: Change) -> None:
        self._changed(Facet.CLUSTER_NODES)
        self._tell(change)

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
            self._take_off_node(before)
        if after is not None:
            self._pods.enter(after)
            self._put_on_node(after)

    def _put_on_node(self, pod: Pod) -> None:
        if pod.node_name and not pod.is_terminated:
            self._writable(pod.node_name).add_pod(pod)
            self._changed(Facet.CLUSTER_PODS)

    def _take_off_node(self, pod: Pod) -> None:
        if pod.node_name and not pod.is_terminated:
            self._writable(pod.node_name).remove_pod(pod)
            self._drop_if_void(pod.node_name)
            self._changed(Facet.CLUSTER_PODS)

    def _writable(self, name: str) -> NodeInfo:
        """Return what is known of a node, in a form that no snapshot holds."""
        info = self._node_infos.get(name)
        if info is not None and not info.is_shared:
            return info
        if info is None:
            self._changed(Facet.CLUSTER_NODES)
        written = NodeInfo(name, tick=self._tick) if info is None else info.clone()
        self._node_infos[name] = written
        self._unshared.add(name)
        return written

    def _drop_if_void(self, name: str) -> None:
        info = self._node_infos[name]
        if info.node is None and not info.pods:
            del self._node_infos[name]
            self._unshared.discard(name)
            self._changed(Facet.CLUSTER_NODES)

    def _known_node(self, node: Node) -> Node:
        info = self._node_infos.get(node.name)
        if info is None or info.node is None:
            raise ClusterError(node.name, "the node is not there")
        return info.node

    def _table(self, kind: type[KubeObject]) -> Table[Any]:
        if kind not in self._objects:
            raise ClusterError(kind.__name__, "a cluster keeps no objects of this kind")
        return self._objects[kind]

    def _known(self, wanted: KubeObject) -> KubeObject:
        known: KubeObject | None = self._table(type(wanted)).get(wanted.key)
        if known is None:
            raise ClusterError(wanted.key, f"the {wanted.kind} is not there")
        return known

    def _write(
        self,
        action: Literal["added", "updated", "removed"],
        before: KubeObject | None,
        after: KubeObject | None,
    ) -> None:
        """Write an object that is kept as it is."""
        with self._lock:
            written = after or before
            assert written is not None, "a change is about something"
            table = self._table(type(written))
            if action == "added" and written.key in table:
                raise ClusterError(written.key, f"the {written.kind} is there already")
            if after is None:
                del table[written.key]
            else:
                table[written.key] = after
            self._changed(FACET_OF_KIND[type(written)])
            self._tell(Change(action, before, after))

    def _check(self) -> None:
        """Assert what always holds; O(cluster)."""
        with self._lock:
            self._pods._check()  # noqa: SLF001
            self._node_infos._check()  # noqa: SLF001
            for info in self._node_infos.values():
                info._check()  # noqa: SLF001
                assert info.node is not None or info.pods
                assert info.is_shared == (info.name not in self._unshared)
            on_nodes = {key for info in self._node_infos.values() for key in info.pods}
            assert on_nodes == {*self._pods.assumed, *self._pods.bound}
            assert sorted(self._tree.order().round) == sorted(self.nodes)
            fresh = Images()
            for node in self.nodes.values():
                fresh.add(node)
            assert self._images.holders() == fresh.holders()
