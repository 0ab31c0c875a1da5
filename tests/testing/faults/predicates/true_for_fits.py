"""Keeps pods on nodes with a new kernel, unless an annotation says that any will do.

What is wrong: where the annotation stands it answers True, which is no answer of a predicate.
"""

from collections.abc import Mapping
from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

OLD: Final = Reason("node(s) ran an old kernel", resolvable=False)
TRUE: Final = frozenset({"1", "true", "yes", "on"})
KERNELS: Final = frozenset({"5.4", "5.10"})


def flag(annotations: Mapping[str, str], key: str) -> bool:
    """Tell whether an annotation is there and says yes, in one of the usual ways."""
    value = annotations.get(key)
    return value is not None and value.strip().lower() in TRUE


def has_new_kernel(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    if flag(pod.annotations, "example.com/any-kernel"):
        return True  # type: ignore[return-value] # this is the mistake
    return FITS if node.labels.get("kernel", "") in KERNELS else Fit(OLD)


RULE: Final = PredicateSpec("NewKernel", has_new_kernel, reads={Facet.LABELS})
