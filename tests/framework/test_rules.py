"""Rule sets: the rules that a scheduler decides by, as one value."""

from typing import Any

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, strategies as st

from kubesched.errors import DuplicateNameError, OptionError, UnknownNameError
from kubesched.framework import FITS, Fit, Options, PredicateSpec, PrioritySpec, RuleSet
from kubesched.model import Pod
from kubesched.state import NodeInfo


def anywhere(_pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
    return FITS


def one(_pod: Pod, _meta: None, _node: NodeInfo, /) -> int:
    return 1


def ordered(name: str, order: int) -> PredicateSpec[None]:
    return PredicateSpec(name, anywhere, order=order)


EARLY, LATE, LATER = ordered("Early", 1), ordered("Late", 20), ordered("Later", 300)
BRIGHT, CALM = PrioritySpec("Bright", one), PrioritySpec("Calm", one)


@given(st.permutations([EARLY, LATE, LATER]))
def test_predicates_stand_in_their_order_however_they_came(
    given_specs: list[PredicateSpec[None]],
) -> None:
    one_by_one = RuleSet()
    for spec in given_specs:
        one_by_one = one_by_one.with_predicate(spec)
    assert one_by_one == RuleSet(given_specs) == RuleSet((EARLY, LATE, LATER))
    assert one_by_one.predicates == (EARLY, LATE, LATER)


@given(st.permutations([ordered(name, 7) for name in "abcd"]))
def test_predicates_of_one_order_stand_as_they_came(
    given_specs: list[PredicateSpec[None]],
) -> None:
    assert RuleSet(iter(given_specs)).predicates == tuple(given_specs)


def test_priorities_stand_as_they_came() -> None:
    rules = RuleSet(priorities=[CALM]).with_priority(BRIGHT)
    assert rules.priorities == (CALM, BRIGHT)


@given(st.sampled_from([EARLY, LATE, LATER]))
def test_taking_out_what_was_put_in_gives_the_same_rules(spec: PredicateSpec[None]) -> None:
    others = [each for each in (EARLY, LATE, LATER) if each is not spec]
    rules = RuleSet(others, [CALM])
    assert rules.with_predicate(spec).without(spec.name) == rules


def test_taking_out_leaves_the_rules_that_one_had() -> None:
    rules = RuleSet([EARLY, LATE], [BRIGHT, CALM])
    assert rules.without("Early").without("Calm") == RuleSet([LATE], [BRIGHT])
    assert rules == RuleSet([EARLY, LATE], [BRIGHT, CALM])


def test_a_name_takes_out_the_predicate_and_the_priority() -> None:
    rules = RuleSet([EARLY, LATE], [PrioritySpec("Early", one)])
    assert rules.without("Early") == RuleSet([LATE])


def test_only_what_is_there_can_be_taken_out() -> None:
    with pytest.raises(UnknownNameError) as caught:
        RuleSet([EARLY], [BRIGHT]).without("Erly")
    assert str(caught.value) == "rule 'Erly' is not registered; did you mean 'Early'?"
    assert caught.value.known == ("Bright", "Early")


def test_a_predicate_stands_there_once() -> None:
    with pytest.raises(DuplicateNameError) as caught:
        RuleSet([EARLY]).with_predicate(ordered("Early", 9))
    assert str(caught.value) == "predicate 'Early' is registered already"


def test_a_priority_stands_there_once() -> None:
    with pytest.raises(DuplicateNameError) as caught:
        RuleSet(priorities=[BRIGHT, CALM, BRIGHT.weighted(2)])
    assert str(caught.value) == "priority 'Bright' is registered already"


def test_a_predicate_and_a_priority_may_share_a_name() -> None:
    assert RuleSet([EARLY], [PrioritySpec("Early", one)]).predicates == (EARLY,)


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        RuleSet().options = Options()  # type: ignore[misc]


def test_options_are_the_original_ones() -> None:
    assert RuleSet().options == Options(
        percentage_of_nodes_to_score=50, always_check_all_predicates=False
    )


def test_options_change_one_at_a_time() -> None:
    rules = RuleSet([EARLY]).with_options(percentage_of_nodes_to_score=7)
    assert rules.with_options(always_check_all_predicates=True) == RuleSet(
        [EARLY],
        options=Options(percentage_of_nodes_to_score=7, always_check_all_predicates=True),
    )
    assert rules.with_options() == rules


def test_an_unknown_option_gives_the_one_that_was_probably_meant() -> None:
    with pytest.raises(UnknownNameError) as caught:
        RuleSet().with_options(percentage_of_nodes=7)
    assert str(caught.value) == (
        "option 'percentage_of_nodes' is not registered; "
        "did you mean 'percentage_of_nodes_to_score'?"
    )


@pytest.mark.parametrize("value", ["50", 50.0, None, True], ids=repr)
def test_a_percentage_is_an_integer(value: Any) -> None:
    text = f"^percentage_of_nodes_to_score is {value!r}, expected an integer$"
    with pytest.raises(OptionError, match=text):
        Options(percentage_of_nodes_to_score=value)
    with pytest.raises(OptionError, match=text):
        RuleSet().with_options(percentage_of_nodes_to_score=value)


@given(st.integers())
def test_every_integer_is_a_percentage(percentage: int) -> None:
    options = Options(percentage_of_nodes_to_score=percentage)
    assert options.percentage_of_nodes_to_score == percentage


@pytest.mark.parametrize("value", ["yes", 1, None], ids=repr)
def test_whether_all_predicates_are_asked_is_true_or_false(value: Any) -> None:
    text = f"^always_check_all_predicates is {value!r}, expected True or False$"
    with pytest.raises(OptionError, match=text):
        RuleSet().with_options(always_check_all_predicates=value)
