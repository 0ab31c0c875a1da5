"""Keeps pods off nodes of whose memory, counted in GB, any is in use.

What is wrong: it adds and subtracts floats. 0.1 + 0.2 - 0.1 - 0.2 is not 0 but a little more, so a
node that the others have left still counts as used.
"""

from collections.abc import Mapping
from typing import Final, Self

from attrs import frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.state import requests_once_placed

USED: Final = Reason("node(s) had memory in use")


@frozen
class Memory:
    """How much memory is in use on each node, in GB."""

    used: Mapping[str, float]

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._changed(node, requests_once_placed(pod).memory)

    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self:
        return self._changed(node, -requests_once_placed(pod).memory)

    def _changed(self, node: NodeInfo, by: int) -> Self:
        return type(self)({**self.used, node.name: self.used.get(node.name, 0.0) + by / 10**9})


def memory_in_use(_pod: Pod, snapshot: Snapshot, /) -> Memory:
    memory = Memory({})
    for info in snapshot.node_infos.values():
        for placed in info.pods.values():
            memory = memory.add_pod(placed, info)
    return memory


def is_unused(_pod: Pod, memory: Memory, node: NodeInfo, /) -> Fit:
    return Fit(USED) if memory.used.get(node.name, 0.0) > 0 else FITS


RULE: Final = PredicateSpec(
    "UnusedMemory", is_unused, prepare=memory_in_use, reads={Facet.CLUSTER_PODS}
)
