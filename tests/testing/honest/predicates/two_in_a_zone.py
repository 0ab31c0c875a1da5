"""Lets a zone have two pods of an app, wherever they are, and follows them as they come and go."""

from collections.abc import Mapping
from typing import Final, Self

from attrs import evolve, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot

ENOUGH: Final = Reason("node(s) were in a zone with enough pods of the app")
MOST: Final = 2


@frozen
class Zones:
    """How many pods an app has in each zone; zones without any are left out."""

    app: str
    pods: Mapping[str, int]

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._changed(pod, node, 1)

    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._changed(pod, node, -1)

    def _changed(self, pod: Pod, node: NodeInfo, by: int) -> Self:
        if pod.labels.get("app") != self.app or not self.app:
            return self
        pods = {**self.pods, node.zone: self.pods.get(node.zone, 0) + by}
        return evolve(self, pods={zone: number for zone, number in pods.items() if number})


def count_zones(pod: Pod, snapshot: Snapshot, /) -> Zones:
    zones = Zones(pod.labels.get("app", ""), {})
    for info in snapshot.node_infos.values():
        for placed in info.pods.values():
            zones = zones.add_pod(placed, info)
    return zones


def has_less(_pod: Pod, zones: Zones, node: NodeInfo, /) -> Fit:
    return FITS if zones.pods.get(node.zone, 0) < MOST else Fit(ENOUGH)


RULE: Final = PredicateSpec(
    "TwoInAZone",
    has_less,
    prepare=count_zones,
    reads={Facet.LABELS, Facet.CLUSTER_PODS, Facet.CLUSTER_NODES},
)
