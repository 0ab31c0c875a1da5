"""Placed pods, those together that are alike in something.

Pods of one template are alike in nearly everything. So what depends on nothing else need not be
asked of every pod, only once of each group of pods alike, and the group knows where its pods are.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeAlias, TypeVar

from attrs import define, field

from kubesched.model import Pod
from kubesched.state.table import Table, TableView

G = TypeVar("G", bound=Hashable)

GroupOf: TypeAlias = Callable[[Pod], G | None]
"""What a pod has in common with others; None if it belongs to no group."""


@define(eq=False)
class PodGroups(Generic[G]):
    """How many pods of each group are on each node, kept up to date pod by pod.

    What a view holds is copied before it is changed: O(nodes with pods of the group), once a view.
    """

    _group_of: GroupOf[G]
    _counts: Table[G, Mapping[str, int]] = field(factory=Table[G, Mapping[str, int]])
    _unshared: dict[G, dict[str, int]] = field(factory=dict, init=False)

    def add(self, pod: Pod) -> None:
        """Count a pod on the node that it names."""
        group = self._group_of(pod)
        if group is not None:
            counts, name = self._writable(group), pod.node_name
            counts[name] = counts.get(name, 0) + 1

    def remove(self, pod: Pod) -> None:
        """Count a pod no more, which was counted before."""
        group = self._group_of(pod)
        if group is None:
            return
        counts, name = self._writable(group), pod.node_name
        counts[name] -= 1
        if not counts[name]:
            del counts[name]
        if not counts:
            del self._counts[group]
            del self._unshared[group]

    def view(self) -> TableView[G, Mapping[str, int]]:
        """Return the numbers as they are now; by group, then by node name."""
        self._unshared.clear()
        return self._counts.view()

    def copy(self) -> "PodGroups[G]":
        """Return numbers of their own, which share what neither side has changed since."""
        self._unshared.clear()
        return PodGroups(self._group_of, self._counts.copy())

    def _writable(self, group: G) -> dict[str, int]:
        counts = self._unshared.get(group)
        if counts is None:
            self._counts[group] = self._unshared[group] = counts = dict(self._counts.get(group, {}))
        return counts

    def _check(self, placed: Iterable[Pod]) -> None:
        """Assert that the numbers are what counting these pods afresh gives; O(pods)."""
        self._counts._check()  # noqa: SLF001
        fresh = PodGroups(self._group_of)
        for pod in placed:
            fresh.add(pod)
        counted = self._counts.view()
        assert dict(counted) == dict(fresh.view())
        assert all(counts and all(counts.values()) for counts in counted.values())


def regrouped(
    groups: Mapping[G, Mapping[str, int]],
    group_of: GroupOf[G],
    node_name: str,
    gone: Iterable[Pod],
    come: Iterable[Pod],
) -> Mapping[G, Mapping[str, int]]:
    """Return the numbers with some pods less and some more on a node; O(groups + pods)."""
    changes = Counter(map(group_of, come))
    changes.subtract(map(group_of, gone))
    moved = {group: by for group, by in changes.items() if group is not None and by}
    if not moved:
        return groups
    changed = dict(groups)
    for group, by in moved.items():
        counts = Counter(changed.get(group, {}))
        counts[node_name] += by
        changed[group] = +counts
    return {group: counts for group, counts in changed.items() if counts}
