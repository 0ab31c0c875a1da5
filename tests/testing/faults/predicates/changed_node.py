"""Keeps a reserve of cpu on every node, a tenth of what it has.

What is wrong: it adds the pod's requests to the node's own totals, instead of to a copy.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason
from kubesched.state import requests_to_fit

NO_RESERVE: Final = Reason("node(s) would have no cpu in reserve")


def leaves_a_reserve(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    total = node.requested
    total.add(requests_to_fit(pod))
    is_enough = total.milli_cpu * 10 <= node.allocatable.milli_cpu * 9
    return FITS if is_enough else Fit(NO_RESERVE)


RULE: Final = PredicateSpec(
    "CpuReserve", leaves_a_reserve, reads={Facet.REQUESTED, Facet.ALLOCATABLE}
)
