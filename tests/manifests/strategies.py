"""Objects of every kind, with any of their fields set, as the models themselves describe them.

Texts are often such as YAML or JSON could take for something else.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin

import attrs
from attrs import evolve
from hypothesis import strategies as st

from kubesched.manifests import Manifests
from kubesched.manifests.identity import identity_of
from kubesched.model import KINDS, KubeObject
from kubesched.quantity import Quantity

ODD_TEXTS = (
    *("", " ", "~", "y", "No", "on", "null", "true", "-", "?", "=", "<<", "#", "a: b", "a #b"),
    *("1", "-1", "1e3", "1_000", "0x1F", "0o17", "010", "08", ".5", ".inf", ".NaN", "1:30"),
    *("2018-11-29", "2018-11-29T13:00:00Z", "{}", "[", "&a", "*a", "!!str", "%", "@", "'", '"'),
    *("a\nb", "a\n", "\n", "\t", " a", "a ", "\x00", "\x7f", "\x85", "\xa0", "\u2028", "\ufeff"),
    *("é", "😀", "\\", "\\n", "---", "...", "a" * 200, "nginx:1.7", "a/b.c-d_e", "{{ x }}"),
)
QUANTITIES = ("0", "500m", "1", "1.5Gi", "16G", "1e3", "12e-3", "1n", "-2Ki", "9223372036854775807")

texts = st.sampled_from(ODD_TEXTS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
quantities = st.sampled_from(QUANTITIES).map(Quantity) | st.integers(-(10**20), 10**20).map(
    Quantity
)
times = st.datetimes(
    min_value=datetime(1970, 1, 1),  # noqa: DTZ001 - Hypothesis adds the zone
    max_value=datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
integers = st.integers(-(2**63), 2**63 - 1)


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Draw values of a field's type."""
    match get_origin(kind) or kind:
        case origin if origin in {UnionType, Union}:
            return st.one_of([values_of(one) for one in get_args(kind)])
        case origin if origin is tuple:
            return st.lists(values_of(get_args(kind)[0]), max_size=2).map(tuple)
        case origin if origin is Mapping:
            return st.dictionaries(texts, values_of(get_args(kind)[1]), max_size=2)
        case origin if origin in _SCALARS:
            return _SCALARS[origin]
        case _:
            return instances(kind)


_SCALARS: Mapping[Any, st.SearchStrategy[Any]] = {
    str: texts,
    int: integers,
    bool: st.booleans(),
    type(None): st.none(),
    datetime: times,
    Quantity: quantities,
}


@st.composite
def instances(draw: st.DrawFn, model: Any) -> Any:
    """Draw instances of a model, each with some of its fields set and the others as they are."""
    return model(**draw(_fields_of(model)))


@cache
def _fields_of(model: Any) -> st.SearchStrategy[dict[str, Any]]:
    fields = {field.name: values_of(field.type) for field in attrs.fields(model)}
    return st.fixed_dictionaries({}, optional=fields)


def _named(thing: KubeObject, name: str) -> KubeObject:
    return evolve(thing, metadata=evolve(thing.metadata, name=name))


names = texts.filter(bool)


def objects_of(model: type[KubeObject]) -> st.SearchStrategy[KubeObject]:
    """Draw objects of one kind, with a name."""
    return st.builds(_named, instances(model), names)


objects = st.sampled_from(KINDS).flatmap(objects_of)
"""Objects of all kinds."""


def bundles(*, max_size: int = 4) -> st.SearchStrategy[Manifests]:
    """Draw objects that can be loaded together."""
    return st.lists(objects, max_size=max_size, unique_by=identity_of).map(Manifests)
