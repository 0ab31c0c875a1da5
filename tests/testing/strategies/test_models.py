"""Every model class has strategies."""

import json
from functools import partial
from operator import attrgetter, ne
from typing import Any

import pytest
from attrs import fields, has
from hypothesis import given, settings, strategies as st

from kubesched import model
from kubesched.errors import OptionError
from kubesched.manifests import dump, load_objects
from kubesched.model import KINDS, Pod
from kubesched.quantity import Quantity
from kubesched.testing import any_models, labels, models, quantities, resource_lists
from kubesched.testing.words import WORDS
from tests.testing.finding import comes_up

CLASSES: list[type[Any]] = [each for name in model.__all__ if has(each := getattr(model, name))]


@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=3)
@given(st.data())
def test_any_model_is_drawn_of_its_class(kind: type[Any], data: st.DataObject) -> None:
    assert isinstance(data.draw(any_models(kind)), kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
@settings(max_examples=5)
@given(st.data())
def test_an_object_can_be_written_and_read_again(kind: Any, data: st.DataObject) -> None:
    drawn = data.draw(models(kind))
    [back] = load_objects(json.loads(dump(drawn)))
    assert back == drawn


@pytest.mark.parametrize(
    "kind", [model.Toleration, model.PodDisruptionBudgetSpec, model.CSIStorageCapacity, model.Taint]
)
def test_every_field_is_set_to_something_sooner_or_later(kind: type[Any]) -> None:
    for field in fields(kind):
        value, plain = attrgetter(field.name), getattr(kind(), field.name)
        comes_up(any_models(kind).map(value), partial(ne, plain), within=200)


def test_texts_numbers_and_amounts_are_what_was_said() -> None:
    drawn = comes_up(
        any_models(model.Taint, texts="x"), lambda it: it.key and it.value and it.effect
    )
    assert (drawn.key, drawn.value, drawn.effect) == ("x", "x", "x")
    image = comes_up(any_models(model.ContainerImage, numbers=7), lambda it: it.size_bytes)
    assert image.size_bytes == 7
    capacity = any_models(model.CSIStorageCapacity, amounts=Quantity("3"))
    assert comes_up(capacity, lambda it: it.capacity).capacity == Quantity("3")


@settings(max_examples=30)
@given(models(Pod, words=WORDS.with_words(["rack"])))
def test_the_words_are_where_names_come_from(pod: Pod) -> None:
    assert {*pod.labels} <= {*WORDS.keys, "rack"}


@settings(max_examples=50)
@given(labels(min_size=1, max_size=3))
def test_labels_keep_their_bounds(drawn: dict[str, str]) -> None:
    assert 1 <= len(drawn) <= 3


@settings(max_examples=50)
@given(resource_lists(resources=["example.com/gpu"], amounts="2"))
def test_resources_are_the_ones_that_were_said(drawn: dict[str, Quantity]) -> None:
    assert drawn in ({}, {"example.com/gpu": Quantity(2)})


@pytest.mark.parametrize(
    ("least", "most"),
    [
        pytest.param(0, "1500m", id="none to some"),
        pytest.param("100m", "900m", id="no whole unit between"),
        pytest.param("1Gi", "8Gi", id="memory"),
        pytest.param("3n", "3n", id="only one"),
        pytest.param("-2", "-1", id="below zero"),
    ],
)
def test_quantities_keep_their_bounds_and_reach_them(least: Any, most: Any) -> None:
    lowest, highest = Quantity(least), Quantity(most)
    drawn = quantities(min_value=least, max_value=most)
    assert comes_up(drawn, lambda it: it == lowest) == lowest
    assert comes_up(drawn, lambda it: it == highest) == highest

    @settings(max_examples=50)
    @given(drawn)
    def check(amount: Quantity) -> None:
        assert lowest <= amount <= highest

    check()


def test_bounds_that_leave_nothing_are_refused() -> None:
    with pytest.raises(OptionError, match="min_value is 2, expected no more than max_value, 1"):
        quantities(min_value=2, max_value=1)
