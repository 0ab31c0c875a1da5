"""Keeps pods away from nodes with many pods, where somebody minds.

What is wrong: it counts the node's pods, and declares that it reads the labels alone. A score that
was remembered would not change when pods come and go.
"""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE


def quiet(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Score 10 on an empty node and on those for batch work, elsewhere one less for each pod."""
    if node.labels.get("pool") == "batch":
        return MAX_SCORE
    return max(0, MAX_SCORE - len(node.pods))


RULE: Final = PrioritySpec("PreferQuiet", quiet, reads={Facet.LABELS})
