"""The cluster as it was at one moment, for one decision."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast

from attrs import evolve, field, frozen

from kubesched.errors import ClusterError
from kubesched.model import KubeObject, Pod
from kubesched.state.affinity_group import AffinityGroup
from kubesched.state.facets import Facet
from kubesched.state.label_group import LabelGroup
from kubesched.state.node_info import NodeInfo
from kubesched.state.node_tree import NodeOrder
from kubesched.state.pod_groups import regrouped
from kubesched.state.table import TableView

T = TypeVar("T", bound=KubeObject)


@frozen(eq=False)
class Snapshot:
    """What a decision reads: it never changes, whatever happens to the cluster meanwhile.

    Attributes:
        node_infos: every node by name, and besides the names that placed pods claim to be on
            without there being such a node (their `node` is None).
        order: the nodes that there are, zone by zone, for whoever goes over them.
        label_groups: the pods on nodes by what selectors can see of them: for each group how many
            there are on each node, by its name.
        affinity_groups: the same by what they say about other pods; those that say nothing are in
            none.
        pending: the pods that wait for a node, by key.
        nominated: those of them that have been promised a node, by its name.
        generations: one number a facet of the cluster (by its value); see `generation_of`.
        generation: a number that is larger for each later snapshot of one cluster.
        origin: the same object in all snapshots of one cluster, which may be compared by their
            generations; None for a cluster that never was.
    """

    node_infos: TableView[str, NodeInfo]
    order: NodeOrder
    label_groups: Mapping[LabelGroup, Mapping[str, int]]
    affinity_groups: Mapping[AffinityGroup, Mapping[str, int]]
    pending: TableView[str, Pod]
    nominated: TableView[str, tuple[Pod, ...]]
    generations: tuple[int, ...]
    generation: int
    origin: object | None = field(repr=False)
    _objects: Mapping[type[KubeObject], TableView[str, Any]] = field(repr=False)

    @property
    def num_nodes(self) -> int:
        """How many nodes there are."""
        return self.order.size

    def of(self, kind: type[T]) -> TableView[str, T]:
        """Return all objects of a kind that the cluster keeps as they are, by key.

        Raises:
            ClusterError: it is a kind that no cluster keeps so.

        >>> from kubesched.model import Service
        >>> from kubesched.state import Cluster
        >>> len(Cluster().snapshot().of(Service))
        0
        """
        if kind not in self._objects:
            raise ClusterError(kind.__name__, "a cluster keeps no objects of this kind")
        return cast("TableView[str, T]", self._objects[kind])

    def with_node(self, info: NodeInfo) -> "Snapshot":
        """Return what would be if a node had other pods; O(its pods + groups).

        It has no origin, as no cluster ever was so.
        """
        before = self.node_infos[info.name].pods
        gone = [pod for key, pod in before.items() if info.pods.get(key) is not pod]
        come = [pod for key, pod in info.pods.items() if before.get(key) is not pod]
        return evolve(
            self,
            node_infos=self.node_infos.replaced(info.name, info),
            label_groups=regrouped(self.label_groups, LabelGroup.of, info.name, gone, come),
            affinity_groups=regrouped(
                self.affinity_groups, AffinityGroup.of, info.name, gone, come
            ),
            origin=None,
        )

    def generation_of(self, facets: Iterable[Facet]) -> int:
        """Return the newest generation among some facets of the cluster; 0 for none."""
        return max((self.generations[facet] for facet in facets), default=0)
