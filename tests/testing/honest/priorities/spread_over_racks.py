"""Spreads the pods of an app over racks; its meta follows pods that come and go."""

from collections.abc import Mapping
from typing import Final, Self

from attrs import evolve, frozen

from kubesched import SKIP, Facet, NodeInfo, Pod, PrioritySpec, Snapshot, normalize
from kubesched.framework import Skip


@frozen
class Racks:
    """How many pods of an app there are in each rack that has any."""

    app: str
    pods: Mapping[str, int]

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._changed(pod, node, 1)

    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._changed(pod, node, -1)

    def _changed(self, pod: Pod, node: NodeInfo, by: int) -> Self:
        rack = node.labels.get("rack")
        if rack is None or pod.labels.get("app") != self.app:
            return self
        counts = {**self.pods, rack: self.pods.get(rack, 0) + by}
        return evolve(self, pods={name: count for name, count in counts.items() if count})


def count_racks(pod: Pod, snapshot: Snapshot, /) -> Racks | Skip:
    if "app" not in pod.labels:
        return SKIP
    racks = Racks(pod.labels["app"], {})
    for info in snapshot.node_infos.values():
        for placed in info.pods.values():
            racks = racks.add_pod(placed, info)
    return racks


def in_rack(_pod: Pod, racks: Racks, node: NodeInfo, /) -> int:
    return racks.pods.get(node.labels.get("rack", ""), 0)


RULE: Final = PrioritySpec(
    "SpreadOverRacks",
    in_rack,
    reduce=normalize(reverse=True),
    prepare=count_racks,
    reads={Facet.LABELS, Facet.CLUSTER_NODES, Facet.CLUSTER_PODS},
)
