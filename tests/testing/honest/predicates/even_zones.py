"""Lets a zone have one pod of an app more than the emptiest one, and follows them pod by pod."""

from typing import Final, Self

from attrs import evolve, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.model import FrozenMap

SKEWED: Final = Reason("node(s) were in a zone with more of the app than others")


@frozen
class Zones:
    """The zones that there are, and how many pods an app has in each that has any."""

    namespace: str
    app: str
    names: frozenset[str]
    counts: FrozenMap[str, int]

    def matches(self, pod: Pod) -> bool:
        return pod.namespace == self.namespace and pod.labels.get("app", "") == self.app

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._moved(pod, node, 1)

    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._moved(pod, node, -1)

    def _moved(self, pod: Pod, node: NodeInfo, by: int) -> Self:
        zone = node.labels.get("zone")
        if zone is None or not self.matches(pod):
            return self
        counts = {**self.counts, zone: self.counts.get(zone, 0) + by}
        return evolve(self, counts=FrozenMap({key: it for key, it in counts.items() if it}))


def count_zones(pod: Pod, snapshot: Snapshot, /) -> Zones:
    infos = snapshot.node_infos.values()
    names = frozenset(info.labels["zone"] for info in infos if "zone" in info.labels)
    zones = Zones(pod.namespace, pod.labels.get("app", ""), names, FrozenMap({}))
    for info in infos:
        for placed in info.pods.values():
            zones = zones.add_pod(placed, info)
    return zones


def is_even(_pod: Pod, zones: Zones, node: NodeInfo, /) -> Fit:
    zone = node.labels.get("zone")
    if zone is None or not zones.app:
        return FITS
    least = min(zones.counts.get(name, 0) for name in zones.names)
    return FITS if zones.counts.get(zone, 0) - least < 1 else Fit(SKEWED)


RULE: Final = PredicateSpec(
    "EvenZones",
    is_even,
    prepare=count_zones,
    reads={Facet.LABELS, Facet.CLUSTER_PODS, Facet.CLUSTER_NODES},
)
