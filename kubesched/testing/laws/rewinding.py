"""What a rule keeps between two questions, and how to make it as it was at the beginning.

Without that a rule that remembers could not be tried again in the same state, and what it did wrong
in one situation would show in another one.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dis import get_instructions
from random import Random, SystemRandom
from types import CellType, CodeType, FunctionType
from typing import Any, Final, TypeAlias

from attrs import frozen

from kubesched.model import FrozenMap
from kubesched.testing.reach import (
    LruCached,
    attributes_of,
    cells_of,
    is_somebodys,
    reachable,
)

Undo: TypeAlias = Callable[[], object]


@frozen(eq=False)
class Beginning:
    """How everything was that a rule can get at and may change.

    >>> def counts(pod, meta, node, seen=[]):
    ...     seen.append(node)
    >>> beginning = Beginning.of(counts)
    >>> counts(None, None, None)
    >>> beginning.restore()
    >>> counts.__defaults__
    ([],)
    """

    _undos: tuple[Undo, ...]

    @classmethod
    def of(cls, *roots: object) -> "Beginning":
        """Note how it is now; O(what can be reached)."""
        return cls(tuple(undo for it in reachable(*roots) for undo in _undos(it)))

    def restore(self) -> None:
        """Make it as it was; O(the same)."""
        for undo in self._undos:
            undo()


def _undos(it: object) -> Iterator[Undo]:
    kind = type(it)
    if it is sys.modules or kind is FrozenMap:
        return
    for base, undo in _BY_TYPE.items():
        if issubclass(kind, base):
            yield from undo(it)
            return
    if is_somebodys(kind):
        yield from _of_instance(it)


def _of_function(function: FunctionType) -> Iterator[Undo]:
    yield from (_of_cell(cell, cell.cell_contents) for cell in cells_of(function))
    yield from _of_dict(vars(function))
    if is_somebodys(function):
        known, names = function.__globals__, _set_by(function.__code__)
        before = {name: known[name] for name in names if name in known}

        def undo() -> None:
            for name in names - before.keys():
                known.pop(name, None)
            known.update(before)

        yield undo


def _set_by(code: CodeType) -> set[str]:
    """Return the names of globals that code sets."""
    within = (const for const in code.co_consts if isinstance(const, CodeType))
    own = {it.argval for it in get_instructions(code) if it.opname == "STORE_GLOBAL"}
    return own.union(*map(_set_by, within))


def _of_cell(cell: CellType, before: object) -> Undo:
    return lambda: setattr(cell, "cell_contents", before)


def _of_dict(it: dict[Any, Any]) -> Iterator[Undo]:
    before = [*it.items()]

    def undo() -> None:
        now = [*it.items()]
        if len(now) != len(before) or any(
            a is not c or b is not d for (a, b), (c, d) in zip(now, before, strict=True)
        ):
            it.clear()
            for key, value in before:
                it[key] = value  # noqa: PERF403 - a Counter's update adds them up

    yield undo


def _of_list(it: list[Any] | deque[Any]) -> Iterator[Undo]:
    before = [*it]

    def undo() -> None:
        if len(it) != len(before) or any(a is not b for a, b in zip(it, before, strict=True)):
            it.clear()
            it.extend(before)

    yield undo


def _of_set(it: set[Any]) -> Iterator[Undo]:
    before = frozenset(it)

    def undo() -> None:
        it.intersection_update(before)
        it.update(before)

    yield undo


def _of_class(it: type) -> Iterator[Undo]:
    if not is_somebodys(it):
        return
    before = {name: value for name, value in vars(it).items() if name[:2] != "__"}

    def undo() -> None:
        for name, value in before.items():
            if vars(it).get(name) is not value:
                setattr(it, name, value)

    yield undo


def _of_instance(it: object) -> Iterator[Undo]:
    before = attributes_of(it)

    def undo() -> None:
        now = attributes_of(it)
        for name in now.keys() - before.keys():
            object.__delattr__(it, name)
        for name, value in before.items():
            if name not in now or now[name] is not value:
                object.__setattr__(it, name, value)

    yield undo


def _of_random(it: Random) -> Iterator[Undo]:
    if isinstance(it, SystemRandom):
        return  # it has no state
    before = it.getstate()
    yield lambda: it.setstate(before)


_BY_TYPE: Final[Mapping[type, Callable[[Any], Iterator[Undo]]]] = {
    FunctionType: _of_function,
    dict: _of_dict,
    list: _of_list,
    deque: _of_list,
    set: _of_set,
    Random: _of_random,
    LruCached: lambda it: iter([it.cache_clear]),
    type: _of_class,
    **{fixed: lambda _it: iter(()) for fixed in (str, int, float, tuple, frozenset, bytes)},
}
