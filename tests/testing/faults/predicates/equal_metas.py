"""Lets a node have so many pods of a team; an annotation of the namespace tells how many.

What is wrong: what it prepares is equal where the team is the same, whatever the limit. A limit
that changes does not show, and answers under the old one are still used.
"""

from typing import Final

from attrs import field, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.model import Namespace

LIMITED: Final = Reason("node(s) had as many pods of the team as the namespace allows")


@frozen
class Limit:
    """How many pods of a team a node may have."""

    team: str
    most: int = field(eq=False)


def whole(text: str | None, default: int) -> int:
    """Read a whole number; the default stands for a text that is none."""
    try:
        return int(text or "")
    except ValueError:
        return default


def limit_of(pod: Pod, snapshot: Snapshot, /) -> Limit:
    namespace = snapshot.of(Namespace).get(pod.namespace)
    text = namespace.annotations.get("example.com/limit") if namespace else None
    return Limit(pod.labels.get("team", ""), whole(text, 3))


def has_less(_pod: Pod, limit: Limit, node: NodeInfo, /) -> Fit:
    number = sum(each.labels.get("team", "") == limit.team for each in node.pods.values())
    return FITS if number < limit.most else Fit(LIMITED)


RULE: Final = PredicateSpec(
    "TeamLimit", has_less, prepare=limit_of, reads={Facet.PODS, Facet.NAMESPACES}
)
