"""What may happen to a cluster: one change at a time, of a kind that a facet counts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from attrs import evolve

from kubesched.model import KubeObject, Node, NodeSpec, NodeStatus, ObjectMeta, Pod
from kubesched.state import Cluster
from kubesched.testing.laws.law import Draw
from kubesched.testing.situation import Situation
from kubesched.testing.strategies.workloads import FINDERS, finder

K = TypeVar("K", bound=KubeObject)

_PARTS_OF_A_NODE: Final[Mapping[str, tuple[Any, tuple[str, ...]]]] = {
    "metadata": (ObjectMeta(), ("labels", "annotations", "uid")),
    "spec": (NodeSpec(), ("taints", "unschedulable")),
    "status": (NodeStatus(), ("conditions", "allocatable", "images", "capacity")),
}
"""By each part of a node: what it is when it is empty, and what of it may change by itself."""


def a_node(situation: Situation, draw: Draw) -> Node:
    """Choose a node, rather the one with the most pods than another one."""
    pods = Counter(pod.node_name for pod in situation.pods)
    busiest = max(situation.nodes, key=lambda node: pods[node.name])
    return draw.choose((busiest, *situation.nodes))


def changes(
    situation: Situation, other: Situation, node: Node, words: Sequence[tuple[str, str]]
) -> Iterator[Situation]:
    """Go over what a situation may become by one change.

    Args:
        situation: the situation.
        other: another one, from which everything new is taken.
        node: the node to which things happen; other objects come and go as well.
        words: labels, or annotations, that it may come to have; at least one.
    """
    relabelled = (new for word in words for new in _relabelled(node, *word))
    for changed in (*_other_nodes(node, other), *relabelled):
        yield _with(situation, node, changed)
    for pod in situation.pods:
        if pod.node_name == node.name:
            yield _with(situation, pod, None)
            yield from (_with(situation, pod, changed) for changed in _other_pods(pod, other))
    for pod in new_pods(situation, other, node):
        yield _with(situation, None, pod)
        yield _with(situation, None, pod.bound_to(""))
        yield _with(situation, None, pod.bound_to(_UNUSED))  # a node that there is not
    yield _with(situation, node, None)
    yield from _with_other_objects(situation, other)
    for it in situation.objects:
        if not isinstance(it, Node | Pod):
            yield from (_with(situation, it, new) for new in _unlabelled(it))
            yield from (_with(situation, it, new) for new in _relabelled(it, *words[0]))
    yield from (_with(situation, None, it) for it in _new_finders(situation))


def _other_nodes(node: Node, other: Situation) -> Iterator[Node]:
    """Go over the nodes that differ from a node in one way."""
    donor = next((each for each in other.nodes if each.name == node.name), (*other.nodes, node)[0])
    for part, (empty, names) in _PARTS_OF_A_NODE.items():
        old = getattr(node, part)
        for name in names:
            for source in (getattr(donor, part), empty):
                if getattr(source, name) != getattr(old, name):
                    new = evolve(old, **{name: getattr(source, name)})
                    yield evolve(node, **{part: new})


def _relabelled(it: K, key: str, value: str) -> Iterator[K]:
    """Go over an object with one more label, and with one more annotation."""
    meta = it.metadata
    yield evolve(it, metadata=evolve(meta, labels={**meta.labels, key: value}))
    yield evolve(it, metadata=evolve(meta, annotations={**meta.annotations, key: value}))


def _unlabelled(it: K) -> Iterator[K]:
    """Go over an object without its labels, and without its annotations, if it has any."""
    meta = it.metadata
    if meta.labels:
        yield evolve(it, metadata=evolve(meta, labels={}))
    if meta.annotations:
        yield evolve(it, metadata=evolve(meta, annotations={}))


def _other_pods(pod: Pod, other: Situation) -> Iterator[Pod]:
    """Go over the pods that differ from a placed pod in one way, and are as large as it is."""
    donor = other.pod
    for labels in (donor.labels, {}):
        if labels != pod.labels:
            yield evolve(pod, metadata=evolve(pod.metadata, labels=labels))
    if donor.spec.priority != pod.spec.priority:
        yield evolve(pod, spec=evolve(pod.spec, priority=donor.spec.priority))


def new_pods(situation: Situation, other: Situation, node: Node) -> Iterator[Pod]:
    """Go over pods of another situation as they would be on a node; no two pods are taken for one.

    They have names and uids that are not taken.
    """
    here = (situation.pod, *situation.pods)
    taken, uids = {it.key for it in here}, {it.uid for it in here if it.uid}
    for pod in (it for it in (other.pod, *other.pods[:2]) if not it.is_terminated):
        name = pod.name if pod.key not in taken else f"{pod.name}-new"
        uid = pod.uid if pod.uid not in uids else f"{pod.uid}-new"
        renamed = evolve(pod, metadata=evolve(pod.metadata, name=name, uid=uid))
        if renamed.key not in taken:
            yield renamed.bound_to(node.name)


def _with_other_objects(situation: Situation, other: Situation) -> Iterator[Situation]:
    """Go over the situations in which one object that is no pod is gone, changed or new."""
    here, there = _without_pods(situation), _without_pods(other)
    for it in here.values():
        if not isinstance(it, Node):
            yield _with(situation, it, None)
    for known_as, it in there.items():
        if known_as not in here:
            yield _with(situation, None, it)
        elif not isinstance(it, Node) and here[known_as] != it:
            yield _with(situation, here[known_as], it)


def _new_finders(situation: Situation) -> Iterator[KubeObject]:
    """Go over new services and controllers that find the pod."""
    pod = situation.pod
    metadata = ObjectMeta(name=_UNUSED, namespace=pod.namespace)
    return (finder(kind, metadata, pod.labels) for kind in FINDERS if pod.labels)


_UNUSED: Final = "new"


def _without_pods(situation: Situation) -> dict[tuple[str, str], KubeObject]:
    return {(it.kind, it.key): it for it in situation.objects if not isinstance(it, Pod)}


def _with(situation: Situation, old: KubeObject | None, new: KubeObject | None) -> Situation:
    """Return a situation in which an object is another one, is gone or is new."""
    if old is None:
        return evolve(situation, objects=[*situation.objects, *filter(None, [new])])
    after = (new if it is old else it for it in situation.objects)
    return evolve(situation, objects=[it for it in after if it is not None])


def changed(cluster: Cluster, before: Situation, after: Situation) -> Cluster:
    """Return what becomes of a cluster when one situation becomes another; O(what differs)."""
    made = cluster.copy()
    old = {(it.kind, it.key): it for it in before.objects}
    new = {(it.kind, it.key): it for it in after.objects}
    for known_as, it in old.items():
        if known_as not in new:
            made.remove(it)
    for known_as, it in new.items():
        if known_as not in old:
            made.add(it)
        elif old[known_as] is not it:
            made.update(it)
    return made
