"""Texts that patterns match."""

import re

import pytest

from kubesched.testing.matching import matches_of


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"rack-(\d+)", ("rack-0",)),
        (r"x*", ("x",)),
        (r"(a)(?(1)b|c)", ("ab",)),
        (r"^$", ()),
        (r"(?!)x", ()),
        (r"a\bb", ()),
        (r"(?<=x)y", ()),
    ],
    ids=["plain", "not empty", "conditional", "empty only", "never", "no boundary", "behind"],
)
def test_the_simplest_text(pattern: str, texts: tuple[str, ...]) -> None:
    assert matches_of(re.compile(pattern)) == texts


def test_of_bytes_there_is_none() -> None:
    assert matches_of(re.compile(b"a")) == ()
