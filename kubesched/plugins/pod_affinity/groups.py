"""Asking groups of placed pods, each but once."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from kubesched.state import Snapshot

G = TypeVar("G")
A = TypeVar("A")


def answers_by_node(
    groups: Mapping[G, Mapping[str, int]], ask: Callable[[G], A], snapshot: Snapshot
) -> Iterator[tuple[A, Mapping[str, str], int]]:
    """Go over the nodes of the groups that have an answer; O(groups + nodes of those).

    Args:
        groups: groups of placed pods, as the snapshot has them.
        ask: what to ask a group; an empty answer is none.
        snapshot: where the nodes are.

    Yields:
        The answer, the labels of a node (none, if it does not exist), and how many pods of the
        group are there.
    """
    for group, counts in groups.items():
        answer = ask(group)
        if answer:
            infos = snapshot.node_infos.select(counts)
            for info, count in zip(infos, counts.values(), strict=True):
                yield answer, info.labels, count
