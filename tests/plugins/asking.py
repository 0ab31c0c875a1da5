"""Ask a rule about the nodes of a cluster, as the engine does."""

from collections.abc import Iterable
from typing import Any

from kubesched.framework import SKIP, PredicateSpec, PrioritySpec, meta_of
from kubesched.model import KubeObject, Pod
from kubesched.state import Cluster, NodeInfo, Snapshot


def snapshot_of(objects: Iterable[KubeObject]) -> Snapshot:
    """Return a cluster of these objects, in which each node knows all about images."""
    return Cluster.of(objects).snapshot()


def nodes_of(snapshot: Snapshot) -> list[NodeInfo]:
    """Return the nodes that there are, in order of arrival."""
    return [info for info in snapshot.node_infos.values() if info.node is not None]


def ready(spec: PredicateSpec[Any] | PrioritySpec[Any], asked: Pod, snapshot: Snapshot) -> Any:
    """Return what a rule prepares for a pod."""
    return meta_of(spec, asked, snapshot)


def reasons(spec: PredicateSpec[Any], asked: Pod, *objects: KubeObject) -> list[str]:
    """Return why a pod does not fit the one node among the objects; nothing if it does."""
    snapshot = snapshot_of(objects)
    (info,) = nodes_of(snapshot)
    meta = ready(spec, asked, snapshot)
    return [] if meta is SKIP else [each.text for each in spec.check(asked, meta, info).reasons]


def fits(spec: PredicateSpec[Any], asked: Pod, *objects: KubeObject) -> bool:
    """Tell whether a pod fits the one node among the objects."""
    return not reasons(spec, asked, *objects)


def scores_in(spec: PrioritySpec[Any], asked: Pod, snapshot: Snapshot) -> list[int]:
    """Return the scores of all nodes in order of arrival, reduced and not weighted."""
    infos, meta = nodes_of(snapshot), ready(spec, asked, snapshot)
    if meta is SKIP:
        return [0] * len(infos)
    scores = [spec.map(asked, meta, info) for info in infos]
    return scores if spec.reduce is None else [*spec.reduce(asked, meta, infos, scores)]


def scores(spec: PrioritySpec[Any], asked: Pod, *objects: KubeObject) -> list[int]:
    """Return the same of a cluster of these objects."""
    return scores_in(spec, asked, snapshot_of(objects))
