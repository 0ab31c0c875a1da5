"""The registry: rules by name, as a value."""

from typing import Any

import pytest

from kubesched.errors import DuplicateNameError, UnknownNameError
from kubesched.framework import FITS, Fit, PredicateSpec, PrioritySpec, Registry
from kubesched.model import Pod
from kubesched.state import NodeInfo


def anywhere(_pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
    return FITS


def one(_pod: Pod, _meta: None, _node: NodeInfo, /) -> int:
    return 1


WARM = PredicateSpec("Warm", anywhere)
LIGHT = PredicateSpec("Light", anywhere)
BRIGHT = PrioritySpec("Bright", one)


def test_rules_are_found_by_name() -> None:
    registry = Registry().extended(WARM, BRIGHT, LIGHT)
    assert registry.predicate("Warm") is WARM
    assert registry.predicate("Light") is LIGHT
    assert registry.priority("Bright") is BRIGHT


def test_extending_gives_another_registry() -> None:
    empty = Registry()
    assert empty.extended(WARM).extended(BRIGHT) == empty.extended(WARM, BRIGHT)
    assert empty == Registry()


def test_a_predicate_and_a_priority_may_share_a_name() -> None:
    shared = PrioritySpec("Warm", one)
    registry = Registry().extended(WARM, shared)
    assert (registry.predicate("Warm"), registry.priority("Warm")) == (WARM, shared)


def test_the_highest_score_goes_along() -> None:
    assert Registry(max_score=100).extended(WARM).max_score == 100


@pytest.mark.parametrize(
    ("twice", "kind"),
    [(WARM, "predicate"), (BRIGHT, "priority")],
    ids=["a predicate twice", "a priority twice"],
)
def test_a_name_is_taken_once(twice: PredicateSpec[Any] | PrioritySpec[Any], kind: str) -> None:
    once = Registry().extended(twice)
    with pytest.raises(DuplicateNameError) as caught:
        once.extended(LIGHT, twice)
    assert str(caught.value) == f"{kind} {twice.name!r} is registered already"
    assert (caught.value.kind, caught.value.taken) == (kind, twice.name)
    assert once == Registry().extended(twice)


def test_an_unknown_name_gives_the_one_that_was_probably_meant() -> None:
    registry = Registry().extended(WARM, LIGHT, BRIGHT)
    with pytest.raises(UnknownNameError) as caught:
        registry.predicate("Wram")
    assert str(caught.value) == "predicate 'Wram' is not registered; did you mean 'Warm'?"
    assert (caught.value.kind, caught.value.unknown) == ("predicate", "Wram")
    assert caught.value.known == ("Light", "Warm")


def test_an_unknown_name_like_no_other_gives_all_there_are() -> None:
    registry = Registry().extended(WARM, LIGHT, BRIGHT)
    with pytest.raises(UnknownNameError) as caught:
        registry.predicate("Quiet zone")
    assert str(caught.value) == "predicate 'Quiet zone' is not registered; there are: Light, Warm"


def test_a_predicate_is_no_priority() -> None:
    with pytest.raises(UnknownNameError) as caught:
        Registry().extended(WARM).priority("Warm")
    assert str(caught.value) == "priority 'Warm' is not registered; there are: none"


def test_a_registry_does_not_follow_the_dict_that_it_was_made_of() -> None:
    known = {WARM.name: WARM}
    registry = Registry(known)
    known.clear()
    assert registry.predicate(WARM.name) is WARM
