"""Which part of a pod's talk is with which place."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from kubesched.errors import SpecError
from kubesched.model import Pod
from kubesched.plugins.network_latency.peers import Peer
from kubesched.state import Snapshot


def peers_that_count(given: Iterable[object], pod: Pod, owner: str) -> Sequence[Peer]:
    """Return the peers that weigh anything."""
    if not isinstance(given, Iterable):
        raise SpecError(f"peers of {owner!r} returned {given!r} for {pod}, expected Peers")
    wanted = []
    for peer in given:
        if not isinstance(peer, Peer):
            raise SpecError(f"peers of {owner!r} returned {peer!r} for {pod}, expected a Peer")
        if peer.weight:
            wanted.append(peer)
    return wanted


def places_of_nodes(snapshot: Snapshot, topology_key: str) -> Mapping[str, str]:
    """Return the place of each node that is in one."""
    return {
        info.name: info.labels[topology_key]
        for info in snapshot.node_infos.entries()
        if info.labels.get(topology_key)
    }


def shares_of_places(
    peers: Sequence[Peer], own_namespace: str, snapshot: Snapshot, places: Mapping[str, str]
) -> Mapping[str, Fraction]:
    """Return which part of the talk is with each place; nothing if there is nobody anywhere."""
    counts = [_pods_of(peer, own_namespace, snapshot, places) for peer in peers]
    found = [(peer.weight, each) for peer, each in zip(peers, counts, strict=True) if each]
    total = sum(weight for weight, _ in found)
    shares: dict[str, Fraction] = {}
    for weight, pods in found:
        of_one = weight / (total * pods.total())
        for place, number in pods.items():
            shares[place] = shares.get(place, Fraction()) + number * of_one
    return shares


def _pods_of(
    peer: Peer, own_namespace: str, snapshot: Snapshot, places: Mapping[str, str]
) -> Counter[str]:
    """Count a peer's pods by place."""
    namespace = own_namespace if peer.namespace is None else peer.namespace
    pods = Counter[str]()
    for group, counts in snapshot.label_groups.items():
        if group.namespace != namespace or group.is_terminating or not peer.matches(group.labels):
            continue
        for node, number in counts.items():
            if node in places:
                pods[places[node]] += number
    return pods
