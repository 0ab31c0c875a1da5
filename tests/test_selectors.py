from collections.abc import Mapping
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from kubesched.errors import KubeschedError, SelectorError
from kubesched.model import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
)
from kubesched.selectors import (
    Requirement,
    faults_of_label_value,
    faults_of_qualified_name,
    integer,
    label_selector,
    node_label_selector,
    node_selection,
)
from tests.copies import pickled

NAME_RULE = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
VALUE_RULE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
PREFIX_RULE = (
    "prefix part a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
TWO_SLASHES = (
    f"a qualified name {NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. "
    "'example.com/MyName')"
)

ASKED = [
    pytest.param("In", ("a", "b"), {"k": "b"}, True, id="In: the value is listed"),
    pytest.param("In", ("a",), {"k": "b"}, False, id="In: the value is not listed"),
    pytest.param("In", ("a",), {}, False, id="In: there is no label"),
    pytest.param("In", ("",), {}, False, id="In: no label is not an empty one"),
    pytest.param("In", ("",), {"k": ""}, True, id="In: an empty value is a value"),
    pytest.param("NotIn", ("a",), {"k": "a"}, False, id="NotIn: the value is listed"),
    pytest.param("NotIn", ("a",), {"k": "b"}, True, id="NotIn: the value is not listed"),
    pytest.param("NotIn", ("a",), {}, True, id="NotIn: there is no label"),
    pytest.param("NotIn", ("",), {}, True, id="NotIn: no label is not an empty one"),
    pytest.param("Exists", (), {"k": ""}, True, id="Exists: there is a label"),
    pytest.param("Exists", (), {"other": "a"}, False, id="Exists: there is none"),
    pytest.param("DoesNotExist", (), {"k": ""}, False, id="DoesNotExist: there is a label"),
    pytest.param("DoesNotExist", (), {"other": "a"}, True, id="DoesNotExist: there is none"),
    pytest.param("Gt", ("9",), {"k": "10"}, True, id="Gt: above"),
    pytest.param("Gt", ("9",), {"k": "9"}, False, id="Gt: the same"),
    pytest.param("Gt", ("9",), {"k": "8"}, False, id="Gt: below"),
    pytest.param("Gt", ("0",), {}, False, id="Gt: there is no label"),
    pytest.param("Gt", ("0",), {"k": "many"}, False, id="Gt: the label is no number"),
    pytest.param("Gt", ("0",), {"k": "1.5"}, False, id="Gt: the label is a fraction"),
    pytest.param("Gt", ("0",), {"k": "-1"}, False, id="Gt: the label is below 0"),
    pytest.param("Gt", ("007",), {"k": "08"}, True, id="Gt: leading zeros do not count"),
    pytest.param("Gt", ("0",), {"k": str(2**63)}, False, id="Gt: the label is beyond 64 bits"),
    pytest.param("Gt", ("0",), {"k": "9" * 5000}, False, id="Gt: the label is absurdly long"),
    pytest.param("Lt", ("9",), {"k": "-10"}, True, id="Lt: below"),
    pytest.param("Lt", ("9",), {"k": "9"}, False, id="Lt: the same"),
    pytest.param("Lt", ("9",), {"k": "10"}, False, id="Lt: above"),
    pytest.param("Lt", ("9",), {}, False, id="Lt: there is no label"),
    pytest.param("Lt", ("9",), {"k": ""}, False, id="Lt: an empty label is no number"),
]


@pytest.mark.parametrize(("operator", "values", "labels", "meets"), ASKED)
def test_a_requirement_asks_one_thing_of_labels(
    *, operator: str, values: tuple[str, ...], labels: Mapping[str, str], meets: bool
) -> None:
    assert Requirement("k", operator, values).matches(labels) is meets


class Refused(NamedTuple):
    """A condition that cannot be evaluated, and in which words it is refused."""

    says: str
    key: str
    operator: str
    values: tuple[str, ...]
    text: str


NO_VALUES = "for 'in', 'notin' operators, values set can't be empty"
SOME_VALUES = "values set must be empty for exists and does not exist"
NOT_ONE = "for 'Gt', 'Lt' operators, exactly one value is required"
NO_INTEGER = "for 'Gt', 'Lt' operators, the value must be an integer"
REFUSED = [
    Refused("In without values", "k", "In", (), NO_VALUES),
    Refused("NotIn without values", "k", "NotIn", (), NO_VALUES),
    Refused("Exists with a value", "k", "Exists", ("a",), SOME_VALUES),
    Refused("DoesNotExist with a value", "k", "DoesNotExist", ("",), SOME_VALUES),
    Refused("Gt without a value", "k", "Gt", (), NOT_ONE),
    Refused("Lt with two values", "k", "Lt", ("1", "2"), NOT_ONE),
    Refused("Gt with a word", "k", "Gt", ("many",), NO_INTEGER),
    Refused("Lt beyond 64 bits", "k", "Lt", (str(2**63),), NO_INTEGER),
    Refused("Lt with a fraction", "k", "Lt", ("1.5",), NO_INTEGER),
    Refused("Lt with more digits than anyone reads", "k", "Lt", ("1" * 5000,), NO_INTEGER),
    Refused("Gt below 0", "k", "Gt", ("-1",), f'invalid label value: "-1": {VALUE_RULE}'),
    Refused(
        "a value with a blank", "k", "In", ("a b",), f'invalid label value: "a b": {VALUE_RULE}'
    ),
    Refused("an operator that nobody knows", "k", "Has", (), "operator 'Has' is not recognized"),
    Refused(
        "an empty key",
        "",
        "Exists",
        (),
        f'invalid label key "": name part must be non-empty; name part {NAME_RULE}',
    ),
    Refused(
        "the key comes first", "-k", "In", (), f'invalid label key "-k": name part {NAME_RULE}'
    ),
]


@pytest.mark.parametrize("refused", REFUSED, ids=lambda it: it.says)
def test_what_cannot_be_evaluated_is_refused_in_the_words_of_the_original(refused: Refused) -> None:
    with pytest.raises(SelectorError) as caught:
        Requirement(refused.key, refused.operator, refused.values)
    assert str(caught.value) == refused.text
    assert isinstance(caught.value, KubeschedError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-0", 0),
        ("+5", 5),
        ("-5", -5),
        ("007", 7),
        (str(2**63 - 1), 2**63 - 1),
        (str(2**63), None),
        (str(-(2**63)), -(2**63)),
        (str(-(2**63) - 1), None),
        pytest.param("0" * 5000 + "1", 1, id="any number of zeros"),
        pytest.param("1" * 5000, None, id="any number of ones"),
        pytest.param("", None, id="nothing"),
        ("-", None),
        ("1_000", None),
        ("1e3", None),
        (" 1", None),
        pytest.param("1\n", None, id="a line"),
        ("0x1", None),
        ("٣", None),
        ("--1", None),
    ],
)
def test_an_integer_is_read_as_go_reads_it(text: str, number: int | None) -> None:
    assert integer(text) == number


