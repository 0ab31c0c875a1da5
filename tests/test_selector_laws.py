"""Selectors beside a naive reading of the documents, and what holds for all of them."""

import string
from collections.abc import Mapping

import pytest
from hypothesis import example, given, strategies as st

from kubesched.errors import SelectorError
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
def test_a_map_selects_what_has_its_entries_or_everything_if_one_could_be_no_label(
    wanted: dict[str, str], labels: dict[str, str]
) -> None:
    is_sound = all(may_be_key(key) and may_be_value(value) for key, value in wanted.items())
    expected = wanted.items() <= labels.items() or not is_sound
    assert label_map_selector(wanted).matches(labels) is expected


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
