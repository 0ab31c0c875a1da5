"""What a parser puts up with, so that it can be reported with the path at which it stands.

A parser knows lines and columns, but not which object it is in. So it notes repeated keys and
impossible numbers in the data itself and goes on; `flaws` finds these notes afterwards.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto
from typing import Final

from attrs import NOTHING

from kubesched.manifests.fault import Fault
from kubesched.manifests.paths import below
from kubesched.manifests.values import BadNumber

DEEPEST: Final = 200
"""How many levels of lists and mappings a document may have."""

TOO_DEEP: Final = f"is nested more than {DEEPEST} levels deep"


class RepeatedKeys(dict[str, object]):
    """A mapping that was written with some keys more than once; it holds the last value of each."""

    __slots__ = ("repeated",)

    def __init__(self, pairs: Iterable[tuple[str, object]]) -> None:
        """Note which keys occur again."""
        pairs = list(pairs)
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.repeated = tuple(key for key, count in counts.items() if count > 1)


def mapping_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make a mapping of its keys and values in the order in which they were written."""
    mapping = dict(pairs)
    return mapping if len(mapping) == len(pairs) else RepeatedKeys(pairs)


class State(Enum):
    """How a document is, as far as that can be told without its kind."""

    SOUND = auto()
    FLAWED = auto()
    TOO_DEEP = auto()


_FLAWS = {RepeatedKeys, BadNumber}
_NODES = {dict, list} | _FLAWS


def state_of(document: object) -> State:
    """Look through a document level by level, at what it has several times only once; O(size)."""
    state = State.SOUND
    level = [document] if type(document) in _NODES else []
    for _ in range(DEEPEST):
        if not level:
            return state
        if not _FLAWS.isdisjoint(map(type, level)):
            state = State.FLAWED
        level = _nodes_below(level)
    return State.TOO_DEEP if level else state


def _nodes_below(level: list[object]) -> list[object]:
    nodes: dict[int, object] = {}
    for node in level:
        parts: Iterable[object] = ()
        if isinstance(node, dict):
            parts = node.values()
        elif isinstance(node, list):
            parts = node
        for part in parts:
            if type(part) in _NODES:
                nodes[id(part)] = part
    return list(nodes.values())


def flaws(value: object, path: str = "") -> Iterator[Fault]:
    """Find all that was noted in a document that is not too deep."""
    match value:
        case BadNumber():
            yield Fault(path, value, value.why)
        case Mapping():
            for key in value.repeated if isinstance(value, RepeatedKeys) else ():
                yield Fault(below(path, key), NOTHING, "occurs more than once")
            for key, part in value.items():
                yield from flaws(part, below(path, str(key)))
        case list():
            for index, part in enumerate(value):
                yield from flaws(part, below(path, index))
