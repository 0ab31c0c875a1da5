"""What can be seen of nodes and snapshots, as values that stay when these change."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from kubesched.model import Node
from kubesched.state import FACET_OF_KIND, Facet, NodeInfo, Snapshot

SHOWN: Final[Mapping[Facet, Callable[[NodeInfo], object]]] = {
    Facet.NODE: lambda info: info.node,
    Facet.LABELS: lambda info: info.labels,
    Facet.ANNOTATIONS: lambda info: info.annotations,
    Facet.TAINTS: lambda info: info.taints,
    Facet.UNSCHEDULABLE: lambda info: info.unschedulable,
    Facet.CONDITIONS: lambda info: (info.node or Node()).status.conditions,
    Facet.ALLOCATABLE: lambda info: info.allocatable.copy(),
    Facet.IMAGES: lambda info: dict(info.images),
    Facet.PODS: lambda info: (list(info.pods.items()), list(info.pods_with_affinity.items())),
    Facet.REQUESTED: lambda info: (info.requested.copy(), info.nonzero_requested.copy()),
    Facet.PORTS: lambda info: Counter(info.used_ports),
    Facet.DISKS: lambda info: (dict(info.disks), dict(info.claims)),
}
"""What each facet of a node shows."""


def picture_of_node(info: NodeInfo) -> dict[str, object]:
    """Return all that a node shows."""
    shown = {facet.name: show(info) for facet, show in SHOWN.items()}
    return {**shown, "generations": info.generations.copy()}


def picture_of_snapshot(snapshot: Snapshot) -> dict[str, object]:
    """Return all that a snapshot shows."""
    infos = snapshot.node_infos
    return {
        "nodes": {name: picture_of_node(info) for name, info in infos.items()},
        "label_groups": {group: dict(on) for group, on in snapshot.label_groups.items()},
        "affinity_groups": {group: dict(on) for group, on in snapshot.affinity_groups.items()},
        "zones": [zone.names for zone in snapshot.order.zones],
        "pending": list(snapshot.pending.items()),
        "others": {kind.__name__: list(snapshot.of(kind).items()) for kind in FACET_OF_KIND},
        "generations": snapshot.generations,
    }
