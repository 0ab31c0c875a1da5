"""Models with anything in their fields that the types allow."""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin

import attrs
from hypothesis import strategies as st

from kubesched.model import KINDS, KubeObject
from kubesched.quantity import Quantity
from kubesched.testing.strategies.drawing import Drawn, drawn, made

T = TypeVar("T")

_TEXTS: Final = ("a", "", "-", "a/b", "A b", "é", "\x00", "a" * 300, "0", "-1", "1e3", "9" * 19)
_AMOUNTS: Final = ("1", "0", "500m", "1n", "-1", "-2Ki", str(2**53 + 1), str(2**63 - 1), "1e20")
_NUMBERS: Final = (1, 0, -1, 100, 65536, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63))
_TIMES: Final = (
    datetime(2018, 9, 1, tzinfo=UTC),
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, tzinfo=UTC),
)


def any_models(
    kind: type[T],
    *,
    texts: Drawn[str] = ...,
    numbers: Drawn[int] = ...,
    amounts: Drawn[Quantity] = ...,
    times: Drawn[datetime] = ...,
) -> st.SearchStrategy[T]:
    """Draw instances of a model class with a few fields set, to whatever their types allow.

    That is more than an API server lets in: empty and odd texts, negative and huge numbers. Each
    keyword is a value or a strategy.

    Args:
        kind: the class; `KubeObject` stands for every kind that can be in a manifest.
        texts: what texts are.
        numbers: what whole numbers are.
        amounts: what quantities are.
        times: what times are.

    >>> from hypothesis import find
    >>> from kubesched.model import Taint
    >>> find(any_models(Taint), lambda taint: len(taint.key) > 100).effect
    ''
    """
    scalars = {
        str: drawn(texts, st.sampled_from(_TEXTS)),
        int: drawn(numbers, st.sampled_from(_NUMBERS)),
        bool: st.sampled_from([True, False]),
        type(None): st.none(),
        datetime: drawn(times, st.sampled_from(_TIMES)),
        Quantity: drawn(amounts, st.sampled_from([*map(Quantity, _AMOUNTS)])),
    }
    return _values(kind, scalars)


def _values(kind: Any, known: dict[Any, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """Draw values of a type; classes become known as they are met."""
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if origin in {UnionType, Union}:
        return st.one_of([_values(each, known) for each in arguments])
    if origin is tuple:
        return st.lists(_values(arguments[0], known), max_size=2).map(tuple)
    if origin is Mapping:
        return st.dictionaries(known[str], _values(arguments[1], known), max_size=2)
    if origin is KubeObject:
        return st.one_of([_values(each, known) for each in KINDS])
    if origin not in known:
        known[origin] = _instances(origin, known)
    return known[origin]


def _instances(kind: type[Any], known: dict[Any, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    values = {each.name: _values(each.type, known) for each in attrs.fields(kind)}
    return made(kind, {}, dict.fromkeys(values, ...), values)
