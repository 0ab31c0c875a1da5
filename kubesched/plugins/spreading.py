"""Pods of one service or controller had better not all be in one place.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/selector_spreading.go.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from kubesched.framework import MAX_SCORE, PrioritySpec
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, Snapshot
from kubesched.state.selecting import count_placed, selector_of, selectors_of, services_of

ZONE_WEIGHT: Final = 2 / 3
"""The share that a node's zone has in its score; the node itself has the rest."""

Counts = Mapping[str, int]
"""How many pods there are on a node, by its name; nodes with none may be left out."""


def prepare_spread(pod: Pod, snapshot: Snapshot, /) -> Counts:
    """Count on each node the pods that share a service or a controller with the pod.

    Pods that are being deleted do not count. O(services and controllers + label groups).
    """
    selectors = selectors_of(pod, snapshot)
    return count_placed(snapshot, pod.namespace, selectors, terminating=False)


def count_on_node(_pod: Pod, counts: Counts, node: NodeInfo, /) -> int:
    """Return how many were counted on the node; O(1)."""
    return counts.get(node.name, 0)


def spread(
    _pod: Pod, _counts: Counts, nodes: Sequence[NodeInfo], counted: Sequence[int], /
) -> Sequence[int]:
    """Score 10 where there are no such pods, and 0 on the fullest node of the fullest zone.

    Only the nodes that are scored make up a zone's pods. A node without a zone is scored for itself
    alone. O(nodes).
    """
    fullest = max(counted, default=0)
    if not fullest:
        return [MAX_SCORE] * len(nodes)
    places = [(node.zone, count) for node, count in zip(nodes, counted, strict=True)]
    in_zone = Counter[str]()
    for (zone, count), times in Counter(places).items():
        in_zone[zone] += count * times
    fullest_zone = max((count for zone, count in in_zone.items() if zone), default=0)

    def score(zone: str, count: int) -> int:
        for_node = _emptiness(count, fullest)
        if not zone:
            return int(for_node)
        for_zone = _emptiness(in_zone[zone], fullest_zone)
        return int(for_node * (1 - ZONE_WEIGHT) + ZONE_WEIGHT * for_zone)

    # Most nodes are in the same place as many others.
    score_of = {place: score(*place) for place in set(places)}
    return [score_of[place] for place in places]


def _emptiness(count: int, fullest: int) -> float:
    """Return 10 where there is nothing, 0 where there is most, and what is between by proportion.

    The order of the steps decides how the result is rounded, and with it some scores.
    """
    return MAX_SCORE * ((fullest - count) / fullest) if fullest else float(MAX_SCORE)


def service_anti_affinity(
    label: str, *, name: str = "ServiceAntiAffinityPriority", weight: int = 1
) -> PrioritySpec[Counts]:
    """Return the priority that spreads the pods of a service over the values of a node label.

    It scores 0..10: the share of the service's pods that are on nodes with other values of the
    label, 0 where the node has no such label, 10 on all others while there are no such pods. Only
    the nodes that are scored count, and no pods that are being deleted.

    Differs: of several services that select the pod, the first by name counts; in the original
    chance decides.

    Args:
        label: the key.
        name: what the priority is called.
        weight: the priority's weight.

    >>> from kubesched.builders import node, pod
    >>> by_rack = service_anti_affinity("rack", name="OverRacks")
    >>> racks = [NodeInfo.of(node("n1", labels={"rack": "1"})), NodeInfo.of(node("n2"))]
    >>> by_rack.reduce(pod("web-1"), {}, racks, [0, 0])
    [10, 0]
    """

    def reduce(
        _pod: Pod, _counts: Counts, nodes: Sequence[NodeInfo], counted: Sequence[int], /
    ) -> Sequence[int]:
        values = [node.labels.get(label) for node in nodes]
        total, at_value = sum(counted), Counter[str | None]()
        for value, count in zip(values, counted, strict=True):
            at_value[value] += count
        score_of = {value: int(_emptiness(count, total)) for value, count in at_value.items()}
        return [0 if value is None else score_of[value] for value in values]

    return PrioritySpec(
        name,
        count_on_node,
        reduce=reduce,
        weight=weight,
        prepare=prepare_first_service,
        reads={Facet.CLUSTER_PODS, Facet.SERVICES},
    )


def prepare_first_service(pod: Pod, snapshot: Snapshot, /) -> Counts:
    """Count on each node the pods of the first service that selects the pod.

    Pods that are being deleted do not count. O(services + label groups).
    """
    selectors = [selector_of(service) for service in services_of(pod, snapshot)[:1]]
    return count_placed(snapshot, pod.namespace, selectors, terminating=False)


SELECTOR_SPREAD: Final = PrioritySpec(
    "SelectorSpreadPriority",
    count_on_node,
    reduce=spread,
    prepare=prepare_spread,
    reads={
        Facet.CLUSTER_PODS,
        Facet.SERVICES,
        Facet.REPLICATION_CONTROLLERS,
        Facet.REPLICA_SETS,
        Facet.STATEFUL_SETS,
    },
)

# The original means to leave controllers out here, but its selectors are prepared once a pod, for
# both priorities and of all kinds.
SERVICE_SPREADING: Final = PrioritySpec(
    "ServiceSpreadingPriority",
    count_on_node,
    reduce=spread,
    prepare=prepare_spread,
    reads=SELECTOR_SPREAD.reads,
)
