import string
from collections.abc import Mapping
from typing import NamedTuple

import pytest
from hypothesis import example, given, strategies as st

from kubesched.errors import KubeschedError, SelectorError
from kubesched.model import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
)
from kubesched.selectors import (
    EVERYTHING,
    NOTHING,
    Requirement,
    faults_of_label_value,
    faults_of_qualified_name,
    integer,
    label_map_selector,
    label_selector,
    node_label_selector,
    node_selection,
)
from tests.strategies import (
    KEYS,
    NODE_OPERATORS,
    ODD_KEYS,
    ODD_VALUES,
    POD_OPERATORS,
    keys,
    label_selectors,
    label_selectors_maybe_odd,
    labels,
    node_names,
    node_requirements_maybe_odd,
    node_selectors_maybe_odd,
    node_terms_maybe_odd,
    odd_or,
    requirements,
    values,
)

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


# -- against a naive reading of the documents ------------------------------------------------------

EDGE = string.ascii_letters + string.digits
INSIDE = EDGE + "-_."


def may_be_value(value: str) -> bool:
    return value == "" or (
        len(value) <= 63 and value[0] in EDGE and value[-1] in EDGE and set(value) <= set(INSIDE)
    )


def may_be_key(key: str) -> bool:
    *domain, name = key.split("/")
    if len(domain) > 1 or not name or not may_be_value(name):
        return False
    return not domain or all(
        part and may_be_value(part) and part == part.lower() and "_" not in part
        for part in domain[0].split(".")
    )


def is_sound(each: LabelSelectorRequirement | NodeSelectorRequirement) -> bool:
    if not may_be_key(each.key) or not all(map(may_be_value, each.values)):
        return False
    if each.operator in {"Gt", "Lt"}:
        return len(each.values) == 1 and each.values[0].isdigit() and int(each.values[0]) < 2**63
    return bool(each.values) == (each.operator in {"In", "NotIn"})


def is_met(
    each: LabelSelectorRequirement | NodeSelectorRequirement, labels: Mapping[str, str]
) -> bool:
    has = each.key in labels
    if each.operator == "Exists":
        return has
    if each.operator == "DoesNotExist":
        return not has
    if each.operator == "NotIn":
        return not has or labels[each.key] not in each.values
    if each.operator == "In":
        return has and labels[each.key] in each.values
    if not has or not labels[each.key].isdigit():
        return False
    number, bound = int(labels[each.key]), int(each.values[0])
    return number > bound if each.operator == "Gt" else number < bound


def answer(selector: LabelSelector, labels: Mapping[str, str]) -> bool | None:
    """Answer as the documents say; None if there is no answer."""
    asked = [
        LabelSelectorRequirement(key=key, operator="In", values=[value])
        for key, value in selector.match_labels.items()
    ] + [*selector.match_expressions]
    if not all(each.operator in POD_OPERATORS and is_sound(each) for each in asked):
        return None
    return all(is_met(each, labels) for each in asked)


def node_term_answer(term: NodeSelectorTerm, labels: Mapping[str, str], name: str) -> bool:
    if not term.match_expressions and not term.match_fields:
        return False
    return all(
        each.operator in NODE_OPERATORS and is_sound(each) and is_met(each, labels)
        for each in term.match_expressions
    ) and all(
        len(each.values) == 1
        and each.operator in {"In", "NotIn"}
        and is_met(each, {each.key: name if each.key == "metadata.name" else ""})
        for each in term.match_fields
    )


@given(label_selectors_maybe_odd(), labels())
def test_a_label_selector_answers_as_the_documents_say(
    selector: LabelSelector, labels: dict[str, str]
) -> None:
    expected = answer(selector, labels)
    if expected is None:
        with pytest.raises(SelectorError):
            label_selector(selector)
    else:
        assert label_selector(selector).matches(labels) is expected


@given(node_selectors_maybe_odd(), labels(), node_names)
def test_a_node_selector_answers_as_the_documents_say(
    selector: NodeSelector, labels: dict[str, str], name: str
) -> None:
    expected = any(node_term_answer(term, labels, name) for term in selector.node_selector_terms)
    assert node_selection(selector).matches(labels, name) is expected


