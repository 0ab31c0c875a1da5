"""Keeps away from nodes that have not reported for ten minutes.

What is wrong: it looks at the clock. Nothing happens to a node when the ten minutes are over, so
the answer of before is still used.
"""

import time
from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

SILENT: Final = Reason("node(s) had been silent for ten minutes", resolvable=False)
PATIENCE: Final = 10 * 60


def last_report(info: NodeInfo) -> float | None:
    conditions = info.node.status.conditions if info.node else ()
    times = [it.last_heartbeat_time for it in conditions if it.type == "Ready"]
    return max((it.timestamp() for it in times if it), default=None)


def reports(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    reported = last_report(node)
    is_silent = reported is not None and time.time() - reported > PATIENCE
    return Fit(SILENT) if is_silent else FITS


RULE: Final = PredicateSpec("Reports", reports, reads={Facet.NODE})
