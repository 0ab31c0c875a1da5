"""The cluster as it was at one moment, for one decision."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast

from attrs import field, frozen

from kubesched.errors import ClusterError
from kubesched.model import KubeObject, Pod
from kubesched.state.facets import Facet
from kubesched.state.node_info import NodeInfo
from kubesched.state.node_tree import NodeOrder
from kubesched.state.table import TableView

T = TypeVar("T", bound=KubeObject)


@frozen(eq=False)
class Snapshot:
    """What a decision reads: it never changes, whatever happens to the cluster meanwhile.

    Attributes:
        node_infos: every node by name, and besides the names that placed pods claim to be on
            without there being such a node (their `node` is None).
        order: the nodes that there are, zone by zone, for whoever goes over them.
        pending: the pods that wait for a node, by key.
        generations: one number a facet of the cluster (by its value); see `generation_of`.
    """

    node_infos: TableView[NodeInfo]
    order: NodeOrder
    pending: TableView[Pod]
    generations: tuple[int, ...]
    _objects: Mapping[type[KubeObject], TableView[Any]] = field(repr=False)

    @property
    def num_nodes(self) -> int:
        """How many nodes there are."""
        return self.order.size

    def of(self, kind: type[T]) -> TableView[T]:
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
        return cast("TableView[T]", self._objects[kind])

    def generation_of(self, facets: Iterable[Facet]) -> int:
        """Return the newest generation among some facets of the cluster; 0 for none."""
        return max((self.generations[facet] for facet in facets), default=0)
