"""Lets a team have two pods in the cluster; skips pods that have ended, of which there are none."""

from typing import Final, Self

from attrs import evolve, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

CROWDED: Final = Reason("node(s) were not needed: the team has pods enough")
MOST: Final = 2


@frozen
class Crowd:
    """How many pods a team has."""

    team: str
    number: int

    def add_pod(self, pod: Pod, _node: NodeInfo, /) -> Self:
        return evolve(self, number=self.number + (pod.labels.get("team", "") == self.team))

    def remove_pod(self, pod: Pod, _node: NodeInfo, /) -> Self:
        return evolve(self, number=self.number - (pod.labels.get("team", "") == self.team))


def crowd(pod: Pod, snapshot: Snapshot, /) -> Crowd:
    team = pod.labels.get("team", "")
    placed = (each for info in snapshot.node_infos.values() for each in info.pods.values())
    alive = (each for each in placed if not each.is_terminated)
    return Crowd(team, sum(each.labels.get("team", "") == team for each in alive))


def is_small(_pod: Pod, crowd: Crowd, _node: NodeInfo, /) -> Fit:
    return FITS if crowd.number < MOST else Fit(CROWDED)


RULE: Final = PredicateSpec("SmallTeams", is_small, prepare=crowd, reads={Facet.CLUSTER_PODS})
