"""The order of nodes as the original keeps it: the position lies inside the tree."""

from attrs import define, field


@define
class Zone:
    """The names of a zone, and how many of them were given in this round."""

    names: list[str] = field(factory=list)
    last_index: int = 0


@define
class NaiveNodeTree:
    """A plain copy of the original.

    Source: kubernetes v1.12.2, pkg/scheduler/cache/node_tree.go.
    """

    zones: dict[str, Zone] = field(factory=dict)
    zone_index: int = 0

    @property
    def size(self) -> int:
        """How many names there are."""
        return sum(len(zone.names) for zone in self.zones.values())

    def add(self, name: str, key: str) -> None:
        """Add a name to a zone, if it is not there."""
        zone = self.zones.setdefault(key, Zone())
        if name not in zone.names:
            zone.names.append(name)

    def holds(self, name: str, key: str) -> bool:
        """Tell whether a name is in a zone."""
        return key in self.zones and name in self.zones[key].names

    def remove(self, name: str, key: str) -> None:
        """Take a name out of a zone."""
        self.zones[key].names.remove(name)
        if not self.zones[key].names:
            del self.zones[key]

    def update(self, name: str, old: str, new: str) -> None:
        """Move a name to another zone, where it comes last."""
        if old == new:
            return
        if self.holds(name, old):
            self.remove(name, old)
        self.add(name, new)

    def next(self) -> str:
        """Return the next name, from one zone after the other."""
        if not self.zones:
            return ""
        exhausted = 0
        while True:
            zones = list(self.zones.values())
            if self.zone_index >= len(zones):
                self.zone_index = 0
            zone = zones[self.zone_index]
            self.zone_index += 1
            if zone.last_index < len(zone.names):
                zone.last_index += 1
                return zone.names[zone.last_index - 1]
            exhausted += 1
            if exhausted >= len(zones):
                self.reset()

    def reset(self) -> None:
        """Begin a new round."""
        self.zone_index = 0
        for zone in self.zones.values():
            zone.last_index = 0
