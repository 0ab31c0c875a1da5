"""Pods on nodes: where they fit, most of the time."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final, TypeAlias

from attrs import evolve, frozen

from kubesched.model import Node, Pod
from kubesched.plugins.resources import POD_FITS_RESOURCES
from kubesched.state import NodeInfo, host_ports, requests_to_fit
from kubesched.testing.strategies.growing import with_room_for
from kubesched.testing.strategies.metadata import TIMES


class State(Enum):
    """How a pod is in a cluster."""

    FITTING = "on a node that has room, if there is one"
    CRAMMED = "on a node, whether it has room or not"
    GOING = "on a node that has room, and being deleted"
    ENDED = "on a node and done"
    WAITING = "without a node"
    NOMINATED = "promised a node"


PLACED: Final = (*[State.FITTING] * 12, State.CRAMMED, State.GOING, State.ENDED)
"""How placed pods are, the more often the more entries."""

PENDING: Final = (*[State.WAITING] * 5, State.NOMINATED)
"""How pending pods are."""


@frozen
class Arrival:
    """A pod that comes to a cluster.

    Attributes:
        key: what it would like to be called.
        pod: what it is like.
        is_twin: whether it is like the pod before it instead, if there is one.
        where: which of the nodes it would like to be on, counted round and round.
        state: how it is there.
    """

    key: str
    pod: Pod
    is_twin: bool
    where: int
    state: State


MakeRoom: TypeAlias = Callable[[Pod, NodeInfo], Node]
"""Returns what becomes of a node to which a pod comes for which it has no room."""


def as_it_is(_pod: Pod, info: NodeInfo) -> Node:
    """Make no room: leave the node as somebody wanted it."""
    return info.node or Node()


def settled(
    nodes: Iterable[Node],
    arrivals: Iterable[Arrival],
    keys: Sequence[str],
    make_room: MakeRoom = with_room_for,
) -> tuple[list[Node], list[Pod]]:
    """Give every pod a name of its own and, unless it waits, a node.

    A pod that is to fit goes to a node with room for it. If there is none, a node grows until it
    has just enough: rules err where a node is exactly full.

    Args:
        nodes: the nodes.
        arrivals: the pods; without nodes, all of them wait.
        keys: what pods may be called; there are at least as many as pods.
        make_room: how a node grows.
    """
    infos, pods = [NodeInfo.of(node) for node in nodes], dict[str, Pod]()
    last: Pod | None = None
    for each in arrivals:
        last = each.pod if last is None or not each.is_twin else last
        pod = _renamed(last, _free(each.key, keys, pods))
        pods[pod.key] = _put(pod, each, infos, make_room) if infos else pod
    return [info.node for info in infos if info.node is not None], [*pods.values()]


def _renamed(pod: Pod, key: str) -> Pod:
    namespace, _, name = key.partition("/")
    return evolve(pod, metadata=evolve(pod.metadata, namespace=namespace, name=name))


def _free(key: str, keys: Sequence[str], taken: Iterable[str]) -> str:
    """Return the key, or else the next one in the row that is not taken."""
    start = keys.index(key)
    return next(each for each in (*keys[start:], *keys[:start]) if each not in taken)


def _put(pod: Pod, arrival: Arrival, infos: Sequence[NodeInfo], make_room: MakeRoom) -> Pod:
    start = arrival.where % len(infos)
    row = (*infos[start:], *infos[:start])
    match arrival.state:
        case State.WAITING:
            return pod
        case State.NOMINATED:
            return evolve(pod, status=evolve(pod.status, nominated_node_name=row[0].name))
        case State.ENDED:
            return evolve(pod, status=evolve(pod.status, phase="Succeeded")).bound_to(row[0].name)
        case State.GOING:
            going = evolve(pod.metadata, deletion_timestamp=TIMES[0])
            return _bound(evolve(pod, metadata=going), _roomy(pod, row, make_room))
        case State.CRAMMED:
            return _bound(pod, row[0])
        case State.FITTING:
            return _bound(pod, _roomy(pod, row, make_room))


def _bound(pod: Pod, info: NodeInfo) -> Pod:
    bound = pod.bound_to(info.name)
    info.add_pod(bound)
    return bound


def _roomy(pod: Pod, infos: Sequence[NodeInfo], make_room: MakeRoom) -> NodeInfo:
    """Return the first node that has room for a pod, or make room on the first."""
    for info in infos:
        if _fits(pod, info):
            return info
    first = infos[0]
    first.set_node(make_room(pod, first), first.images)
    return first


def _fits(pod: Pod, info: NodeInfo) -> bool:
    ports = host_ports(pod)
    has_room = POD_FITS_RESOURCES.check(pod, requests_to_fit(pod), info)
    return bool(has_room) and not any(map(info.used_ports.conflicts_with, ports))
