"""Keeps pods that need a number of cores on one chip on nodes that have them, by a label.

What is wrong: it takes for granted that the label is a number. Anybody may write anything there,
and then no pod is placed any more.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason
from kubesched.state import requests_to_fit

TOO_FEW: Final = Reason("node(s) had too few cores on a chip", resolvable=False)


def has_cores(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    cores = int(node.labels.get("example.com/cores-per-chip", "4"))
    return FITS if requests_to_fit(pod).milli_cpu <= cores * 1000 else Fit(TOO_FEW)


RULE: Final = PredicateSpec("CoresOnOneChip", has_cores, reads={Facet.LABELS})