@given(st.integers(-(2**64), 2**64))
def test_an_integer_is_read_if_64_bits_hold_it(number: int) -> None:
    assert integer(str(number)) == (number if -(2**63) <= number < 2**63 else None)


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("a", [], id="a letter"),
        pytest.param("My-Value_1.0", [], id="anything inside"),
        pytest.param("v" * 63, [], id="63 characters"),
        pytest.param("v" * 64, ["must be no more than 63 characters"], id="64 characters"),
        pytest.param("-a", [VALUE_RULE], id="a dash in front"),
        pytest.param("a.", [VALUE_RULE], id="a point behind"),
        pytest.param("a/b", [VALUE_RULE], id="a slash"),
        pytest.param("a\n", [VALUE_RULE], id="a line"),
        pytest.param("é", [VALUE_RULE], id="a letter of another alphabet"),
        pytest.param(
            "-" * 64, ["must be no more than 63 characters", VALUE_RULE], id="too long and wrong"
        ),
    ],
)
def test_a_label_value_is_judged_as_the_api_server_judges_it(value: str, faults: list[str]) -> None:
    assert faults_of_label_value(value) == faults


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        pytest.param("app", [], id="a name"),
        pytest.param("example.com/App_1", [], id="a name in a domain"),
        pytest.param("a" * 253 + "/b", [], id="a long domain"),
        pytest.param("", ["name part must be non-empty", f"name part {NAME_RULE}"], id="nothing"),
        pytest.param(
            "k" * 64, ["name part must be no more than 63 characters"], id="64 characters"
        ),
        pytest.param("-k", [f"name part {NAME_RULE}"], id="a dash in front"),
        pytest.param("/k", ["prefix part must be non-empty"], id="an empty domain"),
        pytest.param("Example.com/k", [PREFIX_RULE], id="a domain in capitals"),
        pytest.param("a..b/k", [PREFIX_RULE], id="a domain with a gap"),
        pytest.param(
            "a" * 254 + "/b", ["prefix part must be no more than 253 characters"], id="too long"
        ),
        pytest.param(
            "/",
            [
                "prefix part must be non-empty",
                "name part must be non-empty",
                f"name part {NAME_RULE}",
            ],
            id="a slash alone",
        ),
        pytest.param(
            "a/b/c",
            [TWO_SLASHES],
            id="two slashes",
        ),
    ],
)
def test_a_key_is_judged_as_the_api_server_judges_it(name: str, faults: list[str]) -> None:
    assert faults_of_qualified_name(name) == faults


