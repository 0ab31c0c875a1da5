"""Several predicates as one."""

from typing import Any

from kubesched.framework.contract import FITS, SKIP, Fit, Reason, Skip
from kubesched.framework.specs import PredicateSpec, meta_of, reasons_of
from kubesched.model import Pod
from kubesched.state import NodeInfo, Snapshot


def all_of(name: str, *parts: PredicateSpec[Any], order: int) -> PredicateSpec[Any]:
    """Return a predicate that asks all others and gives the reasons of all that refuse.

    It reads what they read, and never stops at the first refusal.

    >>> from kubesched.framework import FITS
    >>> warm = PredicateSpec("Warm", lambda pod, meta, node: Fit(Reason("cold")))
    >>> light = PredicateSpec("Light", lambda pod, meta, node: FITS)
    >>> all_of("Cosy", warm, light, order=5).name
    'Cosy'
    """

    def prepare(
        pod: Pod, snapshot: Snapshot, /
    ) -> tuple[tuple[PredicateSpec[Any], Any], ...] | Skip:
        metas = ((part, meta_of(part, pod, snapshot)) for part in parts)
        return tuple((part, meta) for part, meta in metas if meta is not SKIP) or SKIP

    def check(
        pod: Pod, asked: tuple[tuple[PredicateSpec[Any], Any], ...], node: NodeInfo, /
    ) -> Fit:
        reasons: tuple[Reason, ...] = ()
        for part, meta in asked:
            fit = part.check(pod, meta, node)
            if fit is not FITS:
                reasons += reasons_of(part, fit)
        return Fit(*reasons) if reasons else FITS

    return PredicateSpec(
        name,
        check,
        prepare=prepare,
        order=order,
        reads=frozenset().union(*(part.reads for part in parts)),
        blocks=any(part.blocks for part in parts),
    )
