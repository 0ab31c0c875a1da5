"""The score: 10 where a pod is nearest to its peers, 0 where it is farthest."""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Final

from attrs import frozen

from kubesched.errors import OptionError, SpecError
from kubesched.framework import MAX_SCORE, PrioritySpec
from kubesched.model import Pod
from kubesched.plugins.network_latency.latencies import Latency, MakeTable, table_maker
from kubesched.plugins.network_latency.numbers import Number, exact
from kubesched.plugins.network_latency.peers import PeersOf
from kubesched.plugins.network_latency.shares import (
    peers_that_count,
    places_of_nodes,
    shares_of_places,
)
from kubesched.state import Facet, NodeInfo, Snapshot

_UNKNOWN: Final = -1
"""Stands for the latency of a node that is in no known place."""


@frozen
class Nearness:
    """What each place comes to for one pod.

    Attributes:
        by_place: a score by place, or a latency that is to be compared with others.
        elsewhere: the same for nodes that are in no known place.
    """

    by_place: Mapping[str, int]
    elsewhere: int


_NOBODY: Final = Nearness({}, MAX_SCORE)
"""It is nowhere far to nobody."""


def network_latency(
    latency: Latency,
    *,
    topology_key: str,
    peers: PeersOf,
    max_latency: Number | None = None,
    name: str = "NetworkLatencyPriority",
    weight: int = 1,
) -> PrioritySpec[Nearness]:
    """Return the priority that prefers nodes near to the pods that a pod talks to.

    A node's place is the value of its label `topology_key`: a zone, a rack, the host itself. The
    latency of a place is the weighted mean over the pod's peers::

        latency(place) = Σ weight(peer) · mean(peer, place) / Σ weight(peer)

    There `mean(peer, place)` is the mean of the latencies from there to the places of the peer's
    pods. Peers without pods, pods that are being deleted, and pods in no place do not count.

    Without `max_latency` the nodes that fit are compared with each other, `lowest` and `highest`
    being the latencies of the nearest and the farthest of them. The score, cut off, is this,
    or 10 if both are the same::

        10 · (highest - latency(place)) / (highest - lowest)

    With `max_latency` each node is scored for itself, and 0 from that
    latency on::

        10 · (max_latency - latency(place)) / max_latency

    A node without the label, or with an empty one, scores 0. A pod with nobody to talk to scores 10
    everywhere. Everything is computed in whole numbers, so nothing is rounded but the score.

    Complexity: O(1) a node. Preparing costs, for a pod that has peers, O(nodes + groups of pods
    with the same labels · peers + places · places of peers).

    Args:
        latency: `latency[from_place][to_place]`, or a callable `(from_place, to_place) -> number`.
            A matrix has a row for each place and in each row every place, and need not be
            symmetric. A callable is asked once for each pair that is needed.
        topology_key: the label of nodes whose value is their place.
        peers: tells whom a pod talks to; see `peers_by_label` and `peers_in_annotation`.
        max_latency: the latency that scores 0, above 0.
        name: what the priority is called.
        weight: its weight.

    Raises:
        OptionError: a matrix, latency or `max_latency` that is not as said above. While scheduling,
            it ends the attempt if a node is in a place that the matrix does not have, or a callable
            returns something else than a number of 0 or more.
        SpecError: `peers` is no callable; while scheduling, it returns something else than Peers.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.engine import GenericScheduler
    >>> from kubesched.framework import RuleSet
    >>> from kubesched.plugins.network_latency import Peer
    >>> from kubesched.state import Cluster
    >>> near_the_db = network_latency(
    ...     {"x": {"x": 0.1, "y": 1, "z": 9}, "y": {"x": 1, "y": 0.1, "z": 5},
    ...      "z": {"x": 9, "y": 5, "z": 0.1}},
    ...     topology_key="topology.kubernetes.io/zone",
    ...     peers=lambda pod: [Peer({"app": "db"})],
    ... )
    >>> nodes = [node(f"in-{zone}", zone=zone) for zone in "xyz"]
    >>> db = pod("db-1", labels={"app": "db"}, node_name="in-x")
    >>> scheduler = GenericScheduler(Cluster.of([*nodes, db]), RuleSet(priorities=[near_the_db]))
    >>> scheduler.schedule(pod("web-1")).totals
    {'in-x': 10, 'in-y': 8, 'in-z': 0}
    """
    _check_options(topology_key, peers, name)
    make_table = table_maker(latency, name)
    finish = _to_compare if max_latency is None else _scored_up_to(_limit(max_latency, name))

    def prepare(pod: Pod, snapshot: Snapshot, /) -> Nearness:
        wanted = peers_that_count(peers(pod), pod, name)
        places = places_of_nodes(snapshot, topology_key) if wanted else {}
        shares = shares_of_places(wanted, pod.namespace, snapshot, places)
        return finish(_latencies(make_table, set(places.values()), shares)) if shares else _NOBODY

    def score(_pod: Pod, nearness: Nearness, node: NodeInfo, /) -> int:
        place = node.labels.get(topology_key, "")
        return nearness.by_place.get(place, nearness.elsewhere)

    return PrioritySpec(
        name,
        score,
        reduce=compared if max_latency is None else None,
        weight=weight,
        prepare=prepare,
        reads={Facet.LABELS, Facet.CLUSTER_NODES, Facet.CLUSTER_PODS},
    )


