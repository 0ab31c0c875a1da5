"""Taints: what keeps pods away, and who puts up with it.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go
(PodToleratesNodeTaints, PodToleratesNodeNoExecuteTaints),
pkg/scheduler/algorithm/priorities/taint_toleration.go.
"""

from typing import Final

from kubesched.framework import (
    FITS,
    Fit,
    FitPredicate,
    PredicateSpec,
    PrioritySpec,
    Reason,
    normalize,
)
from kubesched.model import Pod, Toleration
from kubesched.state import Facet, NodeInfo, Snapshot
from kubesched.tolerations import any_tolerates

NOT_TOLERATED: Final = Reason("node(s) had taints that the pod didn't tolerate", resolvable=False)
_REFUSAL: Final = Fit(NOT_TOLERATED)


def tolerates_taints_with(effects: frozenset[str]) -> FitPredicate[None]:
    """Return the predicate that wants every taint with one of the effects tolerated."""

    def check(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
        for taint in node.taints:
            if taint.effect in effects and not any_tolerates(pod.spec.tolerations, taint):
                return _REFUSAL
        return FITS

    return check


def prepare_soft_tolerations(pod: Pod, _snapshot: Snapshot, /) -> tuple[Toleration, ...]:
    """Pick the tolerations that count for PreferNoSchedule: those with it, or with no effect."""
    return tuple(each for each in pod.spec.tolerations if each.effect in {"", "PreferNoSchedule"})


def taint_toleration(_pod: Pod, tolerations: tuple[Toleration, ...], node: NodeInfo, /) -> int:
    """Count the PreferNoSchedule taints that the pod does not tolerate."""
    if not node.taints:
        return 0
    return sum(
        taint.effect == "PreferNoSchedule" and not any_tolerates(tolerations, taint)
        for taint in node.taints
    )


POD_TOLERATES_NODE_TAINTS: Final = PredicateSpec(
    "PodToleratesNodeTaints",
    tolerates_taints_with(frozenset({"NoSchedule", "NoExecute"})),
    order=90,
    reads={Facet.TAINTS},
)

POD_TOLERATES_NODE_NO_EXECUTE_TAINTS: Final = PredicateSpec(
    "PodToleratesNodeNoExecuteTaints",
    tolerates_taints_with(frozenset({"NoExecute"})),
    order=100,
    reads={Facet.TAINTS},
)

TAINT_TOLERATION: Final = PrioritySpec(
    "TaintTolerationPriority",
    taint_toleration,
    reduce=normalize(reverse=True),
    prepare=prepare_soft_tolerations,
    reads={Facet.TAINTS},
)
