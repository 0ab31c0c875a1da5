"""Lets a node be kept for a team by a label such as `kept-for/red: yes`.

What is wrong: of several such labels it looks at the first one, and labels have no order.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

KEPT: Final = Reason("node(s) were kept for another team", resolvable=False)
PREFIX: Final = "kept-for/"


def is_for_team(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    teams = [key.removeprefix(PREFIX) for key in node.labels if key.startswith(PREFIX)]
    if not teams or teams[0] == pod.labels.get("team"):
        return FITS
    return Fit(KEPT)


RULE: Final = PredicateSpec("KeptForTeam", is_for_team, reads={Facet.LABELS})