def _check_options(topology_key: object, peers: object, owner: str) -> None:
    if not isinstance(topology_key, str) or not topology_key:
        raise OptionError(f"topology_key of {owner!r} is {topology_key!r}, expected a label's key")
    if not callable(peers):
        raise SpecError(f"peers of {owner!r} is {peers!r}, expected peers(pod) -> Peers")


def _limit(max_latency: Number, owner: str) -> Fraction:
    limit = exact(max_latency, f"max_latency of {owner!r}")
    if not limit:
        raise OptionError(f"max_latency of {owner!r} is {max_latency!r}, expected more than 0")
    return limit


@frozen
class Latencies:
    """The mean latency of each place, in a unit that is `1 / units` of the one it was given in."""

    by_place: Mapping[str, int]
    units: int


def _latencies(
    make_table: MakeTable, from_places: Collection[str], shares: Mapping[str, Fraction]
) -> Latencies:
    table = make_table(from_places, shares.keys())
    parts = lcm(*(share.denominator for share in shares.values()))
    whole_shares = [int(share * parts) for share in shares.values()]

    def mean(row: Mapping[str, int]) -> int:
        return sum(map(mul, whole_shares, map(row.__getitem__, shares)))

    by_place = {place: mean(table.rows[place]) for place in from_places}
    return Latencies(by_place, table.units * parts)


def _to_compare(latencies: Latencies) -> Nearness:
    return Nearness(latencies.by_place, _UNKNOWN)


def compared(
    _pod: Pod, nearness: Nearness, _nodes: Sequence[NodeInfo], latencies: Sequence[int], /
) -> Sequence[int]:
    """Turn latencies of nodes into scores: 10 for the lowest one, 0 for the highest."""
    if not nearness.by_place:
        return latencies
    known = [each for each in latencies if each != _UNKNOWN]
    lowest, highest = min(known, default=0), max(known, default=0)
    spread = highest - lowest

    def score(latency: int) -> int:
        if latency == _UNKNOWN:
            return 0
        return MAX_SCORE * (highest - latency) // spread if spread else MAX_SCORE

    return [score(latency) for latency in latencies]


def _scored_up_to(limit: Fraction) -> Callable[[Latencies], Nearness]:
    def finish(latencies: Latencies) -> Nearness:
        """Score `10 · (limit - latency / units) / limit`, cut off, in whole numbers."""
        highest = limit.numerator * latencies.units

        def score(latency: int) -> int:
            left = highest - latency * limit.denominator
            return MAX_SCORE * left // highest if left > 0 else 0

        return Nearness({place: score(each) for place, each in latencies.by_place.items()}, 0)

    return finish
