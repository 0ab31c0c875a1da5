"""A cluster and a snapshot beside their model: what there is, and what there should be."""

from collections.abc import Iterator
from typing import TypeAlias

from kubesched.state import FACET_OF_KIND, Cluster, Facet, Snapshot
from kubesched.testing.machines.insides import assumptions_of, ended_in
from kubesched.testing.machines.naive_cluster import NaiveCluster
from kubesched.testing.machines.pictures import SHOWN

Compared: TypeAlias = tuple[str, object, object]
"""What is compared, as it is, and as it should be."""

Shown: TypeAlias = tuple[tuple[str, Facet, int], object]
"""A node's name (or none), a facet and its generation; and what the facet shows."""


def state_beside_model(cluster: Cluster, model: NaiveCluster) -> Iterator[Compared]:
    """Compare all that a cluster tells of its nodes and pods."""
    alive = {pod.key: pod for pod in (*model.pending.values(), *model.placed())}
    assumed = {key for key, pod in alive.items() if cluster.is_assumed(pod)}
    yield "nodes", dict(cluster.nodes), model.nodes
    yield "pods", dict(cluster.pods), alive
    yield "the keys of pending, in order", list(cluster.pending), list(model.pending)
    yield "what is assumed", assumed, {*model.assumed}
    yield "what is known of assumed pods", assumptions_of(cluster), model.assumed
    yield "what has ended", dict(ended_in(cluster)), model.ended


def snapshot_beside_model(snapshot: Snapshot, model: NaiveCluster) -> Iterator[Compared]:
    """Compare all that a snapshot tells."""
    infos = snapshot.node_infos
    there = {name: info for name, info in infos.items() if info.node is not None}
    on_nodes = {name: info.pods for name, info in infos.items()}
    images = {
        name: {image: state.num_nodes for image, state in info.images.items()}
        for name, info in there.items()
    }
    yield "pods by node", on_nodes, model.pods_by_node()
    yield "nodes of a snapshot", {name: info.node for name, info in there.items()}, model.nodes
    yield "how many nodes have each image", images, model.images
    yield "nodes by zone", [zone.names for zone in snapshot.order.zones], model.zones()
    yield "num_nodes", snapshot.num_nodes, len(model.nodes)
    yield "pending of a snapshot", list(snapshot.pending.items()), list(model.pending.items())
    for kind in FACET_OF_KIND:
        there_of_kind = list(snapshot.of(kind).items())
        yield f"every {kind.__name__}", there_of_kind, list(model.of(kind).items())


def facets_of(snapshot: Snapshot) -> Iterator[Shown]:
    """Tell what each facet shows, of each node and of the whole."""
    infos = snapshot.node_infos
    for name, info in infos.items():
        for facet, show in SHOWN.items():
            yield (name, facet, info.generations[facet]), show(info)
    whole: dict[Facet, object] = {
        Facet.CLUSTER_NODES: {name: info.node for name, info in infos.items()},
        Facet.CLUSTER_PODS: {name: info.pods for name, info in infos.items() if info.pods},
        **{facet: dict(snapshot.of(kind)) for kind, facet in FACET_OF_KIND.items()},
    }
    for facet, shown in whole.items():
        yield ("", facet, snapshot.generations[facet]), shown
