"""The life of a cluster, step by step, in a cluster and in its model alike."""

from collections.abc import Mapping
from operator import attrgetter
from typing import ClassVar, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.model import KubeObject, Node, Pod
from kubesched.state import FACET_OF_KIND, Cluster
from kubesched.testing.machines.cluster_world import World
from kubesched.testing.machines.drawing import DrawsFromMethods, from_method, often
from kubesched.testing.machines.promises import Promise, PromiseMachine
from kubesched.testing.strategies import labels, models, nodes, pods
from kubesched.testing.words import WORDS, Words

STATE: Final = Promise("state", "A cluster is what the changes that it allowed have made of it.")

PARTS: Final = (
    "metadata.annotations",
    "spec.taints",
    "spec.unschedulable",
    "status.allocatable",
    "status.conditions",
    "status.images",
)
"""What of a node changes by itself, beside its labels."""

_nodes: Final = from_method("nodes")
_pods: Final = from_method("pods")
_waiting_pods: Final = from_method("waiting_pods")
_labels: Final = from_method("labels")
_others: Final = from_method("others")
_node_names: Final = st.runner().flatmap(
    lambda machine: often(machine.world.model.nodes, machine.drawn_from("nodes").map(_name))
)
_keys: Final = st.runner().flatmap(
    lambda machine: often(machine.world.model.keys, machine.drawn_from("pods").map(_key))
)
_assumed_keys: Final = st.runner().flatmap(
    lambda machine: often(machine.world.model.assumed, machine.drawn_from("pods").map(_key))
)


def _name(node: Node) -> str:
    return node.name


def _key(pod: Pod) -> str:
    return pod.key


