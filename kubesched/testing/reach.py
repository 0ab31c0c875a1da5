"""What somebody's functions can get at: their constants, defaults, closures and globals.

It is found by looking; nothing of it is called.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache, cached_property, lru_cache, partial
from itertools import islice
from types import CellType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, Final

from kubesched.framework import PredicateSpec, PrioritySpec
from kubesched.quantity import Quantity
from kubesched.testing.words import Words

MOST_OBJECTS: Final = 4000
MOST_ITEMS: Final = 64

_STOCK_RULES: Final = "kubesched.plugins."
_NOT_SOMEBODYS: Final = ("kubesched", "hypothesis", "attr", "attrs", "pytest", "_pytest")

LruCached: Final[type] = type(lru_cache(len))


def reachable(*roots: object) -> Iterator[object]:
    """Go over all that can be reached, the nearest first, each object once.

    There is an end to it: after a few thousand objects, and a few dozen of each container.
    """
    waiting, seen = deque(roots), dict[int, object]()
    while waiting and len(seen) < MOST_OBJECTS:
        it = waiting.popleft()
        if id(it) not in seen:
            seen[id(it)] = it  # held, so that no later object gets its number
            yield it
            waiting.extend(_parts(it))


def functions_of(*roots: object) -> list[FunctionType]:
    """Return the functions that can be reached and are somebody's own."""
    return [it for it in reachable(*roots) if type(it) is FunctionType and is_somebodys(it)]


def is_somebodys(it: FunctionType | type) -> bool:
    """Tell whether a function or class is neither Python's nor of the library's foundations."""
    return is_of_somebodys(getattr(it, "__module__", None) or "")


@cache
def is_of_somebodys(module: str) -> bool:
    """Tell the same by the name of a module."""
    top = module.partition(".")[0]
    is_known = top in sys.stdlib_module_names or top in _NOT_SOMEBODYS
    return not is_known or module.startswith(_STOCK_RULES)


def named_globals(function: FunctionType) -> dict[str, object]:
    """Return the globals that a function names, functions within it included."""
    known = function.__globals__
    return {name: known[name] for name in _names(function.__code__) if name in known}


def names_in(function: FunctionType) -> set[str]:
    """Return the names of globals and attributes that stand in a function's code."""
    return set(_names(function.__code__))


def cells_of(function: FunctionType) -> list[CellType]:
    """Return the cells of a function's closure that hold something."""
    return [cell for cell in function.__closure__ or () if _is_filled(cell)]


def _is_filled(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - there is no other way to find out
    except ValueError:
        return False
    return True


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _names(const)


def _parts(it: object) -> Iterable[object]:
    kind = type(it)
    for base, parts in _BY_TYPE.items():
        if issubclass(kind, base):
            return parts(it)
    return _parts_of_instance(it)


def _parts_of_function(function: FunctionType) -> Iterator[object]:
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield from (cell.cell_contents for cell in cells_of(function))
    yield from vars(function).values()
    if not is_somebodys(function):
        return
    yield function.__code__
    named = named_globals(function)
    yield from named.values()
    names = names_in(function)
    for module in named.values():
        if isinstance(module, ModuleType):
            yield from (value for name, value in vars(module).items() if name in names)


def _parts_of_class(it: type) -> Iterable[object]:
    """Return what somebody wrote in a class, and not what a decorator put there."""
    if not is_somebodys(it):
        return ()
    written = (value for name, value in vars(it).items() if name in _HOOKS or name[:2] != "__")
    return (value for value in written if not _is_generated(value))


_HOOKS: Final = frozenset({"__call__", "__init__", "__post_init__", "__attrs_post_init__"})


def _is_generated(it: object) -> bool:
    return isinstance(it, FunctionType) and it.__code__.co_filename.startswith("<")


def _parts_of_rule(rule: PredicateSpec[Any] | PrioritySpec[Any]) -> Iterable[object]:
    if isinstance(rule, PredicateSpec):
        return rule.check, rule.prepare
    return rule.map, rule.reduce, rule.prepare


def _parts_of_mapping(it: Mapping[Any, Any]) -> Iterator[object]:
    items = dict.items(it) if isinstance(it, dict) else it.items()
    for key, value in islice(items, MOST_ITEMS):
        yield key
        yield value


def _parts_of_instance(it: object) -> Iterator[object]:
    kind = type(it)
    if kind.__module__.partition(".")[0] in sys.stdlib_module_names:
        return
    if is_somebodys(kind):
        yield kind
    yield from attributes_of(it).values()


def attributes_of(it: object) -> dict[str, object]:
    """Return what an object holds under its own names, in its `__dict__` or in slots."""
    names = [*getattr(it, "__dict__", ())]
    for base in type(it).__mro__:
        slots = vars(base).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    held = {}
    for name in dict.fromkeys(names):
        try:
            held[name] = object.__getattribute__(it, name)
        except AttributeError:
            continue
    return held


def _items(iterate: Callable[[Any], Iterator[object]]) -> Callable[[Any], Iterable[object]]:
    return lambda it: islice(iterate(it), MOST_ITEMS)


_BY_TYPE: Final[Mapping[type, Callable[[Any], Iterable[object]]]] = {
    FunctionType: _parts_of_function,
    MethodType: lambda it: (it.__func__, it.__self__),
    CodeType: lambda it: it.co_consts,
    partial: lambda it: (it.func, it.args, it.keywords),
    LruCached: lambda it: (it.__wrapped__,),
    staticmethod: lambda it: (it.__func__,),
    classmethod: lambda it: (it.__func__,),
    property: lambda it: (it.fget,),
    cached_property: lambda it: (it.func,),
    PredicateSpec: _parts_of_rule,
    PrioritySpec: _parts_of_rule,
    Words: lambda _it: (),  # the default of every strategy, and no rule speaks of it
    ModuleType: lambda _it: (),
    Enum: lambda it: (it._value_,) if is_somebodys(type(it)) else (),
    type: _parts_of_class,
    dict: _parts_of_mapping,
    MappingProxyType: _parts_of_mapping,
    list: _items(list.__iter__),
    tuple: _items(tuple.__iter__),
    set: _items(set.__iter__),
    frozenset: _items(frozenset.__iter__),
    deque: _items(deque.__iter__),
    range: lambda it: (it.start, it.stop, it.step),
    **{whole: lambda _it: () for whole in (Quantity, str, bytes, int, float, type(None))},
}
