"""Keeps pods off racks under maintenance, and says truly what it looks at."""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

CLOSED: Final = Reason("node(s) were in a rack under maintenance", resolvable=False)
RACKS: Final = frozenset({"r7", "r9"})
_REFUSAL: Final = Fit(CLOSED)


def rack_is_open(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    return _REFUSAL if node.labels.get("rack") in RACKS else FITS


RULE: Final = PredicateSpec("OpenRacks", rack_is_open, reads={Facet.LABELS})
