"""Keeps gold pods off metered nodes on which little is left of the budget.

What is wrong: it reads an annotation and does not declare it. It shows only for a gold pod, on a
metered node, with a budget that is an amount in euros and below fifty.
"""

import re
from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

OVER: Final = Reason("node(s) were over the budget", resolvable=False)
BUDGET: Final = re.compile(r"(\d+)(eur|usd)")
LEAST: Final = 50


def is_in_budget(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    if pod.labels.get("tier") != "gold" or node.labels.get("billing") != "metered":
        return FITS
    match = BUDGET.fullmatch(node.annotations.get("example.com/budget", ""))
    if match and int(match.group(1)) < LEAST and match.group(2) == "eur":
        return Fit(OVER)
    return FITS


RULE: Final = PredicateSpec("Budget", is_in_budget, reads={Facet.LABELS})
