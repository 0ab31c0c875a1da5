"""Prefers nodes with few pods, and remembers how many it has counted.

What is wrong: what it remembers lives in a default argument, which all calls share, and goes by the
node's name. When pods come and go, the old number stays; so does that of another cluster.
"""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE


def idle(
    _pod: Pod,
    _meta: None,
    node: NodeInfo,
    counts: dict[str, int] = {},  # noqa: B006 - this is the mistake
    /,
) -> int:
    """Score 10 where there are no pods, one less for each."""
    if node.name not in counts:
        counts[node.name] = len(node.pods)
    return max(0, MAX_SCORE - counts[node.name])


RULE: Final = PrioritySpec("PreferIdle", idle, reads={Facet.PODS})
