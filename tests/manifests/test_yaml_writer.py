"""YAML is written so that every reader of it takes a text for itself."""

from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from kubesched.manifests.yaml_reader import read_yaml
from kubesched.manifests.yaml_writer import to_yaml
from tests.manifests.strategies import ODD_TEXTS, texts

scalars = st.none() | st.booleans() | st.integers() | texts
trees = st.recursive(
    scalars,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(texts, parts, max_size=3),
    max_leaves=12,
)


def read(text: str) -> Any:
    (document,) = read_yaml(text)
    return document


@given(trees)
def test_it_is_read_as_what_it_was(tree: Any) -> None:
    assert read(to_yaml(tree)) == tree


@given(trees)
def test_pyyaml_reads_the_same(tree: Any) -> None:
    assert yaml.safe_load(to_yaml(tree)) == tree


@pytest.mark.parametrize("text", ODD_TEXTS, ids=repr)
def test_odd_text_is_text_in_every_place(text: str) -> None:
    tree = {text: text, "list": [text, [text], {text: [text]}]}
    assert read(to_yaml(tree)) == tree


@pytest.mark.parametrize("length", [127, 128, 129, 1025, 5000])
def test_a_key_may_be_as_long_as_it_likes(length: int) -> None:
    tree = {"k" * length: {"l" * length: ["v"], "m": {}}}
    assert read(to_yaml(tree)) == tree


@pytest.mark.parametrize(
    "text", ["web-1", "nginx:1.7", "a/b_c.d", "kubelet has sufficient memory", "a=b@c+d"]
)
def test_usual_text_has_no_quotes(text: str) -> None:
    assert to_yaml(text) == f"{text}\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({}, "{}\n"),
        ([], "[]\n"),
        ({"a": {}, "b": [], "c": None}, "a: {}\nb: []\nc: null\n"),
        ({"a": [{"b": 1, "c": [2]}, 3]}, "a:\n- b: 1\n  c:\n  - 2\n- 3\n"),
        ([[1, 2], [3]], "- - 1\n  - 2\n- - 3\n"),
        ("two\nlines", '"two\\nlines"\n'),
    ],
    ids=str,
)
def test_the_form_is_that_of_kubectl(data: object, expected: str) -> None:
    assert to_yaml(data) == expected