class ClusterLife(DrawsFromMethods, PromiseMachine):
    """Rules that change a cluster and its model alike; what must be so is for others to say.

    Attributes:
        words: what everything is drawn from.
        world: the cluster, its model and its listener.
        now: the time.
    """

    promises: ClassVar[tuple[Promise, ...]] = (STATE,)
    draws: ClassVar[tuple[str, ...]] = ("nodes", "labels", "waiting_pods", "pods", "others")
    words: Words = WORDS
    whose = "Cluster"

    def __init__(self) -> None:
        """Begin with an empty cluster."""
        super().__init__()
        self.world = World(self.make_cluster())
        self.now = 0.0

    # -- what to override ----------------------------------------------------------------------

    def make_cluster(self) -> Cluster:
        """Return a new, empty cluster."""
        return Cluster()

    def nodes(self) -> st.SearchStrategy[Node]:
        """Return what to draw nodes from."""
        return nodes(labels=self.labels(), words=self.words)

    def labels(self) -> st.SearchStrategy[Mapping[str, str]]:
        """Return what to draw the labels of nodes from."""
        return labels(words=self.words)

    def waiting_pods(self) -> st.SearchStrategy[Pod]:
        """Return what to draw pods from that have no node."""
        return pods(words=self.words)

    def pods(self) -> st.SearchStrategy[Pod]:
        """Return what to draw pods from that wait, are on a node, or have ended."""
        phases = st.sampled_from(["Running", "Running", "Succeeded", "Failed"])
        placed = pods(node_name=..., phase=phases, words=self.words)
        return self.waiting_pods() | placed

    def others(self) -> st.SearchStrategy[KubeObject]:
        """Return what to draw everything else from that a cluster keeps."""
        return st.one_of([models(kind, words=self.words) for kind in FACET_OF_KIND])

    # -- nodes and all else --------------------------------------------------------------------

    @rule(node=_nodes)
    def add_node(self, node: Node) -> None:
        """A node comes, unless one of its name is there."""
        self.world.happens(
            allowed=self.world.model.add_node(node),
            change=lambda: self.world.cluster.add(node),
            told=("added", None, node),
        )

    @rule(node=_nodes)
    def update_node(self, node: Node) -> None:
        """A node changes, if it is there."""
        before = self.world.model.nodes.get(node.name)
        self.world.happens(
            allowed=self.world.model.update_node(node),
            change=lambda: self.world.cluster.update(node),
            told=("updated", before, node),
        )

    def put_node(self, node: Node) -> None:
        """Let a node come or, if it is there, change."""
        (self.update_node if node.name in self.world.model.nodes else self.add_node)(node)

    @precondition(lambda self: self.world.model.nodes)
    @rule(name=_node_names, labels=_labels)
    def relabel_node(self, name: str, labels: Mapping[str, str]) -> None:
        """The labels of a node change, and nothing else does, if it is there."""
        node = self.world.model.nodes.get(name)
        if node is not None:
            self.update_node(evolve(node, metadata=evolve(node.metadata, labels=labels)))

    @precondition(lambda self: self.world.model.nodes)
    @rule(name=_node_names, part=st.sampled_from(PARTS), like=_nodes)
    def change_part_of_node(self, name: str, part: str, like: Node) -> None:
        """One part of a node becomes that of another one, and nothing else does, if it is there."""
        node, (side, _, of_side) = self.world.model.nodes.get(name), part.partition(".")
        if node is not None:
            changed = evolve(getattr(node, side), **{of_side: attrgetter(part)(like)})
            self.update_node(evolve(node, **{side: changed}))

    @precondition(lambda self: self.world.model.nodes)
    @rule(name=_node_names)
    def remove_node(self, name: str) -> None:
        """A node goes, if it is there; the pods on it stay."""
        before = self.world.model.nodes.get(name)
        self.world.happens(
            allowed=self.world.model.remove_node(name),
            change=lambda: self.world.cluster.remove(make_node(name)),
            told=("removed", before, None),
        )

    @rule(it=_others)
    def add(self, it: KubeObject) -> None:
        """Something else comes, unless it is there."""
        self.world.happens(
            allowed=self.world.model.add(it),
            change=lambda: self.world.cluster.add(it),
            told=("added", None, it),
        )

    @rule(it=_others)
    def update(self, it: KubeObject) -> None:
        """Something else changes, if it is there."""
        before = self.world.model.of(type(it)).get(it.key)
        self.world.happens(
            allowed=self.world.model.update(it),
            change=lambda: self.world.cluster.update(it),
            told=("updated", before, it),
        )

    @precondition(lambda self: self.world.model.others)
    @rule(it=_others)
    def remove(self, it: KubeObject) -> None:
        """Something else goes, if it is there."""
        before = self.world.model.of(type(it)).get(it.key)
        self.world.happens(
            allowed=self.world.model.remove(it),
            change=lambda: self.world.cluster.remove(it),
            told=("removed", before, None),
        )

    # -- pods ----------------------------------------------------------------------------------

    @rule(pod=_pods)
    def add_pod(self, pod: Pod) -> None:
        """A pod comes, or one that is assumed is seen bound."""
        before = self.world.model.known(pod.key)
        self.world.happens(
            allowed=self.world.model.add_pod(pod),
            change=lambda: self.world.cluster.add(pod),
            told=("added", before, pod),
        )

    @rule(pod=_pods)
    def update_pod(self, pod: Pod) -> None:
        """A pod changes, if it is there."""
        before = self.world.model.known(pod.key)
        self.world.happens(
            allowed=self.world.model.update_pod(pod),
            change=lambda: self.world.cluster.update(pod),
            told=("updated", before, pod),
        )

    @rule(pod=_waiting_pods, node_name=_node_names)
    def nominate_pod(self, pod: Pod, node_name: str) -> None:
        """A pod that waits is nominated to a node, be it new or there already."""
        known = self.world.model.pending.get(pod.key, pod)
        status = evolve(known.status, nominated_node_name=node_name)
        put = self.add_pod if known is pod else self.update_pod
        put(evolve(known, status=status))

    @precondition(lambda self: self.world.model.keys)
    @rule(key=_keys)
    def remove_pod(self, key: str) -> None:
        """A pod goes, if it is there and not assumed."""
        before = self.world.model.known(key)
        self.world.happens(
            allowed=self.world.model.remove_pod(key),
            change=lambda: self.world.cluster.remove(make_pod(key)),
            told=("removed", before, None),
        )

    @rule(pod=_pods | _waiting_pods, name=_node_names)
    def assume(self, pod: Pod, name: str) -> None:
        """A pod is given a node."""
        before = self.world.model.pending.get(pod.key)
        self.world.happens(
            allowed=self.world.model.assume(pod, name),
            change=lambda: self.world.cluster.assume(pod, name),
            told=("assumed", before, pod.bound_to(name)),
        )

    @precondition(lambda self: self.world.model.pending)
    @rule(name=_node_names)
    def assume_all_that_wait(self, name: str) -> None:
        """All pods that wait are given a node."""
        for pod in list(self.world.model.pending.values()):
            self.assume(pod, name)

    @precondition(lambda self: self.world.model.assumed)
    @rule(key=_assumed_keys, ago=st.sampled_from([0, 5, -5]))
    def finish_binding(self, key: str, ago: float) -> None:
        """The binding of an assumed pod has finished, some seconds ago."""
        self.world.cluster.finish_binding(make_pod(key), self.now - ago)
        self.world.model.finish_binding(key, self.now - ago)

    @precondition(lambda self: self.world.model.assumed)
    @rule(key=_assumed_keys, name=st.just("") | _node_names)
    def forget(self, key: str, name: str) -> None:
        """An assumed pod waits again, if it is on this node."""
        pod, before = make_pod(key, node_name=name), self.world.model.known(key)
        self.world.happens(
            allowed=self.world.model.forget(pod),
            change=lambda: self.world.cluster.forget(pod),
            told=("forgotten", before, self.world.model.known(key)),
        )

    @precondition(lambda self: self.world.model.assumed)
    @rule(seconds=st.sampled_from([10, 20, 31, 40]))
    def expire(self, seconds: float) -> None:
        """Time passes, and assumed pods that nobody has seen bound wait again."""
        self.now += seconds
        expected = self.world.model.expire(self.now)
        expired = self.world.cluster.expire(self.now)
        self.compare(STATE, "what expire() returned", expired, tuple(expected))
        self.world.expected += [
            ("expired", pod, self.world.model.known(pod.key)) for pod in expected
        ]
