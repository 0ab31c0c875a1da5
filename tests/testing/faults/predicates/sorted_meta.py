"""Keeps a pod in the racks that an annotation lists.

What is wrong: it sorts the list that was prepared, which all nodes share, instead of a copy.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

NOT_LISTED: Final = Reason("node(s) were not in the list of racks", resolvable=False)


def listed_racks(pod: Pod, _snapshot: Snapshot, /) -> list[str]:
    text = pod.annotations.get("example.com/racks", "")
    return [each.strip() for each in text.split(",") if each.strip()]


def is_listed(_pod: Pod, racks: list[str], node: NodeInfo, /) -> Fit:
    if not racks:
        return FITS
    racks.sort()
    return FITS if node.labels.get("rack") in racks else Fit(NOT_LISTED)


RULE: Final = PredicateSpec("InRacks", is_listed, prepare=listed_racks, reads={Facet.LABELS})
