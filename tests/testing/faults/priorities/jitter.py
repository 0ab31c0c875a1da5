"""Prefers nodes with few pods, and does not always take the same one of several.

What is wrong: it throws dice to break ties. The same question gets another score each time, and no
decision can be played again.
"""

from random import SystemRandom
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec

DICE: Final = SystemRandom()


def fewest_pods(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Score 9 for no pods and one less for each, down to 0, and perhaps 1 more."""
    return min(9, max(0, 9 - len(node.pods))) + DICE.randint(0, 1)


RULE: Final = PrioritySpec("Jitter", fewest_pods, reads={Facet.PODS})
