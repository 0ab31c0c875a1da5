"""A mapping that is written in one place and read in many, each reader seeing it as it was.

A `Table` is cut into chunks. Taking a `TableView` shares all of them, and the first write into a
shared chunk copies that chunk alone: a view costs what changed since the last one and a list of the
chunks, not the size of the table. Views never change, and reading one needs no lock.

Where a key stands is told to all views alike: its slot. No slot is used twice, so a key that was
deleted and comes back has another one, and the table notes which it had before. A view that was
taken earlier ends before the new slot, and goes by the old one.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Final, Generic, TypeVar, overload

from attrs import define, field, frozen

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")

_BITS: Final = 6
_SIZE: Final = 1 << _BITS
_MASK: Final = _SIZE - 1

Chunk = list[tuple[K, V] | None]


@frozen(eq=False)
class TableView(Mapping[K, V], Generic[K, V]):
    """A table as it was when the view was taken; iteration is in order of arrival."""

    _slots: Mapping[K, int]
    _earlier: Mapping[int, int]
    _chunks: tuple[Chunk[K, V], ...]
    _end: int
    _length: int

    def __getitem__(self, key: K) -> V:
        slot = self._slot(key)
        entry = None if slot is None else self._chunks[slot >> _BITS][slot & _MASK]
        if entry is None:
            raise KeyError(key)
        return entry[1]

    def __iter__(self) -> Iterator[K]:
        for chunk in self._chunks:
            for entry in chunk:
                if entry is not None:
                    yield entry[0]

    def __len__(self) -> int:
        return self._length

    def select(self, keys: Iterable[K]) -> list[V]:
        """Return the values of keys that are all there, in their order."""
        keys, slots, chunks = tuple(keys), self._slots, self._chunks
        try:
            entries = [chunks[(slot := slots[key]) >> _BITS][slot & _MASK] for key in keys]
        except IndexError:  # one of them was deleted and has come back since
            return [self[key] for key in keys]
        return [entry[1] for entry in entries if entry is not None]

    def replaced(self, key: K, value: V) -> "TableView[K, V]":
        """Return a view in which a key, which must be there, has another value; O(chunks)."""
        slot = self._slot(key)
        if slot is None:
            raise KeyError(key)
        chunk = self._chunks[slot >> _BITS].copy()
        chunk[slot & _MASK] = (key, value)
        chunks = (*self._chunks[: slot >> _BITS], chunk, *self._chunks[(slot >> _BITS) + 1 :])
        return TableView(self._slots, self._earlier, chunks, self._end, self._length)

    def entries(self) -> Iterator[V]:
        """Go over the values in order of arrival, without looking each up by its key."""
        for chunk in self._chunks:
            for entry in chunk:
                if entry is not None:
                    yield entry[1]

    def _slot(self, key: K) -> int | None:
        """Return the slot that a key had when the view was taken, or else None."""
        slot = self._slots.get(key)
        while slot is not None and slot >= self._end:
            slot = self._earlier.get(slot)
        return slot


@define(eq=False)
class Table(Generic[K, V]):
    """The writable side: get, set and delete in O(1), or O(chunk) once after each view.

    >>> table = Table[str, int]()
    >>> table["a"] = 1
    >>> before = table.view()
    >>> table["a"] = 2
    >>> before["a"], table["a"]
    (1, 2)
    """

    _slots: dict[K, int] = field(factory=dict)
    _earlier: dict[int, int] = field(factory=dict)  # the slot that a key had before this one
    _chunks: list[Chunk[K, V]] = field(factory=list)
    _owned: set[int] = field(factory=set)
    _end: int = 0  # the first slot that has never been used
    _length: int = 0

    def __getitem__(self, key: K) -> V:
        """Return the value of a key, which must be there."""
        entry = self._entry(key)
        if entry is None:
            raise KeyError(key)
        return entry[1]

    @overload
    def get(self, key: K) -> V | None: ...
    @overload
    def get(self, key: K, default: D) -> V | D: ...
    def get(self, key: K, default: D | None = None) -> V | D | None:
        """Return the value of a key, or the default where there is none."""
        entry = self._entry(key)
        return default if entry is None else entry[1]

    def __contains__(self, key: K) -> bool:
        """Tell whether there is a value for the key."""
        return self._entry(key) is not None

    def __len__(self) -> int:
        """Count the keys."""
        return self._length

    def __setitem__(self, key: K, value: V) -> None:
        """Set the value of a key, which keeps its place; a new one comes last."""
        entry = self._entry(key)
        if entry is None:
            self._append(key, value)
        else:
            slot = self._slots[key]
            self._writable(slot >> _BITS)[slot & _MASK] = (entry[0], value)

    def __delitem__(self, key: K) -> None:
        """Take a key out, which must be there."""
        if self._entry(key) is None:
            raise KeyError(key)
        slot = self._slots[key]
        self._writable(slot >> _BITS)[slot & _MASK] = None
        self._length -= 1
        if self._length < len(self._chunks) * _SIZE // 4:
            self._compact()

    def keys(self) -> Iterator[K]:
        """Go over the keys in order of arrival."""
        return iter(self._view())

    def values(self) -> Iterator[V]:
        """Go over the values in order of arrival."""
        return self._view().entries()

    def view(self) -> TableView[K, V]:
        """Return the table as it is now; O(chunks)."""
        self._owned.clear()
        return self._view()

    def copy(self) -> "Table[K, V]":
        """Return a table of its own, which shares the chunks until one of the two writes."""
        self._owned.clear()
        slots, chunks = self._slots.copy(), self._chunks.copy()
        return Table(slots, {}, chunks, set(), self._end, self._length)

    def _view(self) -> TableView[K, V]:
        chunks = tuple(self._chunks)
        return TableView(self._slots, self._earlier, chunks, self._end, self._length)

    def _entry(self, key: K) -> tuple[K, V] | None:
        slot = self._slots.get(key)
        return None if slot is None else self._chunks[slot >> _BITS][slot & _MASK]

    def _append(self, key: K, value: V) -> None:
        """Put a new key into a slot of its own."""
        slot = self._end
        if not slot & _MASK:
            self._owned.add(len(self._chunks))
            self._chunks.append([])
        self._writable(slot >> _BITS).append((key, value))
        if key in self._slots:  # views look for the slot first, and then for earlier ones
            self._earlier[slot] = self._slots[key]
        self._slots[key] = slot
        self._end += 1
        self._length += 1

    def _writable(self, index: int) -> Chunk[K, V]:
        if index not in self._owned:
            self._chunks[index] = self._chunks[index].copy()
            self._owned.add(index)
        return self._chunks[index]

    def _compact(self) -> None:
        """Start afresh, without the holes that deletions left."""
        entries = [entry for chunk in self._chunks for entry in chunk if entry is not None]
        self._chunks = [
            [*entries[start : start + _SIZE]] for start in range(0, len(entries), _SIZE)
        ]
        self._owned = set(range(len(self._chunks)))
        self._slots = {entry[0]: slot for slot, entry in enumerate(entries)}
        self._earlier = {}
        self._end = len(entries)

    def _check(self) -> None:
        """Assert what always holds."""
        held = {
            entry[0]: (index << _BITS) + offset
            for index, chunk in enumerate(self._chunks)
            for offset, entry in enumerate(chunk)
            if entry is not None
        }
        assert len(held) == self._length
        assert all(self._slots[key] == slot for key, slot in held.items())
        assert all(len(chunk) == _SIZE for chunk in self._chunks[:-1])
        assert sum(map(len, self._chunks)) == self._end
        assert all(earlier < slot < self._end for slot, earlier in self._earlier.items())
        assert self._owned <= set(range(len(self._chunks)))
