"""Lets one pod in ten onto the nodes of a canary pool.

What is wrong: it throws dice. The same question gets another answer each time, and no decision can
be played again.
"""

import random
from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

NOT_CHOSEN: Final = Reason("node(s) took only a few pods of each kind", resolvable=False)
SHARE: Final = 0.1


def is_chosen(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    if node.labels.get("pool") != "canary":
        return FITS
    return FITS if random.random() < SHARE else Fit(NOT_CHOSEN)  # noqa: S311


RULE: Final = PredicateSpec("Canary", is_chosen, reads={Facet.LABELS})
