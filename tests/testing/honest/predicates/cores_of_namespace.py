"""Keeps a namespace within its cores, which an annotation of it tells; counts in whole numbers."""

from typing import Final, Self

from attrs import evolve, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.model import Namespace
from kubesched.state import requests_once_placed, requests_to_fit

SPENT: Final = Reason("node(s) were out of the namespace's budget")


@frozen
class Spent:
    """What a namespace uses and what it may use, in thousandths of a core."""

    namespace: str
    milli_cpu: int
    most: int

    def add_pod(self, pod: Pod, _node: NodeInfo, /) -> Self:
        return self._changed(pod, 1)

    def remove_pod(self, pod: Pod, _node: NodeInfo, /) -> Self:
        return self._changed(pod, -1)

    def _changed(self, pod: Pod, sign: int) -> Self:
        if pod.namespace != self.namespace:
            return self
        return evolve(self, milli_cpu=self.milli_cpu + sign * requests_once_placed(pod).milli_cpu)


def whole(text: str | None, default: int) -> int:
    """Read a whole number; the default stands for a text that is none."""
    try:
        return int(text or "")
    except ValueError:
        return default


def spent(pod: Pod, snapshot: Snapshot, /) -> Spent:
    namespace = snapshot.of(Namespace).get(pod.namespace)
    cores = whole(namespace.annotations.get("example.com/cores") if namespace else None, 4)
    made = Spent(pod.namespace, 0, 1000 * cores)
    for info in snapshot.node_infos.values():
        for placed in info.pods.values():
            made = made.add_pod(placed, info)
    return made


def has_cores_left(pod: Pod, spent: Spent, _node: NodeInfo, /) -> Fit:
    total = spent.milli_cpu + requests_to_fit(pod).milli_cpu
    return FITS if total <= spent.most else Fit(SPENT)


RULE: Final = PredicateSpec(
    "CoresOfNamespace",
    has_cores_left,
    prepare=spent,
    reads={Facet.CLUSTER_PODS, Facet.NAMESPACES},
)
