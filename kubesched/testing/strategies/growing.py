"""Nodes that grow until a pod has room."""

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from kubesched.model import Node, Pod
from kubesched.quantity import Quantity
from kubesched.state import NodeInfo, requests_to_fit

_NOTHING: Final = Quantity(0)
_MEBI: Final = 2**20


def with_room_for(pod: Pod, info: NodeInfo) -> Node:
    """Return a node with just enough for its pods and another one; what is enough stays.

    >>> from kubesched.builders import node, pod
    >>> grown = with_room_for(pod("p1", cpu=3), NodeInfo.of(node("n1", cpu=1, memory="1Gi")))
    >>> grown.status.allocatable["cpu"], grown.status.allocatable["memory"]
    (Quantity('3'), Quantity('1Gi'))
    """
    node = info.node or Node()
    held, status = node.status.allocatable, node.status
    needed = _needed(pod, info)
    short = {name: it for name, it in needed.items() if it > held.get(name, _NOTHING)}
    return evolve(node, status=evolve(status, allocatable={**held, **short}))


def _needed(pod: Pod, info: NodeInfo) -> Mapping[str, Quantity]:
    total = info.requested.copy()
    total.add(requests_to_fit(pod))
    return {
        "cpu": Quantity(f"{total.milli_cpu}m"),
        "memory": _bytes(total.memory),
        "ephemeral-storage": _bytes(total.ephemeral_storage),
        "pods": Quantity(len(info.pods) + 1),
        **{name: Quantity(amount) for name, amount in total.scalars.items()},
    }


def _bytes(number: int) -> Quantity:
    """Write an amount of memory as people do, if it is a round one."""
    mebibytes, rest = divmod(number, _MEBI)
    return Quantity(number if rest else f"{mebibytes}Mi")