@pytest.mark.parametrize(
    ("selector", "text"),
    [
        pytest.param(
            LabelSelector(match_expressions=[LabelSelectorRequirement(key="k", operator="Gt")]),
            '"Gt" is not a valid pod selector operator',
            id="pods are not compared by number",
        ),
        pytest.param(
            LabelSelector(match_labels={"k": "a b"}),
            f'invalid label value: "a b": {VALUE_RULE}',
            id="a plain label is checked too",
        ),
    ],
)
def test_a_label_selector_is_refused_with_the_reason(selector: LabelSelector, text: str) -> None:
    with pytest.raises(SelectorError) as caught:
        label_selector(selector)
    assert str(caught.value) == text


def test_a_node_expression_with_an_unknown_operator_is_refused_with_the_reason() -> None:
    with pytest.raises(SelectorError) as caught:
        node_label_selector([NodeSelectorRequirement(key="k", operator="in", values=["a"])])
    assert str(caught.value) == '"in" is not a valid node selector operator'


def where(key: str, operator: str, *values: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator=operator, values=values)


NAME = "metadata.name"
ON_SSD = where("disk", "In", "ssd")
# Terms, as label expressions and as fields, and whether they select the node n1 with `disk=ssd`.
TERMS = [
    pytest.param([], False, id="no terms"),
    pytest.param([((), ())], False, id="an empty term"),
    pytest.param([((ON_SSD,), ())], True, id="a label that it has"),
    pytest.param([((where("disk", "In", "hdd"),), ())], False, id="a label that it has not"),
    pytest.param([((), (where(NAME, "In", "n1"),))], True, id="its name"),
    pytest.param([((), (where(NAME, "In", "n2"),))], False, id="another name"),
    pytest.param([((), (where(NAME, "NotIn", "n2"),))], True, id="not another name"),
    pytest.param([((), (where(NAME, "NotIn", "n1"),))], False, id="not its name"),
    pytest.param([((), (where(NAME, "In", "n1", "n2"),))], False, id="two names are one too many"),
    pytest.param([((), (where(NAME, "NotIn"),))], False, id="no name is one too few"),
    pytest.param([((), (where(NAME, "Exists"),))], False, id="names cannot be asked for otherwise"),
    pytest.param([((), (where("metadata.uid", "In", "n1"),))], False, id="there is no other field"),
    pytest.param([((), (where("metadata.uid", "In", ""),))], True, id="and that one is empty"),
    pytest.param([((ON_SSD,), (where(NAME, "In", "n1"),))], True, id="a label and its name"),
    pytest.param([((ON_SSD,), (where(NAME, "In", "n2"),))], False, id="a label and another name"),
    pytest.param(
        [((ON_SSD, where("disk", "NotIn", "ssd")), ())], False, id="all expressions must hold"
    ),
    pytest.param([((), ()), ((ON_SSD,), ())], True, id="one term is enough"),
    pytest.param(
        [((where("disk", "Has"),), ()), ((ON_SSD,), ())], True, id="a bad term is skipped"
    ),
    pytest.param([((where("disk", "Has"), ON_SSD), ())], False, id="but not half a bad term"),
    pytest.param(
        [((where("disk", "NotIn", "-1"),), ())], False, id="what is no label value never matches"
    ),
]


@pytest.mark.parametrize(("terms", "selects"), TERMS)
def test_a_node_selector_selects_a_node_by_any_of_its_terms(
    *,
    terms: list[tuple[tuple[NodeSelectorRequirement, ...], tuple[NodeSelectorRequirement, ...]]],
    selects: bool,
) -> None:
    selector = NodeSelector(
        node_selector_terms=[
            NodeSelectorTerm(match_expressions=labels, match_fields=fields)
            for labels, fields in terms
        ]
    )
    assert node_selection(selector).matches({"disk": "ssd"}, "n1") is selects


@pytest.mark.parametrize("operator", ["In", "Exists", "Gt"])
def test_a_requirement_can_be_pickled(operator: str) -> None:
    values = {"In": ("4", "8"), "Exists": (), "Gt": ("4",)}[operator]
    requirement = Requirement("cores", operator, values)
    assert pickled(requirement) == requirement
    assert pickled(requirement).matches({"cores": "8"})
