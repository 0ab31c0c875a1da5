"""Lets a node have pods of one team only, and remembers nothing."""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

OTHER_TEAM: Final = Reason("node(s) had a pod of another team")


def team_of(pod: Pod) -> str:
    return pod.labels.get("team", "nobody")


def has_only_own_team(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    teams = {team_of(each) for each in node.pods.values()}
    return FITS if teams <= {team_of(pod)} else Fit(OTHER_TEAM)


RULE: Final = PredicateSpec("OneTeam", has_only_own_team, reads={Facet.PODS})
