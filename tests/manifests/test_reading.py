"""From bytes to documents: encodings, JSON, and YAML in the dialect of Kubernetes."""

import io
import json
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from kubesched.manifests import ManifestError, load_objects, yaml_reader
from kubesched.manifests.flaws import DEEPEST, RepeatedKeys, State, flaws, state_of
from kubesched.manifests.json_reader import read_json
from kubesched.manifests.text import TextError, decoded, position
from kubesched.manifests.values import BadNumber
from kubesched.manifests.yaml_nodes import MOST_ALIASED
from kubesched.manifests.yaml_reader import read_yaml
from kubesched.manifests.yaml_scalars import resolve
from tests.manifests.strategies import ODD_TEXTS

BMP = st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0xFFFF), max_size=5)
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | BMP,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(BMP, parts, max_size=3),
    max_leaves=10,
)


def from_yaml(text: str) -> Any:
    (document,) = read_yaml(text)
    return document


# -- text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_may_be_encoded_as(encoding: str) -> None:
    assert decoded('{"é": "😀"}'.encode(encoding)) == '{"é": "😀"}'


@pytest.mark.parametrize("order", ["le", "be"])
def test_utf_16_may_come_in_either_order(order: str) -> None:
    assert decoded("\ufeff{}".encode(f"utf-16-{order}")) == "{}"


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        (0, "line 1, column 1"),
        (2, "line 1, column 3"),
        (3, "line 2, column 1"),
        (5, "line 3, column 1"),
    ],
)
def test_a_position_is_counted_from_one(offset: int, expected: str) -> None:
    assert position("ab\nc\n", offset) == expected


# -- JSON ------------------------------------------------------------------------------------------


@given(st.lists(TREES, max_size=3), st.sampled_from(["", " ", "\n", "\r\n\t"]))
def test_json_is_read_document_by_document(documents: list[Any], between: str) -> None:
    text = "".join(f"{json.dumps([it])}{between}" for it in documents)
    assert list(read_json(text)) == [[it] for it in documents]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.1", Decimal("0.1")),
        ("1e3", Decimal(1000)),
        ("0.1000000000000000055511151231257827", Decimal("0.1000000000000000055511151231257827")),
        ("1e308", Decimal("1e308")),
        ("-0.0", Decimal(0)),
        ("12345678901234567890", 12345678901234567890),
        ("9" * 400, int("9" * 400)),
        ("9" * 401, BadNumber("9" * 401, "has more than 400 digits")),
        (f"0.{'9' * 400}", BadNumber(f"0.{'9' * 400}", "has more than 400 digits")),
        ("1e309", BadNumber("1e309", "is out of range")),
        ("1e-309", BadNumber("1e-309", "is out of range")),
        ("NaN", BadNumber("NaN", "is not a number")),
        ("-Infinity", BadNumber("-Infinity", "is not a number")),
    ],
)
def test_numbers_of_json_are_read_exactly_or_noted(text: str, expected: object) -> None:
    assert list(read_json(f"[{text}]")) == [[expected]]


# -- YAML: scalars ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ("true True TRUE yes Yes YES on On ON y Y", True),
        ("false False FALSE no No NO off Off OFF n N", False),
        ("null Null NULL ~", None),
        ("8080 +8080 8_080 0x1F90 0x1f90 0X1F90 017620 0o17620 0b1111110010000", 8080),
        ("-8 -0x8 -010 -0o10 -0b1000 -08 -8_", -8),
        ("08 8", 8),
        ("0.5 .5 +.5 0.5e0 5e-1 0_0.5 .5e0 00.5", Decimal("0.5")),
        ("1e3 1E3 1.0e3 1e+3 1000.", Decimal(1000)),
        ("-1e3", Decimal(-1000)),
    ],
)
def test_a_plain_scalar_stands_for(texts: str, expected: object) -> None:
    for text in texts.split():
        value = resolve(text)
        assert (text, value, type(value)) == (text, expected, type(expected))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "tRUE",
            "yEs",
            "nope",
            "oN",
            "nULL",
            "None",
            "=",
            "<<",
            "-",
            "+",
            ".",
            "..",
            "_1",
            "1__e",
        ),
        *("1:30", "190:20:30.15", "2018-11-29", "2018-11-29T13:00:00Z", "1.2.3", "12e", "e3", "0x"),
        *("0b2", "0o9", "0x1G", ".5_0", ".e3", "1e3e3", "16Gi", "100m", "Infinity", "nan", "١٢"),
    ],
)
def test_a_plain_scalar_is_text(text: str) -> None:
    assert resolve(text) == text


@pytest.mark.parametrize("text", [".nan", ".NaN", ".inf", "-.inf", "+.INF"])
def test_a_plain_scalar_is_no_number(text: str) -> None:
    assert resolve(text) == BadNumber(text, "is not a number")


@pytest.mark.parametrize("text", ODD_TEXTS)
@pytest.mark.parametrize("written", [json.dumps, lambda it: f"!!str {json.dumps(it)}"])
def test_what_is_quoted_is_text(written: Any, text: str) -> None:
    if text == "😀":  # JSON escapes it as two characters, which YAML does not know
        return
    assert from_yaml(f"[{written(text)}]") == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('!!int "8080"', 8080),
        ("!!float 8", 8),
        ("!!bool 'on'", True),
        ("!!null ''", None),
        ("!!str 8080", "8080"),
        ("! 8080", "8080"),
        ("!!timestamp 2018-11-29", "2018-11-29"),
        ("!!map {a: 1}", {"a": 1}),
        ("!!seq [1]", [1]),
    ],
)
def test_a_tag_says_what_a_value_is(text: str, expected: object) -> None:
    assert from_yaml(text) == expected


