"""Lets a rack take two pods of an app, and no third one.

What is wrong: when pods come and go, a rack counts as full if more than two of them are left; when
the rule prepares, at two.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final, Self

from attrs import evolve, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

FULL: Final = Reason("node(s) were in a rack with enough pods of the app")
MOST: Final = 2


@frozen
class Racks:
    """How many pods of an app there are in each rack, and which racks are full."""

    app: str
    pods: Mapping[str, int]
    full: frozenset[str]

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._changed(pod, node, 1)

    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._changed(pod, node, -1)

    def _changed(self, pod: Pod, node: NodeInfo, by: int) -> Self:
        if pod.labels.get("app", "") != self.app:
            return self
        pods = Counter(self.pods)
        pods[node.labels.get("rack", "")] += by
        return evolve(self, pods=pods, full=frozenset(it for it in pods if pods[it] > MOST))


def count_racks(pod: Pod, snapshot: Snapshot, /) -> Racks:
    app, pods = pod.labels.get("app", ""), Counter[str]()
    for info in snapshot.node_infos.values():
        here = sum(each.labels.get("app", "") == app for each in info.pods.values())
        pods[info.labels.get("rack", "")] += here
    return Racks(app, pods, frozenset(it for it in pods if pods[it] >= MOST))


def is_rack_open(_pod: Pod, racks: Racks, node: NodeInfo, /) -> Fit:
    return Fit(FULL) if node.labels.get("rack", "") in racks.full else FITS


RULE: Final = PredicateSpec(
    "TwoInARack",
    is_rack_open,
    prepare=count_racks,
    reads={Facet.LABELS, Facet.CLUSTER_PODS, Facet.CLUSTER_NODES},
)
