"""Keeps the pods of a team in one zone, where its first ones are.

What is wrong: what it prepares follows pods that come, but not those that go.
"""

from typing import Final, Self

from attrs import evolve, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

ELSEWHERE: Final = Reason("node(s) were not in the zone of the team")


@frozen
class Zones:
    """The zones in which a team has pods."""

    team: str
    zones: frozenset[str] = frozenset()

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        if pod.labels.get("team", "") != self.team:
            return self
        return evolve(self, zones=self.zones | {node.zone})

    def remove_pod(self, _pod: Pod, _node: NodeInfo, /) -> Self:
        return self


def zones_of_team(pod: Pod, snapshot: Snapshot, /) -> Zones:
    zones = Zones(pod.labels.get("team", ""))
    for info in snapshot.node_infos.values():
        for placed in info.pods.values():
            zones = zones.add_pod(placed, info)
    return zones


def is_in_zone(_pod: Pod, team: Zones, node: NodeInfo, /) -> Fit:
    return FITS if not team.zones or node.zone in team.zones else Fit(ELSEWHERE)


RULE: Final = PredicateSpec(
    "OneZoneATeam",
    is_in_zone,
    prepare=zones_of_team,
    reads={Facet.LABELS, Facet.CLUSTER_PODS, Facet.CLUSTER_NODES},
)