# -- YAML: mappings, aliases, documents ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{on: 1, 8080: 2, 1.50: 3, 0x10: 4, 'on': 5}", ["true", "8080", "1.5", "16", "on"]),
        ("{2018-11-29: 1, 1e3: 2, y: 3, 'y': 4}", ["2018-11-29", "1000", "true", "y"]),
    ],
)
def test_keys_become_text_as_on_the_way_to_json(text: str, expected: list[str]) -> None:
    assert list(from_yaml(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{<<: *a, y1: 2}", {"x": 1, "y1": 2}),
        ("{y1: 2, <<: *a}", {"x": 1, "y1": 2}),
        ("{x: 2, <<: *a}", {"x": 2}),
        ("{<<: [*a, *b]}", {"x": 1, "z": 4}),
        ("{<<: [*b, *a]}", {"x": 3, "z": 4}),
        ("{'<<': *a}", {"<<": {"x": 1}}),
        ("[<<]", ["<<"]),
        ("{a: <<}", {"a": "<<"}),
    ],
    ids=[
        "before the others",
        "after the others",
        "what is there stays",
        "of several the first counts",
        "in either order",
        "not if it is quoted",
        "not in a list",
        "not as a value",
    ],
)
def test_mappings_are_merged(text: str, expected: object) -> None:
    document = from_yaml(f"a: &a {{x: 1}}\nb: &b {{x: 3, z: 4}}\nc: {text}\n")
    assert document["c"] == expected


def test_an_anchor_may_be_given_anew() -> None:
    assert from_yaml("[&a 1, *a, &a 2, *a]") == [1, 1, 2, 2]


def test_aliases_stand_for_what_there_is_up_to_a_limit() -> None:
    size = 1_000
    nodes = f"- &a [{', '.join(['x'] * (size - 1))}]\n"
    at_most = MOST_ALIASED // size
    assert len(from_yaml(nodes + "- *a\n" * at_most)) == at_most + 1
    with pytest.raises(TextError, match="more than 100,000 nodes"):
        from_yaml(nodes + "- *a\n" * (at_most + 1))


def test_documents_end_where_they_say() -> None:
    text = "%YAML 1.1\n---\na\n...\n---\n---\n- b\n--- |\n  c\n"
    assert list(read_yaml(text)) == ["a", None, ["b"], "c\n"]


@given(TREES)
def test_both_parsers_of_pyyaml_are_good_for_it(tree: Any) -> None:
    text = f"- {json.dumps(tree)}\n- *a\n".replace("- ", "- &a ", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_reader, "_LOADER", yaml.SafeLoader)
        in_python = from_yaml(text)
    assert in_python == from_yaml(text) == [tree, tree]


# -- flaws -----------------------------------------------------------------------------------------


def levels(number: int) -> Any:
    tree: Any = []
    for _ in range(number - 1):
        tree = [tree]
    return tree


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("text", State.SOUND),
        (levels(DEEPEST), State.SOUND),
        (levels(DEEPEST + 1), State.TOO_DEEP),
        ([{"a": [BadNumber("NaN", "is not a number")]}], State.FLAWED),
        ([{"a": RepeatedKeys([("b", 1), ("b", 2)])}], State.FLAWED),
    ],
    ids=["a scalar", "just deep enough", "a level too deep", "a bad number", "a repeated key"],
)
def test_a_document_is(document: object, expected: State) -> None:
    assert state_of(document) is expected


def test_what_a_document_has_many_times_is_looked_at_once_a_level() -> None:
    tree: Any = []
    for _ in range(DEEPEST - 1):
        tree = [tree] * 1000
    assert state_of(tree) is State.SOUND


def test_flaws_are_found_with_their_paths() -> None:
    (document,) = read_json('{"a": [0, {"b": NaN, "c": 1, "c": 2}], "d.e": -Infinity}')
    assert [(path, why) for path, _, why in flaws(document)] == [
        ("a[1].c", "occurs more than once"),
        ("a[1].b", "is not a number"),
        ("['d.e']", "is not a number"),
    ]


def test_of_a_repeated_key_the_last_value_is_kept() -> None:
    (document,) = read_json('{"a": 1, "b": 2, "a": 3}')
    assert document == {"a": 3, "b": 2}
    assert isinstance(document, RepeatedKeys)
    assert document.repeated == ("a",)


# -- whatever comes --------------------------------------------------------------------------------


def load_or_refuse(source: Any) -> None:
    with suppress(ManifestError):
        load_objects(source)


@given(st.binary(max_size=40))
def test_no_bytes_are_too_odd_to_be_refused_properly(data: bytes) -> None:
    load_or_refuse(io.BytesIO(data))


@given(st.text("abky:-?[]{},&*!|>'\"%#<~. \n\t\\", max_size=30))
def test_no_text_is_too_odd_to_be_refused_properly(text: str) -> None:
    load_or_refuse(io.StringIO(text))


@given(st.sampled_from(["Pod", "Node", "List", "PodList", "PersistentVolume"]), TREES, TREES)
def test_no_data_is_too_odd_to_be_refused_properly(kind: str, first: Any, second: Any) -> None:
    load_or_refuse({"kind": kind, "metadata": first, "spec": second, "items": second})
