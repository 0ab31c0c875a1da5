"""The words that somebody's functions speak of."""

import re
from collections.abc import Callable

import pytest

from kubesched import Facet, PredicateSpec, Quantity
from kubesched.testing.harvest import MOST_NUMBERS, MOST_TEXTS, separators, texts_and_numbers

LIMIT = Quantity("1500m")
PORTS = range(9100, 9200)
RACK = re.compile(r"rack-(\d+)")
MANY = {f"key-{number}": number for number in range(1000)}


def text_of(function: Callable[..., object]) -> tuple[str, ...]:
    return texts_and_numbers([function])[0]


def numbers_of(function: Callable[..., object]) -> tuple[int, ...]:
    return texts_and_numbers([function])[1]


@pytest.mark.parametrize(
    ("function", "texts"),
    [
        (lambda node: node.labels.get("rack") == "r7", ("rack", "r7")),
        (lambda node: node.labels["app=web"], ("app=web", "app", "web")),
        (lambda key: key.startswith("team/"), ("team/", "team/a", "team/b", "a", "b")),
        (lambda name: name.endswith("-0"), ("-0", "a-0", "b-0", "a", "b")),
        (lambda name: re.match(r"rack-(\d+)$", name), ("rack-0",)),
        (lambda name: RACK.fullmatch(name.lower()), ("rack-0",)),
        (
            lambda name: name in ("example.com/gpu", "x-y") and name.split("/"),
            ("example.com/gpu", "x-y", "example.com", "gpu"),
        ),
        (lambda: "node(s) were in a rack under maintenance", ()),
        (lambda: "", ()),
        (lambda: "...", ()),
        (lambda: "x" * 300, ()),
    ],
    ids=[
        "a key and a value",
        "what stands on both sides of =",
        "what begins with a prefix",
        "what ends with a suffix",
        "what matches a pattern in the code",
        "what matches a pattern that is named",
        "what stands on both sides of a mark by which the code takes texts apart",
        "sentences are no words",
        "nothing is no word",
        "points are no word",
        "what is too long is no word",
    ],
)
def test_texts(function: Callable[..., object], texts: tuple[str, ...]) -> None:
    assert text_of(function) == texts


@pytest.mark.parametrize(
    ("function", "numbers"),
    [
        (lambda node: len(node.pods) < 110, (110,)),
        (lambda: -3, (-3,)),
        (lambda: 2.0, (2,)),
        (lambda: 0.75, ()),
        (lambda: True, ()),
        (lambda: LIMIT, (2, 1500)),
        (lambda port: port in PORTS, (9100, 9200, 1)),
    ],
    ids=[
        "whole numbers",
        "those below 0",
        "floats that are whole",
        "no other floats",
        "no truth values",
        "quantities in whole units and in thousandths",
        "both ends of a range",
    ],
)
def test_numbers(function: Callable[..., object], numbers: tuple[int, ...]) -> None:
    assert numbers_of(function) == numbers


def test_a_spec_speaks_of_what_its_functions_do_and_not_of_its_facets() -> None:
    spec = PredicateSpec("Mine", lambda _pod, _meta, node: node.labels["rack"], reads=set(Facet))
    assert texts_and_numbers([spec]) == (("rack",), ())


def test_there_is_an_end_to_it() -> None:
    texts, numbers = texts_and_numbers([lambda: MANY])
    assert len(texts) <= MOST_TEXTS
    assert len(numbers) <= MOST_NUMBERS


def test_separators() -> None:
    assert separators([lambda text: [part.split("=") for part in text.split(", ")]]) == (",", "=")
