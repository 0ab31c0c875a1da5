"""Keeps pods of one app together: counts for each rack how many are in it.

What is wrong: its meta follows pods that come, but not those that go.
"""

from collections.abc import Mapping
from typing import Final, Self

from attrs import evolve, frozen

from kubesched import Facet, NodeInfo, Pod, PrioritySpec, Snapshot
from kubesched.framework import MAX_SCORE


@frozen
class Racks:
    """How many pods of an app there are in each rack."""

    app: str
    pods: Mapping[str, int]

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        if pod.labels.get("app", "") != self.app:
            return self
        rack = node.labels.get("rack", "")
        return evolve(self, pods={**self.pods, rack: self.pods.get(rack, 0) + 1})

    def remove_pod(self, _pod: Pod, _node: NodeInfo, /) -> Self:
        return self


def count_racks(pod: Pod, snapshot: Snapshot, /) -> Racks:
    racks = Racks(pod.labels.get("app", ""), {})
    for info in snapshot.node_infos.values():
        for placed in info.pods.values():
            racks = racks.add_pod(placed, info)
    return racks


def together(_pod: Pod, racks: Racks, node: NodeInfo, /) -> int:
    return min(MAX_SCORE, racks.pods.get(node.labels.get("rack", ""), 0))


RULE: Final = PrioritySpec(
    "KeepTogether",
    together,
    prepare=count_racks,
    reads={Facet.LABELS, Facet.CLUSTER_NODES, Facet.CLUSTER_PODS},
)
