"""Weighs how empty a node is: by its cpu, its memory, its places for pods and its taints.

What is wrong: the weights add up to 1 on paper. In binary they make 1.0000000000000002, and as the
score is rounded up, an empty node gets 11 of 10.
"""

from math import ceil
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec


def emptiness(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Score 10 for an empty node without taints."""
    total, used = node.allocatable, node.requested
    return ceil(
        10
        * (
            0.40 * free_part(used.milli_cpu, total.milli_cpu)
            + 0.45 * free_part(used.memory, total.memory)
            + 0.05 * free_part(len(node.pods), total.pods)
            + 0.10 * (not node.taints)
        )
    )


def free_part(used: int, total: int) -> float:
    """Return which part is free, 0 if there is none at all."""
    return (total - used) / total if 0 <= used < total else 0.0


RULE: Final = PrioritySpec(
    "PreferEmpty",
    emptiness,
    reads={Facet.REQUESTED, Facet.PODS, Facet.ALLOCATABLE, Facet.TAINTS},
)
