"""Reading answers with Go's eyes."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched.plugins.http_extender.answers import BOUND, FILTERED, PREEMPTED, SCORED
from kubesched.plugins.http_extender.reading import (
    INT32,
    INT64,
    QUANTITY,
    TEXT,
    TIME,
    TRUTH,
    Kind,
    UnreadableError,
    first_value,
    list_of,
    map_of,
    optional,
    struct,
)
from kubesched.quantity import Quantity

PERSON = struct(name=TEXT, age=INT64, tags=list_of(TEXT), kinDs=map_of(INT32), self=optional(TEXT))
NOBODY = {"name": "", "age": 0, "tags": None, "kinDs": None, "self": None}


def read(kind: Kind, text: str) -> Any:
    return kind.of(first_value(text.encode()))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("{}", {}, id="nothing"),
        pytest.param('{"NAME": "x", "Age": 3}', {"name": "x", "age": 3}, id="keys in any case"),
        pytest.param('{"name": "x", "Name": "y"}', {"name": "y"}, id="the later key wins"),
        pytest.param('{"name": "x", "Name": null}', {"name": "x"}, id="null leaves a text"),
        pytest.param('{"tags": ["x"], "Tags": null}', {"tags": None}, id="null clears a list"),
        pytest.param('{"tags": ["x", null]}', {"tags": ["x", ""]}, id="null in a list"),
        pytest.param(
            '{"tags": ["x", "y"], "TAGS": [null]}', {"tags": ["x"]}, id="null over an item"
        ),
        pytest.param(
            '{"kinds": {"a": 1, "b": 2}, "KINDS": {"b": 3, "C": null}}',
            {"kinDs": {"a": 1, "b": 3, "C": 0}},
            id="a map over a map",
        ),
        pytest.param('{"\u017felf": "s", "\u212ainds": {}}', {"self": "s", "kinDs": {}}, id="old"),
        pytest.param('{"nickname": [{}], "name_": 1}', {}, id="unknown keys"),
        pytest.param('{"age": -9223372036854775808}', {"age": -(2**63)}, id="the smallest integer"),
        pytest.param('{"name": "\\ud83d!"}', {"name": "\ufffd!"}, id="half a character"),
        pytest.param('{"name": "x"} and {"name": "y"}', {"name": "x"}, id="more behind it"),
        pytest.param("null", {}, id="null"),
    ],
)
def test_what_fits_is_read(text: str, value: dict[str, Any]) -> None:
    assert read(PERSON, text) == {**NOBODY, **value}


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        pytest.param(PERSON, "", "it is empty", id="empty"),
        pytest.param(PERSON, " \n\t", "it is empty", id="blank"),
        pytest.param(PERSON, "\ufeff{}", "it is not JSON", id="a byte-order mark"),
        pytest.param(PERSON, "\u00a0{}", "it is not JSON", id="a blank that is none to JSON"),
        pytest.param(PERSON, "<html>", "it is not JSON", id="something else"),
        pytest.param(PERSON, '{"name": "x"', "it is not JSON", id="broken off"),
        pytest.param(PERSON, "{'name': 1}", "it is not JSON", id="single quotes"),
        pytest.param(PERSON, '{"name": "a\nb"}', "it is not JSON", id="a line end in a text"),
        pytest.param(PERSON, '{"x": NaN}', "it is not JSON (NaN)", id="no number"),
        pytest.param(PERSON, '{"x": -Infinity}', "it is not JSON", id="infinity"),
        pytest.param(PERSON, "[" * 100_000, "it is nested too deeply", id="too deep"),
        pytest.param(PERSON, "[]", "it is not an object", id="a list"),
        pytest.param(list_of(TEXT), "{}", "it is not a list", id="an object"),
        pytest.param(PERSON, '{"Name": 5}', "name is not a string", id="a number as text"),
        pytest.param(PERSON, '{"age": "5"}', "age is not an integer of 64", id="text as a number"),
        pytest.param(PERSON, '{"age": 5.0}', "age is not an integer", id="a point"),
        pytest.param(PERSON, '{"age": 5e1}', "age is not an integer", id="an exponent"),
        pytest.param(PERSON, '{"age": 9223372036854775808}', "age is not", id="65 bits"),
        pytest.param(PERSON, f'{{"age": {"9" * 5000}}}', "age is not", id="many digits"),
        pytest.param(PERSON, '{"kinds": {"a b": 2147483648}}', "kinDs['a b'] is", id="33 bits"),
        pytest.param(PERSON, '{"tags": ["x", true]}', "tags[1] is not a string", id="true"),
        pytest.param(TRUTH, "1", "it is not a boolean", id="a number as a truth value"),
        pytest.param(TIME, '"yesterday"', "it is not a time", id="no time"),
        pytest.param(QUANTITY, '"lots"', "it is not a quantity", id="no quantity"),
        pytest.param(QUANTITY, "true", "it is not a quantity", id="true is no quantity"),
    ],
)
def test_what_does_not_fit_says_where(kind: Kind, text: str, said: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(kind, text)
    assert str(caught.value).startswith(said)


def test_an_object_is_laid_over_the_one_before_it() -> None:
    twice = '{"nodes": {"items": [{"metadata": {"name": "a"}}]}, "Nodes": {"kind": "NodeList"}}'
    nodes = read(FILTERED, twice)["Nodes"]
    assert (nodes["kind"], nodes["items"][0]["metadata"]["name"]) == ("NodeList", "a")


def test_a_quantity_may_be_a_number() -> None:
    assert read(QUANTITY, "0.5") == Quantity("500m")
    assert read(QUANTITY, '" 1Gi "') == Quantity("1Gi")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"kind": 1}', "kind"),
        ('{"metadata": {"continue": 1}}', "metadata.continue"),
        ('{"items": {}}', "items"),
        ('{"items": [{"metadata": {"labels": []}}]}', "items[0].metadata.labels"),
        ('{"items": [{"spec": {"taints": [1]}}]}', "items[0].spec.taints[0]"),
        (
            '{"items": [null, {"status": {"daemonEndpoints": {"kubeletEndpoint": {"port": ""}}}}]}',
            "items[1].status.daemonEndpoints.kubeletEndpoint.Port",
        ),
        (
            '{"items": [{"status": {"images": [{"sizeBytes": 1.5}]}}]}',
            "items[0].status.images[0].sizeBytes",
        ),
    ],
)
def test_whole_nodes_are_read_in_all_their_parts(text: str, path: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(FILTERED, f'{{"nodes": {text}}}')
    assert str(caught.value).startswith(f"Nodes.{path} is not ")


@given(st.binary(max_size=40), st.sampled_from([FILTERED, SCORED, PREEMPTED, BOUND]))
def test_whatever_is_sent_is_read_or_unreadable(content: bytes, kind: Kind) -> None:
    said: list[str] = []
    try:
        kind.of(first_value(content))
    except UnreadableError as error:
        said.append(str(error))
    assert all(said)


KEYS = ("Nodes", "nodenames", "FailedNodes", "error", "items", "metadata", "Host", "Score", "Pods")
json_texts = st.recursive(
    st.sampled_from(["null", "true", "0", "1.5", '""', '"a"']),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda each: f"[{','.join(each)}]"),
        st.lists(st.tuples(st.sampled_from(KEYS), inner), max_size=3).map(
            lambda each: "{" + ",".join(f'"{key}":{value}' for key, value in each) + "}"
        ),
    ),
    max_leaves=12,
)


@given(json_texts, st.sampled_from([FILTERED, SCORED, PREEMPTED, BOUND]))
def test_whatever_json_is_sent_is_of_the_right_types_or_unreadable(text: str, kind: Kind) -> None:
    said: list[str] = []
    try:
        read(kind, text)
    except UnreadableError as error:
        said.append(error.why)
    assert all(why.startswith("is not ") for why in said)
