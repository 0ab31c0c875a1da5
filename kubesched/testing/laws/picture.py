"""Pictures of objects, however deep, to see afterwards whether anything in them has changed."""

from collections.abc import Iterable
from functools import cache, cached_property
from itertools import zip_longest
from typing import Any, Final, TypeAlias

from attrs import fields, frozen, has

from kubesched.testing.reach import attributes_of

_PLAIN: Final = (str, bytes, int, float, complex, type(None), type)
_CONTAINERS: Final = (dict, list, tuple, set, frozenset)


@frozen
class Picture:
    """What an object was made of.

    Attributes:
        kind: its type.
        parts: its parts by their names, in order.
    """

    kind: type
    parts: tuple[tuple[str, Any], ...]


Pictured: TypeAlias = Picture | Any
"""A picture, or the object itself if it has no parts."""


def picture(it: object) -> Pictured:
    """Take a picture of an object; O(size). What an object works out once for itself is not in it.

    >>> numbers = [1, [2]]
    >>> before = picture(numbers)
    >>> numbers[1].append(3)
    >>> difference(before, picture(numbers), "numbers")
    'numbers[1] has [1] now, which is 3'
    """
    return _picture(it, set())


def _picture(it: object, above: set[int]) -> Pictured:
    if isinstance(it, _PLAIN) or callable(it):
        return it
    if id(it) in above:
        return ...  # it holds itself
    above.add(id(it))
    parts = tuple([(name, _picture(part, above)) for name, part in _parts(it)])
    above.remove(id(it))
    return Picture(type(it), parts) if parts or isinstance(it, _CONTAINERS) else it


def _parts(it: object) -> Iterable[tuple[str, object]]:
    match it:
        case dict():
            return [(f"[{key!r}]", value) for key, value in dict.items(it)]
        case tuple() | list():
            return [(f"[{index}]", value) for index, value in enumerate(it)]
        case set() | frozenset():
            return [(f"{{{value!r}}}", value) for value in sorted(it, key=repr)]
    kind: Any = type(it)
    names = _field_names(kind)
    if names is not None:
        return [(shown, getattr(it, name, None)) for name, shown in names]
    own = _worked_out_once(kind)
    return [(f".{name}", part) for name, part in attributes_of(it).items() if name not in own]


@cache
def _field_names(kind: Any) -> tuple[tuple[str, str], ...] | None:
    """Return the fields of an attrs class that say what it is, and how to show them."""
    if not has(kind):
        return None
    named = (each.name for each in fields(kind) if each.name != "_tick")
    return tuple((name, f".{name.lstrip('_')}") for name in named)


@cache
def _worked_out_once(kind: Any) -> frozenset[str]:
    held = (vars(base).items() for base in kind.__mro__)
    return frozenset(
        name for items in held for name, value in items if isinstance(value, cached_property)
    )


def difference(before: Pictured, after: Pictured, name: str) -> str | None:
    """Tell the first thing that differs between two pictures, None if nothing does.

    >>> difference(picture({"a": [1, 2]}), picture({"a": [1, 3]}), "it")
    "it['a'][1] was 2 and is 3"
    """
    if not (isinstance(before, Picture) and isinstance(after, Picture)):
        is_same = before is after or (type(before) is type(after) and bool(before == after))
        return None if is_same else f"{name} was {_short(before)} and is {_short(after)}"
    if before.kind is not after.kind:
        return f"{name} was a {before.kind.__name__} and is a {after.kind.__name__}"
    for old, new in zip_longest(before.parts, after.parts):
        found = _difference_of_parts(old, new, name)
        if found is not None:
            return found
    return None


def _difference_of_parts(
    old: tuple[str, Pictured] | None, new: tuple[str, Pictured] | None, name: str
) -> str | None:
    if old is None:
        return f"{name} has {new[0]} now, which is {_short(new[1])}" if new else None
    if new is None or old[0] != new[0]:
        return f"{name} has lost {old[0]}, which was {_short(old[1])}"
    return difference(old[1], new[1], name + old[0])


def _short(it: Pictured) -> str:
    return f"a {it.kind.__name__}" if isinstance(it, Picture) else repr(it)