@given(st.lists(node_requirements_maybe_odd(), min_size=1, max_size=3), labels())
def test_label_expressions_of_a_node_answer_or_are_refused(
    expressions: list[NodeSelectorRequirement], labels: dict[str, str]
) -> None:
    if all(each.operator in NODE_OPERATORS and is_sound(each) for each in expressions):
        expected = all(is_met(each, labels) for each in expressions)
        assert node_label_selector(expressions).matches(labels) is expected
    else:
        with pytest.raises(SelectorError):
            node_label_selector(expressions)


@given(st.dictionaries(odd_or(keys, ODD_KEYS), odd_or(values, ODD_VALUES)), labels())
def test_a_map_selects_by_its_entries_that_could_be_labels(
    wanted: dict[str, str], labels: dict[str, str]
) -> None:
    sound = {key: value for key, value in wanted.items() if may_be_key(key) and may_be_value(value)}
    assert label_map_selector(wanted).matches(labels) is (sound.items() <= labels.items())


@given(st.text(max_size=3, alphabet="aZ9-_./ é\n") | st.sampled_from(ODD_KEYS))
def test_keys_and_values_are_judged_as_the_naive_reader_does(text: str) -> None:
    assert (not faults_of_label_value(text)) is may_be_value(text)
    assert (not faults_of_qualified_name(text)) is may_be_key(text)


# -- laws ------------------------------------------------------------------------------------------


@given(labels())
def test_no_selector_selects_nothing_and_an_empty_one_everything(labels: dict[str, str]) -> None:
    assert label_selector(None) is NOTHING
    assert not NOTHING.matches(labels)
    assert label_selector(LabelSelector()) == EVERYTHING
    assert EVERYTHING.matches(labels)
    assert label_map_selector({}) == EVERYTHING


@given(labels(), node_names)
def test_neither_no_terms_nor_an_empty_term_select_a_node(
    labels: dict[str, str], name: str
) -> None:
    assert not node_selection(NodeSelector()).matches(labels, name)
    empty = NodeSelector(node_selector_terms=[NodeSelectorTerm()])
    assert not node_selection(empty).matches(labels, name)
    assert node_label_selector([]) is NOTHING


@given(label_selectors(), requirements(), labels())
def test_one_more_condition_never_selects_more(
    selector: LabelSelector, more: LabelSelectorRequirement, labels: dict[str, str]
) -> None:
    narrow = LabelSelector(
        match_labels=selector.match_labels, match_expressions=[*selector.match_expressions, more]
    )
    assert label_selector(narrow).matches(labels) <= label_selector(selector).matches(labels)


@given(node_selectors_maybe_odd(), node_terms_maybe_odd(), labels(), node_names)
def test_one_more_term_never_selects_less(
    selector: NodeSelector, more: NodeSelectorTerm, labels: dict[str, str], name: str
) -> None:
    wide = NodeSelector(node_selector_terms=[*selector.node_selector_terms, more])
    assert node_selection(wide).matches(labels, name) >= node_selection(selector).matches(
        labels, name
    )


@given(keys, st.lists(values, min_size=1), labels())
@example(KEYS[0], [""], {})
def test_an_operator_and_its_opposite_never_agree(
    key: str, wanted: list[str], labels: dict[str, str]
) -> None:
    def meets(operator: str, *given: str) -> bool:
        return Requirement(key, operator, given).matches(labels)

    assert meets("In", *wanted) is not meets("NotIn", *wanted)
    assert meets("Exists") is not meets("DoesNotExist")


@given(keys, st.integers(0, 20), labels())
def test_a_number_is_above_below_or_the_same(key: str, bound: int, labels: dict[str, str]) -> None:
    ways = [Requirement(key, operator, (str(bound),)) for operator in ("Lt", "Gt")]
    meets = [way.matches(labels) for way in ways]
    held = integer(labels.get(key, ""))
    assert meets.count(True) == (0 if held is None or held == bound else 1)


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


def test_a_value_that_could_not_be_a_label_never_matches_not_even_by_not_in() -> None:
    odd = NodeSelectorRequirement(key="k", operator="NotIn", values=["-1"])
    selector = NodeSelector(node_selector_terms=[NodeSelectorTerm(match_expressions=[odd])])
    assert not node_selection(selector).matches({}, "n1")
