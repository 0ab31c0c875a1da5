"""What may happen to a cluster next.

A change is a value that knows nothing of the cluster that it will be applied to, so that a list of
changes is a history that shrinks well. What cannot be done is left undone.
"""

from operator import attrgetter
from typing import Any, Final, Protocol

from attrs import evolve, frozen
from hypothesis import strategies as st

from kubesched.errors import ClusterError
from kubesched.model import KubeObject, Node, ObjectMeta, Pod
from kubesched.state import FACET_OF_KIND, Cluster
from kubesched.testing.strategies.drawing import mostly
from kubesched.testing.strategies.models import models
from kubesched.testing.strategies.nodes import nodes as usual_nodes
from kubesched.testing.strategies.pods import pod_keys, pods as usual_pods
from kubesched.testing.words import WORDS, Words


class ClusterChange(Protocol):
    """Something that may happen to a cluster."""

    def apply(self, cluster: Cluster) -> None:
        """Let it happen, as far as it can."""
        ...


@frozen
class PutObject:
    """An object is there from now on, new or changed; a pod may turn up on any node.

    Attributes:
        it: the object.
    """

    it: KubeObject

    def apply(self, cluster: Cluster) -> None:
        """Add or update it.

        >>> from kubesched.builders import node
        >>> cluster = Cluster()
        >>> PutObject(node("n1")).apply(cluster)
        >>> list(cluster.nodes)
        ['n1']
        """
        if _there(cluster, type(self.it), self.it.key) is None:
            cluster.add(self.it)
        elif isinstance(self.it, Pod):
            _replace_pod(cluster, self.it)
        else:
            cluster.update(self.it)


@frozen
class RemoveObject:
    """An object is gone.

    Attributes:
        kind: its class.
        key: its key.
    """

    kind: type[KubeObject]
    key: str

    def apply(self, cluster: Cluster) -> None:
        """Take it out, if it is there; an assumed pod is forgotten before."""
        there = _there(cluster, self.kind, self.key)
        if isinstance(there, Pod):
            _remove_pod(cluster, self.key)
        elif there is not None:
            cluster.remove(there)


@frozen
class ChangeNode:
    """One part of a node changes.

    Attributes:
        name: the node's name.
        part: the part, such as `spec.taints`.
        value: what it is from now on.
    """

    name: str
    part: str
    value: Any

    def apply(self, cluster: Cluster) -> None:
        """Change it, if the node is there.

        >>> from kubesched.builders import node
        >>> cluster = Cluster.of([node("n1")])
        >>> ChangeNode("n1", "spec.unschedulable", True).apply(cluster)
        >>> cluster.nodes["n1"].spec.unschedulable
        True
        """
        there = cluster.nodes.get(self.name)
        if there is not None:
            side, _, name = self.part.partition(".")
            changed = evolve(getattr(there, side), **{name: self.value})
            cluster.update_node(evolve(there, **{side: changed}))


@frozen
class AssumePod:
    """A pod that waits is given a node.

    Attributes:
        key: the pod's key.
        node_name: the node.
    """

    key: str
    node_name: str

    def apply(self, cluster: Cluster) -> None:
        """Assume it, if there is a pod of that key and it waits."""
        waiting = cluster.pending.get(self.key)
        if waiting is not None:
            cluster.assume(waiting, self.node_name)


@frozen
class ConfirmPod:
    """An assumed pod is seen on its node.

    Attributes:
        key: the pod's key.
    """

    key: str

    def apply(self, cluster: Cluster) -> None:
        """Confirm it, if there is a pod of that key and it is assumed."""
        pod = _assumed(cluster, self.key)
        if pod is not None:
            cluster.update_pod(pod)


@frozen
class ForgetPod:
    """An assumed pod is not bound after all.

    Attributes:
        key: the pod's key.
    """

    key: str

    def apply(self, cluster: Cluster) -> None:
        """Forget it, if there is a pod of that key and it is assumed."""
        pod = _assumed(cluster, self.key)
        if pod is not None:
            cluster.forget(pod)


def _assumed(cluster: Cluster, key: str) -> Pod | None:
    pod = cluster.pods.get(key)
    return pod if pod is not None and cluster.is_assumed(pod) else None


def _there(cluster: Cluster, kind: type[KubeObject], key: str) -> KubeObject | None:
    if kind is Pod:
        namespace, _, name = key.rpartition("/")
        return cluster.latest(ObjectMeta(namespace=namespace, name=name))
    return cluster.nodes.get(key) if kind is Node else cluster.of_kind(kind).get(key)


def _replace_pod(cluster: Cluster, pod: Pod) -> None:
    """Update a pod, or put another one of its name in its place where it cannot become that."""
    try:
        cluster.update_pod(pod)
    except ClusterError:
        _remove_pod(cluster, pod.key)
        cluster.add_pod(pod)


def _remove_pod(cluster: Cluster, key: str) -> None:
    ForgetPod(key).apply(cluster)
    there = _there(cluster, Pod, key)
    if isinstance(there, Pod):
        cluster.remove_pod(there)


_PARTS: Final = (
    "metadata.labels",
    "metadata.annotations",
    "spec.taints",
    "spec.unschedulable",
    "status.allocatable",
    "status.conditions",
    "status.images",
)
"""What of a node may change by itself."""


def cluster_changes(
    *,
    nodes: st.SearchStrategy[Node] | None = None,
    pods: st.SearchStrategy[Pod] | None = None,
    words: Words = WORDS,
) -> st.SearchStrategy[ClusterChange]:
    """Draw what may happen to a cluster: objects come, change and go, pods are assumed and bound.

    Names come from the words, so that clusters drawn from the same words have what it is about.

    Args:
        nodes: what nodes that come or change are like.
        pods: what pods that come or change are like; mostly they wait.
        words: what everything else is drawn from.

    >>> from hypothesis import find
    >>> find(cluster_changes(), lambda change: isinstance(change, AssumePod))
    AssumePod(key='default/p1', node_name='n1')
    """
    node = usual_nodes(words=words) if nodes is None else nodes
    some_pods = _anywhere(words) if pods is None else pods
    keys, names = pod_keys(words=words), st.sampled_from(words.node_names)
    others = st.one_of([models(kind, words=words) for kind in FACET_OF_KIND])
    return st.one_of(
        st.builds(AssumePod, keys, names),
        st.builds(ConfirmPod, keys),
        st.builds(ForgetPod, keys),
        st.builds(PutObject, some_pods),
        st.builds(RemoveObject, st.just(Pod), keys),
        st.builds(PutObject, node),
        st.builds(_change_of, node, st.sampled_from(_PARTS)),
        st.builds(RemoveObject, st.just(Node), names),
        st.builds(PutObject, others),
        st.builds(_removal_of, others),
    )


def _anywhere(words: Words) -> st.SearchStrategy[Pod]:
    waiting = usual_pods(words=words)
    placed = usual_pods(node_name=..., phase=st.sampled_from(["", "Succeeded"]), words=words)
    return mostly(waiting, placed, one_in=3)


def _change_of(node: Node, part: str) -> ChangeNode:
    return ChangeNode(node.name, part, attrgetter(part)(node))


def _removal_of(it: KubeObject) -> RemoveObject:
    return RemoveObject(type(it), it.key)
