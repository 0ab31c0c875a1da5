"""From which nodes a volume can be reached.

Source: kubernetes v1.13.0, pkg/volume/util/util.go, CheckNodeAffinity.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import merge

from attrs import field, frozen

from kubesched.model import (
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PersistentVolume,
)
from kubesched.selectors import NodeSelection, node_selection


@frozen
class Reach:
    """A volume and the nodes from which it can be reached."""

    volume: PersistentVolume

    @property
    def terms(self) -> Sequence[NodeSelectorTerm] | None:
        """The terms of which a node must meet one; None if every node will do."""
        affinity = self.volume.spec.node_affinity
        required = None if affinity is None else affinity.required
        return None if required is None else required.node_selector_terms

    @cached_property
    def _selection(self) -> NodeSelection:
        """The terms made ready, which takes long enough to wait until somebody asks."""
        return node_selection(NodeSelector(node_selector_terms=self.terms or ()))

    def covers(self, labels: Mapping[str, str]) -> bool:
        """Tell whether the volume can be reached from a node with these labels.

        Terms about a node's fields see empty ones, as in the original.
        """
        return self.terms is None or self._selection.matches(labels, "")


@frozen
class Shelf:
    """Volumes in the order in which they are taken, found by the labels of the node.

    Most volumes can be reached from the nodes with one of a few values of some label: those of a
    zone, or a single node. They are kept under these values, so that a question about a node does
    not go over the volumes of all others.
    """

    reaches: tuple[Reach, ...]
    _pinned: Mapping[str, Mapping[str, Sequence[int]]] = field(eq=False, repr=False)
    _others: Sequence[int] = field(eq=False, repr=False)

    @classmethod
    def of(cls, volumes: Iterable[PersistentVolume]) -> "Shelf":
        """Put volumes on a shelf, in their order; O(volumes)."""
        reaches = tuple(map(Reach, volumes))
        pinned: dict[str, dict[str, list[int]]] = {}
        others: list[int] = []
        for place, reach in enumerate(reaches):
            pin = _pin(reach.terms)
            if pin is None:
                others.append(place)
            else:
                for value in dict.fromkeys(pin.values):
                    pinned.setdefault(pin.key, {}).setdefault(value, []).append(place)
        return cls(reaches, pinned, others)

    def within(self, labels: Mapping[str, str]) -> Iterator[PersistentVolume]:
        """Go over the volumes that can be reached from a node with these labels, in order."""
        for place in merge(*self._places(labels)):
            reach = self.reaches[place]
            if reach.covers(labels):
                yield reach.volume

    def _places(self, labels: Mapping[str, str]) -> Iterator[Sequence[int]]:
        yield self._others
        for key, by_value in self._pinned.items():
            yield by_value.get(labels.get(key, ""), ()) if key in labels else ()


def _pin(terms: Sequence[NodeSelectorTerm] | None) -> NodeSelectorRequirement | None:
    """Return a label that the nodes must have with one of some values, if that is easy to tell."""
    if terms is None or len(terms) != 1:
        return None
    return next((each for each in terms[0].match_expressions if each.operator == "In"), None)
