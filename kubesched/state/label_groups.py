"""Placed pods by what a label selector can see of them.

Pods of one template have the same labels. So a selector need not be tried on every pod, only once
on each group of pods alike, and the group knows where its pods are.
"""

from collections.abc import Mapping

from attrs import define, field, frozen

from kubesched.model import Pod
from kubesched.state.table import Table, TableView


@frozen(cache_hash=True)
class LabelGroup:
    """What pods that are alike to selectors have in common.

    Attributes:
        namespace: their namespace.
        labels: their labels, all of them.
        is_terminating: whether they are being deleted.
    """

    namespace: str
    labels: Mapping[str, str]
    is_terminating: bool = False

    @classmethod
    def of(cls, pod: Pod) -> "LabelGroup":
        """Return the group to which a pod belongs.

        >>> from kubesched.builders import pod
        >>> LabelGroup.of(pod("shop/web-1")) == LabelGroup.of(pod("shop/web-2"))
        True
        """
        return cls(pod.namespace, pod.metadata.labels, pod.is_terminating)


@define(eq=False)
class LabelGroups:
    """How many pods of each group are on each node, kept up to date pod by pod.

    What a view holds is copied before it is changed: O(nodes with pods of the group), once a view.
    """

    _counts: Table[LabelGroup, Mapping[str, int]] = field(
        factory=Table[LabelGroup, Mapping[str, int]]
    )
    _unshared: dict[LabelGroup, dict[str, int]] = field(factory=dict, init=False)

    def add(self, pod: Pod) -> None:
        """Count a pod on the node that it names."""
        counts = self._writable(LabelGroup.of(pod))
        counts[pod.node_name] = counts.get(pod.node_name, 0) + 1

    def remove(self, pod: Pod) -> None:
        """Count a pod no more, which was counted before."""
        group = LabelGroup.of(pod)
        counts = self._writable(group)
        counts[pod.node_name] -= 1
        if not counts[pod.node_name]:
            del counts[pod.node_name]
        if not counts:
            del self._counts[group]
            del self._unshared[group]

    def view(self) -> TableView[LabelGroup, Mapping[str, int]]:
        """Return the numbers as they are now; by group, then by node name."""
        self._unshared.clear()
        return self._counts.view()

    def copy(self) -> "LabelGroups":
        """Return numbers of their own, which share what neither side has changed since."""
        self._unshared.clear()
        return LabelGroups(self._counts.copy())

    def _writable(self, group: LabelGroup) -> dict[str, int]:
        if group not in self._unshared:
            self._counts[group] = self._unshared[group] = dict(self._counts.get(group, {}))
        return self._unshared[group]

    def _check(self) -> None:
        """Assert that only groups and nodes with pods are kept."""
        self._counts._check()  # noqa: SLF001
        for counts in self._counts.values():
            assert counts
            assert all(number > 0 for number in counts.values())
