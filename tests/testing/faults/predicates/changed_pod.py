"""Lets pods without a priority onto the nodes of the batch pool alone.

What is wrong: it fills in the pod's missing priority where the pod is shared with everybody.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

IMPORTANT_ONLY: Final = Reason("node(s) took pods with a priority only", resolvable=False)
DEFAULT_PRIORITY: Final = -10


def with_priority(pod: Pod, _snapshot: Snapshot, /) -> int:
    """Return the pod's priority."""
    if pod.spec.priority is None:
        object.__setattr__(pod.spec, "priority", DEFAULT_PRIORITY)
    return pod.priority


def may_go(_pod: Pod, priority: int, node: NodeInfo, /) -> Fit:
    is_batch = node.labels.get("pool") == "batch"
    return FITS if is_batch or priority > DEFAULT_PRIORITY else Fit(IMPORTANT_ONLY)


RULE: Final = PredicateSpec("BatchPool", may_go, prepare=with_priority, reads={Facet.LABELS})
