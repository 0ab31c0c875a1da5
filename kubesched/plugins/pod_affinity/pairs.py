"""Where pods count: topology pairs, that is the key of a node label and one of its values."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, Self, TypeAlias, TypeVar

from attrs import field, frozen

from kubesched.plugins.pod_affinity.groups import answers_by_node
from kubesched.state import Snapshot

G = TypeVar("G")
Pair: TypeAlias = tuple[str, str]

_NO_CHANGES: Final[Mapping[Pair, int]] = {}


def pairs_of(labels: Mapping[str, str], keys: Iterable[str]) -> Iterator[Pair]:
    """Go over the pairs that a node with these labels has of these keys.

    >>> list(pairs_of({"zone": "a", "rack": "7"}, ["zone", "row"]))
    [('zone', 'a')]
    """
    for key in keys:
        value = labels.get(key)
        if value is not None:
            yield key, value


@frozen(eq=False)
class PairCounts:
    """How many pods stand behind each topology pair.

    It is a value. What becomes of it in a what-if shares the numbers that it started from, so that
    `changed` costs what the what-if has changed so far, not the size of the cluster.

    >>> counts = PairCounts.of({("zone", "a"): 2})
    >>> counts.is_in({"zone": "a"}), counts.is_in({"zone": "b"})
    (True, False)
    >>> counts.changed([("zone", "a")], -2) == NO_PAIRS
    True
    """

    _base: Mapping[Pair, int]
    _keys: frozenset[str] = field(repr=False)
    _changes: Mapping[Pair, int] = _NO_CHANGES

    @classmethod
    def of(cls, numbers: Mapping[Pair, int]) -> Self:
        """Return the counts with these numbers, all above 0; O(pairs)."""
        return cls(numbers, frozenset(key for key, _ in numbers))

    def count(self, pair: Pair) -> int:
        """Return how many pods stand behind a pair."""
        return self._base.get(pair, 0) + self._changes.get(pair, 0)

    def is_in(self, labels: Mapping[str, str]) -> bool:
        """Tell whether a node with these labels has a pair with pods; O(keys that occur)."""
        for key in self._keys:
            value = labels.get(key)
            if value is not None and self.count((key, value)):
                return True
        return False

    def changed(self, pairs: Iterable[Pair], by: int) -> Self:
        """Return the counts with so many pods more behind each of these pairs."""
        moved = tuple(pairs)
        if not moved:
            return self
        changes, keys = dict(self._changes), self._keys
        for pair in moved:
            changes[pair] = changes.get(pair, 0) + by
            keys = keys if pair[0] in keys else keys | {pair[0]}
        left = {pair: change for pair, change in changes.items() if change}
        return type(self)(self._base, keys, left)

    def __bool__(self) -> bool:
        """Tell whether there is a pair with pods."""
        return any(map(self.count, chain(self._changes, self._base)))

    def __eq__(self, other: object) -> bool:
        """Compare the numbers, not how they came about."""
        if not isinstance(other, PairCounts):
            return NotImplemented
        if self._base is other._base:
            return self._changes == other._changes
        return self._numbers() == other._numbers()

    def __hash__(self) -> int:
        """Hash the numbers; O(pairs)."""
        return hash(frozenset(self._numbers().items()))

    def _numbers(self) -> Mapping[Pair, int]:
        if not self._changes:
            return self._base
        pairs = dict.fromkeys(chain(self._base, self._changes))
        return {pair: count for pair in pairs if (count := self.count(pair))}


NO_PAIRS: Final = PairCounts.of({})


def count_places(
    groups: Mapping[G, Mapping[str, int]],
    keys_of: Callable[[G], Iterable[str]],
    snapshot: Snapshot,
) -> PairCounts:
    """Count the placed pods of each group at their places by the keys that go for the group.

    O(groups + nodes of those with keys).
    """
    pairs: dict[Pair, int] = {}
    for keys, labels, count in answers_by_node(groups, keys_of, snapshot):
        for pair in pairs_of(labels, keys):
            pairs[pair] = pairs.get(pair, 0) + count
    return PairCounts.of(pairs)
