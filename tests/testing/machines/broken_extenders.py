"""Extenders with one mistake each, as somebody makes it who writes an extender."""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from kubesched.errors import ClusterError
from kubesched.framework import Extender, ExtenderFilterResult, Victims
from kubesched.model import Binding, Pod
from kubesched.runtime import InMemoryBinder
from kubesched.state import Cluster, NodeInfo

Nodes = Sequence[NodeInfo]


def invents_nodes(_cluster: Cluster) -> Extender:
    """It remembers the nodes that it has seen, and does not forget those that are gone."""
    seen: dict[str, None] = {}

    def keep(_pod: Pod, nodes: Nodes, /) -> ExtenderFilterResult:
        seen.update(dict.fromkeys(node.name for node in nodes))
        return ExtenderFilterResult(seen)

    return Extender("inventor", filter=keep)


def wrong_shape(_cluster: Cluster) -> Extender:
    """It answers with a plain list."""

    def keep(_pod: Pod, nodes: Nodes, /) -> Any:
        return [node.name for node in nodes]

    return Extender("shapeless", filter=keep)


def no_reason(_cluster: Cluster) -> Extender:
    """It drops nodes without a word."""

    def keep(_pod: Pod, nodes: Nodes, /) -> ExtenderFilterResult:
        return ExtenderFilterResult(node.name for node in nodes if not node.unschedulable)

    return Extender("silent", filter=keep)


def empty_reason(_cluster: Cluster) -> Extender:
    """It drops nodes with an empty word."""

    def keep(_pod: Pod, nodes: Nodes, /) -> ExtenderFilterResult:
        return ExtenderFilterResult([], {node.name: "" for node in nodes})

    return Extender("mumbler", filter=keep)


def keeps_and_drops(_cluster: Cluster) -> Extender:
    """It keeps all nodes, and has something against some."""

    def keep(_pod: Pod, nodes: Nodes, /) -> ExtenderFilterResult:
        against = {node.name: "tainted" for node in nodes if node.taints}
        return ExtenderFilterResult((node.name for node in nodes), against)

    return Extender("undecided", filter=keep)


def keeps_twice(_cluster: Cluster) -> Extender:
    """It keeps a node once for each of two reasons."""

    def keep(pod: Pod, nodes: Nodes, /) -> ExtenderFilterResult:
        near = [node.name for node in nodes if node.labels.get("app") == pod.labels.get("app")]
        return ExtenderFilterResult([*near, *(node.name for node in nodes)])

    return Extender("insistent", filter=keep)


def first_come(_cluster: Cluster) -> Extender:
    """It has one licence, and gives it to the first node of the list."""

    def keep(_pod: Pod, nodes: Nodes, /) -> ExtenderFilterResult:
        names = [node.name for node in nodes]
        return ExtenderFilterResult(names[:1], dict.fromkeys(names[1:], "no licence left"))

    return Extender("licences", filter=keep)


def changes_its_mind(_cluster: Cluster) -> Extender:
    """It counts how often it was asked."""
    turns = count()

    def score(_pod: Pod, nodes: Nodes, /) -> Mapping[str, int]:
        return {node.name: next(turns) % 3 for node in nodes}

    return Extender("dice", prioritize=score)


def scores_with_fractions(_cluster: Cluster) -> Extender:
    """It divides, and does not round."""

    def score(_pod: Pod, nodes: Nodes, /) -> Any:
        return {node.name: 10 / (1 + len(node.pods)) for node in nodes}

    return Extender("fractions", prioritize=score)


def scores_all_it_knows(cluster: Cluster) -> Extender:
    """It scores all nodes of the cluster, also those it is not asked about."""

    def score(_pod: Pod, _nodes: Nodes, /) -> Mapping[str, int]:
        return dict.fromkeys(cluster.nodes, 1)

    return Extender("talkative", prioritize=score)


def reserves(_cluster: Cluster) -> Extender:
    """It books what the pod will need, on every node that it looks at."""

    def keep(_pod: Pod, nodes: Nodes, /) -> ExtenderFilterResult:
        for node in nodes:
            node.requested.milli_cpu += 100
        return ExtenderFilterResult(node.name for node in nodes)

    return Extender("reservations", filter=keep)


def stumbles(_cluster: Cluster) -> Extender:
    """It takes it for granted that each node has a label."""

    def keep(_pod: Pod, nodes: Nodes, /) -> ExtenderFilterResult:
        return ExtenderFilterResult(node.name for node in nodes if node.labels["app"])

    return Extender("stumbler", filter=keep, managed_resources={"example.com/fpga"})


def evicts_from_elsewhere(cluster: Cluster) -> Extender:
    """It evicts pods of the whole cluster for one node."""

    def preempt(
        _pod: Pod, victims: Mapping[str, Victims], _nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        placed = [pod for pod in cluster.pods.values() if pod.node_name]
        return dict.fromkeys(victims, Victims(placed))

    return Extender("sweeper", preempt=preempt)


def evicts_by_name(_cluster: Cluster) -> Extender:
    """It answers with the names of victims."""

    def preempt(
        _pod: Pod, victims: Mapping[str, Victims], _nodes: Mapping[str, NodeInfo], /
    ) -> Any:
        return {name: [pod.key for pod in each.pods] for name, each in victims.items()}

    return Extender("caller", preempt=preempt)


def evicts_at_once(_cluster: Cluster) -> Extender:
    """It takes what it frees off all nodes, and not only off those it was asked about."""

    def preempt(
        _pod: Pod, victims: Mapping[str, Victims], nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        for name in nodes.keys() - victims.keys():
            nodes[name].requested.milli_cpu = 0
        return victims

    return Extender("hasty", preempt=preempt)


def binds_in_silence(cluster: Cluster) -> Extender:
    """It does not tell what it could not bind."""
    binder = InMemoryBinder(cluster)

    def bind(binding: Binding, /) -> None:
        try:
            binder.bind(binding)
        except ClusterError as error:
            str(error)

    return Extender("quiet", bind=bind)
