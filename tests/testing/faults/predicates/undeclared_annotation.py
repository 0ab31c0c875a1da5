"""Keeps pods off nodes that are under maintenance, by their rack or by an annotation.

What is wrong: it declares that it reads labels, and looks at an annotation as well. A node that is
annotated later goes on taking pods of a class that was asked about before.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

CLOSED: Final = Reason("node(s) were under maintenance", resolvable=False)


def is_not_under_maintenance(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    if node.labels.get("rack") == "r7":
        return Fit(CLOSED)
    if node.annotations.get("example.com/maintenance") == "true":
        return Fit(CLOSED)
    return FITS


RULE: Final = PredicateSpec("NoMaintenance", is_not_under_maintenance, reads={Facet.LABELS})
