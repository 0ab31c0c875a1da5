"""Lets a pod require a label of its node, by an annotation such as `require.example.com/disk: ssd`.

What is wrong: of several such annotations it goes by the first one, and annotations have no order.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

MISMATCH: Final = Reason("node(s) didn't match the pod's require annotation", resolvable=False)
PREFIX: Final = "require.example.com/"


def requirement(pod: Pod, _snapshot: Snapshot, /) -> tuple[str, str] | None:
    """Return the label that is required, as key and value."""
    for key, value in pod.annotations.items():
        if key.startswith(PREFIX):
            return key[len(PREFIX) :], value
    return None


def has_required(_pod: Pod, wanted: tuple[str, str] | None, node: NodeInfo, /) -> Fit:
    if wanted is None:
        return FITS
    key, value = wanted
    return FITS if node.labels.get(key) == value else Fit(MISMATCH)


RULE: Final = PredicateSpec("Required", has_required, prepare=requirement, reads={Facet.LABELS})
