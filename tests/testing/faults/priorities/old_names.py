"""Prefers nodes whose disks and network are such as a pod wants, by annotations old and new.

What is wrong: of an old and a new name of the same wish, the one that is listed last counts.
"""

from collections.abc import Mapping
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec, Snapshot

NAMES: Final[Mapping[str, str]] = {
    "example.com/disk-type": "disk",
    "disk.example.com/kind": "disk",
    "example.com/network": "network",
}


def wishes(pod: Pod, _snapshot: Snapshot, /) -> Mapping[str, str]:
    return {NAMES[key]: text for key, text in pod.annotations.items() if key in NAMES}


def fulfilled(_pod: Pod, wishes: Mapping[str, str], node: NodeInfo, /) -> int:
    number = sum(node.labels.get(name) == wish for name, wish in wishes.items())
    return 5 + number if number == len(wishes) else number


RULE: Final = PrioritySpec("Wishes", fulfilled, prepare=wishes, reads={Facet.LABELS})
