"""Objects of every kind, with any of their fields set, as the models themselves describe them.

Texts are often such as YAML or JSON could take for something else.
"""

from datetime import UTC, datetime
from typing import TypeVar

from attrs import evolve
from hypothesis import strategies as st

from kubesched.manifests import Manifests
from kubesched.manifests.identity import identity_of
from kubesched.model import KINDS, KubeObject
from kubesched.quantity import Quantity
from kubesched.testing import any_models

T = TypeVar("T")

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


def instances(model: type[T]) -> st.SearchStrategy[T]:
    """Draw instances of a model, each with some of its fields set and the others as they are."""
    return any_models(model, texts=texts, numbers=integers, amounts=quantities, times=times)


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
