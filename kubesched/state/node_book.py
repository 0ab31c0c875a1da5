"""The nodes with their pods, in the form in which snapshots share them."""

from collections.abc import Iterator, Mapping

from attrs import define, field

from kubesched.errors import ClusterError
from kubesched.model import Node, Pod
from kubesched.state.affinity_group import AffinityGroup
from kubesched.state.facets import Facet
from kubesched.state.generations import Generations
from kubesched.state.images import Images
from kubesched.state.label_group import LabelGroup
from kubesched.state.node_info import NodeInfo
from kubesched.state.node_tree import NodeOrder, NodeTree
from kubesched.state.pod_groups import PodGroups
from kubesched.state.table import Table, TableView


@define(eq=False)
class NodeBook:
    """A `NodeInfo` for each node, and for each name that pods claim to be on without such a node.

    What a view holds is cloned before it is changed, so a view costs what was changed since the
    last one.
    """

    _generations: Generations
    _infos: Table[str, NodeInfo] = field(factory=Table[str, NodeInfo])
    _tree: NodeTree = field(factory=NodeTree)
    _images: Images = field(factory=Images)
    _label_groups: PodGroups[LabelGroup] = field(factory=lambda: PodGroups(LabelGroup.of))
    _affinity_groups: PodGroups[AffinityGroup] = field(factory=lambda: PodGroups(AffinityGroup.of))
    _unshared: set[str] = field(factory=set, init=False)

    def nodes(self) -> Iterator[Node]:
        """Go over the nodes that there are, in order of arrival."""
        return (info.node for info in self._infos.values() if info.node is not None)

    def placed(self) -> set[str]:
        """Return the keys of all pods that are on a node; O(pods)."""
        return {key for info in self._infos.values() for key in info.pods}

    def order(self) -> NodeOrder:
        """Return the order in which they are looked at."""
        return self._tree.order()

    def view(self) -> TableView[str, NodeInfo]:
        """Return all of them as they are now; O(those that changed since the last view)."""
        for name in self._unshared:
            self._infos[name].share()
        self._unshared.clear()
        return self._infos.view()

    def label_groups(self) -> TableView[LabelGroup, Mapping[str, int]]:
        """Return the pods on nodes by what selectors can see, as they are now."""
        return self._label_groups.view()

    def affinity_groups(self) -> TableView[AffinityGroup, Mapping[str, int]]:
        """Return the pods on nodes by what they say about other pods, as they are now."""
        return self._affinity_groups.view()

    def add(self, node: Node) -> None:
        """Add a node; pods that claim to be on it may have come before.

        Raises:
            ClusterError: it is there already.
        """
        known = self._infos.get(node.name)
        if known is not None and known.node is not None:
            raise ClusterError(node.name, "the node is there already")
        self._tree.add(node.name, node.labels)
        self._writable(node.name).set_node(node, self._images.add(node))
        self._generations.moved(Facet.CLUSTER_NODES)

    def update(self, node: Node) -> Node:
        """Replace a node, count its images afresh, and return what it was.

        Raises:
            ClusterError: it is not there.
        """
        before = self._known(node)
        self._tree.update(node.name, before.labels, node.labels)
        self._images.remove(before)
        self._writable(node.name).set_node(node, self._images.add(node))
        self._generations.moved(Facet.CLUSTER_NODES)
        return before

    def remove(self, node: Node) -> Node:
        """Take a node out and return what it was; pods that claim to be on it stay known.

        Raises:
            ClusterError: it is not there.
        """
        before = self._known(node)
        self._tree.remove(node.name, before.labels)
        self._images.remove(before)
        self._writable(node.name).set_node(None, {})
        self._drop_if_void(node.name)
        self._generations.moved(Facet.CLUSTER_NODES)
        return before

    def put(self, pod: Pod) -> None:
        """Put a pod on the node that it names."""
        self._writable(pod.node_name).add_pod(pod)
        self._label_groups.add(pod)
        self._affinity_groups.add(pod)
        self._generations.moved(Facet.CLUSTER_PODS)

    def take(self, pod: Pod) -> None:
        """Take a pod off the node that it names."""
        info = self._writable(pod.node_name)
        placed = info.pods.get(pod.key, pod)
        info.remove_pod(pod)
        self._label_groups.remove(placed)
        self._affinity_groups.remove(placed)
        self._drop_if_void(pod.node_name)
        self._generations.moved(Facet.CLUSTER_PODS)

    def copy(self, generations: Generations) -> "NodeBook":
        """Return a book of its own, which counts with these generations; O(nodes) pointers."""
        self.view()
        return NodeBook(
            generations,
            self._infos.copy(),
            self._tree.copy(),
            self._images.copy(),
            self._label_groups.copy(),
            self._affinity_groups.copy(),
        )

    def _writable(self, name: str) -> NodeInfo:
        """Return what is known of a node, in a form that no view holds."""
        info = self._infos.get(name)
        if info is not None and not info.is_shared:
            return info
        if info is None:
            self._generations.moved(Facet.CLUSTER_NODES)
        tick = self._generations.tick
        written = NodeInfo(name, tick=tick) if info is None else info.clone()
        self._infos[name] = written
        self._unshared.add(name)
        return written

    def _drop_if_void(self, name: str) -> None:
        info = self._infos[name]
        if info.node is None and not info.pods:
            del self._infos[name]
            self._unshared.discard(name)
            self._generations.moved(Facet.CLUSTER_NODES)

    def _known(self, node: Node) -> Node:
        info = self._infos.get(node.name)
        if info is None or info.node is None:
            raise ClusterError(node.name, "the node is not there")
        return info.node

    def _check(self) -> None:
        """Assert what always holds; O(nodes + pods)."""
        self._infos._check()  # noqa: SLF001
        fresh = Images()
        for info in self._infos.values():
            info._check()  # noqa: SLF001
            assert info.node is not None or info.pods
            assert info.is_shared == (info.name not in self._unshared)
        for node in self.nodes():
            fresh.add(node)
        assert self._images.holders() == fresh.holders()
        placed = [pod for info in self._infos.values() for pod in info.pods.values()]
        self._label_groups._check(placed)  # noqa: SLF001
        self._affinity_groups._check(placed)  # noqa: SLF001
        assert sorted(self.order().round) == sorted(node.name for node in self.nodes())
