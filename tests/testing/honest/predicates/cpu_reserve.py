"""Keeps a tenth of every node's cpu free, for what is not a pod."""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.state import requests_to_fit

NO_RESERVE: Final = Reason("node(s) would have no cpu in reserve")


def cpu_of(pod: Pod, _snapshot: Snapshot, /) -> int:
    """Return what the pod asks for, in thousandths of a core."""
    return requests_to_fit(pod).milli_cpu


def leaves_a_reserve(_pod: Pod, milli_cpu: int, node: NodeInfo, /) -> Fit:
    used = node.requested.milli_cpu + milli_cpu
    return FITS if used * 10 <= node.allocatable.milli_cpu * 9 else Fit(NO_RESERVE)


RULE: Final = PredicateSpec(
    "CpuReserve",
    leaves_a_reserve,
    prepare=cpu_of,
    reads={Facet.REQUESTED, Facet.ALLOCATABLE},
)
