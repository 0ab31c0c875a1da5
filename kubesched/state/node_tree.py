"""The order in which nodes are looked at: one from each zone in turn.

The original keeps its position inside the tree, so that all who ask share it. Here the `NodeTree`
only knows which nodes there are, its `NodeOrder` is how it stands at one moment, and whoever walks
over that keeps a `NodeCursor`: two schedulers over one cluster do not move each other along.

Source: kubernetes v1.12.2, pkg/scheduler/cache/node_tree.go; pkg/util/node/node.go, GetZoneKey.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from attrs import define, field, frozen

from kubesched.errors import ClusterError

REGION_LABEL: Final = "failure-domain.beta.kubernetes.io/region"
ZONE_LABEL: Final = "failure-domain.beta.kubernetes.io/zone"


def zone_key(labels: Mapping[str, str]) -> str:
    r"""Return the zone of a node, region and zone together; empty where it has neither.

    >>> zone_key({ZONE_LABEL: "a"}) == ":\0:a"
    True
    """
    region, zone = labels.get(REGION_LABEL, ""), labels.get(ZONE_LABEL, "")
    return f"{region}:\x00:{zone}" if region or zone else ""


@frozen
class Zone:
    """The names of a zone's nodes in order of arrival.

    `birth` tells a zone from one of the same key that was there before it.
    """

    birth: int
    names: tuple[str, ...]


@frozen
class NodeOrder:
    """The nodes zone by zone, as they were at one moment."""

    zones: tuple[Zone, ...] = ()

    @cached_property
    def size(self) -> int:
        """How many names there are, a name counting once in each zone that it is in."""
        return sum(len(zone.names) for zone in self.zones)

    @cached_property
    def round(self) -> tuple[str, ...]:
        """All names in the order of one round from the beginning; O(nodes) once."""
        return tuple(NodeCursor().walk(self, self.size))

    @cached_property
    def end(self) -> tuple[Mapping[int, int], int]:
        """The places of a cursor at the end of a round: in each zone, and among the zones."""
        cursor = NodeCursor()
        cursor.walk(self, self.size)
        return cursor.places, cursor.zone_index


@define(eq=False)
class NodeTree:
    """Which nodes there are, zone by zone.

    >>> tree = NodeTree()
    >>> tree.add("a1", {ZONE_LABEL: "a"})
    >>> tree.add("a2", {ZONE_LABEL: "a"})
    >>> tree.add("b1", {ZONE_LABEL: "b"})
    >>> NodeCursor().take(tree.order(), 3)
    ['a1', 'b1', 'a2']
    """

    _zones: dict[str, tuple[int, dict[str, None]]] = field(factory=dict)
    _frozen: dict[str, Zone] = field(factory=dict)
    _births: int = 0
    _order: NodeOrder | None = None

    def __len__(self) -> int:
        """Count the names, one counting once in each zone that it is in."""
        return sum(len(names) for _, names in self._zones.values())

    def add(self, name: str, labels: Mapping[str, str]) -> None:
        """Put a node at the end of its zone; one that is there already stays; O(1)."""
        key = zone_key(labels)
        if key not in self._zones:
            self._zones[key] = (self._births, {})
            self._births += 1
        self._zones[key][1].setdefault(name)
        self._changed(key)

    def remove(self, name: str, labels: Mapping[str, str]) -> None:
        """Take a node out; its zone goes with its last node; O(1).

        Raises:
            ClusterError: it is not there.
        """
        key = zone_key(labels)
        if not self._holds(name, key):
            raise ClusterError(name, f"node {name} in group {key} was not found")
        _, names = self._zones[key]
        del names[name]
        self._changed(key)
        if not names:
            del self._zones[key]

    def update(self, name: str, old: Mapping[str, str], new: Mapping[str, str]) -> None:
        """Move a node whose labels changed, if its zone did; O(1)."""
        if zone_key(old) == zone_key(new):
            return
        if self._holds(name, zone_key(old)):
            self.remove(name, old)
        self.add(name, new)

    def order(self) -> NodeOrder:
        """Return how it stands now: the same as before while no node comes or goes.

        O(zones + nodes of the zones that changed).
        """
        if self._order is None:
            for key, (birth, names) in self._zones.items():
                if key not in self._frozen:
                    self._frozen[key] = Zone(birth, tuple(names))
            self._order = NodeOrder(tuple(self._frozen[key] for key in self._zones))
        return self._order

    def copy(self) -> "NodeTree":
        """Return a tree of its own."""
        zones = {key: (birth, names.copy()) for key, (birth, names) in self._zones.items()}
        return NodeTree(zones, self._frozen.copy(), self._births, self._order)

    def _changed(self, key: str) -> None:
        self._frozen.pop(key, None)
        self._order = None

    def _holds(self, name: str, key: str) -> bool:
        return key in self._zones and name in self._zones[key][1]


@define(eq=False)
class NodeCursor:
    """A place in the round over the nodes, which it keeps from one call to the next.

    It survives changes of the tree as the original's place does: nodes added in the middle of a
    round still come in it, and a node that goes away does not move its zone's place, so that the
    zone's next node may be passed over until the next round.
    """

    zone_index: int = 0
    places: dict[int, int] = field(factory=dict)

    def take(self, order: NodeOrder, count: int) -> list[str]:
        """Return the next names, `count` of them; empty names if there are no nodes.

        O(count + zones); a whole round that begins where a round does is a mere copy.
        """
        if count != order.size or not self._is_between_rounds_of(order):
            return self.walk(order, count)
        places, self.zone_index = order.end
        self.places = dict(places)
        return list(order.round)

    def walk(self, order: NodeOrder, count: int) -> list[str]:
        """Return the next names one by one, as `take` does where it has no shorter way."""
        births = {zone.birth for zone in order.zones}
        self.places = {birth: place for birth, place in self.places.items() if birth in births}
        return [self._next(order.zones) for _ in range(count)]

    def _is_between_rounds_of(self, order: NodeOrder) -> bool:
        if not self.places:
            return self.zone_index == 0
        return (self.places, self.zone_index) == order.end

    def _next(self, zones: tuple[Zone, ...]) -> str:
        exhausted = 0
        while zones:
            if self.zone_index >= len(zones):
                self.zone_index = 0
            zone = zones[self.zone_index]
            self.zone_index += 1
            place = self.places.get(zone.birth, 0)
            if place < len(zone.names):
                self.places[zone.birth] = place + 1
                return zone.names[place]
            exhausted += 1
            if exhausted == len(zones):
                self.places.clear()
                self.zone_index = exhausted = 0
        return ""
