"""Lets a zone have one pod of each team.

What is wrong: it looks at the pods of all nodes, and declares that it reads one node's.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

CROWDED: Final = Reason("node(s) were in a zone that has a pod of the team")


def zones_of_team(pod: Pod, snapshot: Snapshot, /) -> frozenset[str]:
    """Return the zones in which the pod's team has a pod."""
    team = pod.labels.get("team", "")
    return frozenset(
        info.zone
        for info in snapshot.node_infos.values()
        if any(each.labels.get("team", "") == team for each in info.pods.values())
    )


def is_zone_free(_pod: Pod, zones: frozenset[str], node: NodeInfo, /) -> Fit:
    return Fit(CROWDED) if node.zone in zones else FITS


RULE: Final = PredicateSpec(
    "OneOfATeam", is_zone_free, prepare=zones_of_team, reads={Facet.LABELS, Facet.PODS}
)
