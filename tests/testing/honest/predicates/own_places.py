"""Lets a team be on two nodes at most; pods are known by their uid, or by their key without one."""

from collections.abc import Mapping
from typing import Final, Self

from attrs import evolve, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

SPREAD_OUT: Final = Reason("node(s) were not among those that the team is on")
MOST: Final = 2


def identity(pod: Pod) -> str:
    return pod.uid or pod.key


@frozen
class Places:
    """Where each pod of a team is."""

    team: str
    nodes: Mapping[str, str]

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        if pod.labels.get("team", "") != self.team:
            return self
        return evolve(self, nodes={**self.nodes, identity(pod): node.name})

    def remove_pod(self, pod: Pod, _node: NodeInfo, /) -> Self:
        left = {known: name for known, name in self.nodes.items() if known != identity(pod)}
        return evolve(self, nodes=left)


def places(pod: Pod, snapshot: Snapshot, /) -> Places:
    team = pod.labels.get("team", "")
    return Places(
        team,
        {
            identity(each): info.name
            for info in snapshot.node_infos.values()
            for each in info.pods.values()
            if each.labels.get("team", "") == team
        },
    )


def is_among_them(_pod: Pod, places: Places, node: NodeInfo, /) -> Fit:
    there = {*places.nodes.values()}
    return FITS if node.name in there or len(there) < MOST else Fit(SPREAD_OUT)


RULE: Final = PredicateSpec(
    "OwnPlaces", is_among_them, prepare=places, reads={Facet.NODE, Facet.CLUSTER_PODS}
)
"""A node's name is part of the node."""
