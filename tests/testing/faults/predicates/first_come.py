"""Lets a rack take pods of one namespace only.

What is wrong: it remembers in a default argument which namespace asked first about a rack, and a
rack that was only asked about belongs to it for ever.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

MIXED: Final = Reason("node(s) were in a rack of another namespace", resolvable=False)


def is_of_namespace(
    pod: Pod,
    _meta: None,
    node: NodeInfo,
    seen: dict[str, str] = {},  # noqa: B006 - this is the mistake
    /,
) -> Fit:
    rack = node.labels.get("rack")
    if rack is None:
        return FITS
    return FITS if seen.setdefault(rack, pod.namespace) == pod.namespace else Fit(MIXED)


RULE: Final = PredicateSpec("RackOfNamespace", is_of_namespace, reads={Facet.LABELS})
