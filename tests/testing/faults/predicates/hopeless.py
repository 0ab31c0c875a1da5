"""Gives a pod that asks for it a node of its own.

What is wrong: it says that evicting pods cannot help, and that is just what would.
"""

from typing import Final

from kubesched import FITS, SKIP, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.framework import Skip

NOT_ALONE: Final = Reason("node(s) had other pods", resolvable=False)


def wants_to_be_alone(pod: Pod, _snapshot: Snapshot, /) -> bool | Skip:
    return True if pod.annotations.get("example.com/alone") == "true" else SKIP


def is_empty(_pod: Pod, _alone: bool, node: NodeInfo, /) -> Fit:  # noqa: FBT001
    return Fit(NOT_ALONE) if node.pods else FITS


RULE: Final = PredicateSpec("Alone", is_empty, prepare=wants_to_be_alone, reads={Facet.PODS})
