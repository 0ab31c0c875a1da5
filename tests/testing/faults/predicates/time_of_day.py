"""Keeps pods off nodes while they are patched, on Sundays between two and four in the morning.

What is wrong: it asks the clock. What was answered before two is remembered after it.
"""

from datetime import UTC, datetime
from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

PATCHED: Final = Reason("node(s) were being patched", resolvable=False)
SUNDAY: Final = 6
HOURS: Final = range(2, 4)


def is_not_patched(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    now = datetime.now(UTC)
    is_time = now.weekday() == SUNDAY and now.hour in HOURS
    is_patched = node.labels.get("patch-group") == "weekly"
    return Fit(PATCHED) if is_time and is_patched else FITS


RULE: Final = PredicateSpec("NotPatched", is_not_patched, reads={Facet.LABELS})
