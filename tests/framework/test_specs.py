"""Specs: which rules are accepted, and what the others are told."""

# ruff: noqa: ARG005 - it is the shape of these functions that matters

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, strategies as st

from kubesched.errors import KubeschedError, OptionError, SpecError
from kubesched.framework import (
    AFTER_STOCK,
    FITS,
    WEIGHT_LIMIT,
    Fit,
    PredicateSpec,
    PrioritySpec,
    predicate,
    priority,
    reasons_of,
)
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, Snapshot


def anywhere(_pod: Pod, _meta: object, _node: NodeInfo, /) -> Fit:
    return FITS


def one(_pod: Pod, _meta: object, _node: NodeInfo, /) -> int:
    return 1


def same(
    _pod: Pod, _meta: object, _nodes: Sequence[NodeInfo], scores: Sequence[int], /
) -> Sequence[int]:
    return scores


def nothing(_pod: Pod, _snapshot: Snapshot, /) -> None:
    return None


class Door:
    """A predicate with a state."""

    def __call__(self, _pod: Pod, _meta: object, _node: NodeInfo, /) -> Fit:
        return FITS

    def is_open(self, _pod: Pod, _meta: object, _node: NodeInfo, /) -> Fit:
        return FITS


# -- shapes ------------------------------------------------------------------------------------

ACCEPTED: dict[str, Callable[..., Any]] = {
    "three positional arguments": anywhere,
    "arguments that may be named": lambda pod, meta, node: FITS,
    "a fourth with a default": lambda pod, meta, node, strict=True: FITS,
    "a named one with a default": lambda pod, meta, node, *, strict=True: FITS,
    "any number": lambda *everything: FITS,
    "one and the rest": lambda pod, *rest: FITS,
    "any names as well": lambda pod, meta, node, **more: FITS,
    "an object that can be called": Door(),
    "a method": Door().is_open,
    "a partial that has one argument already": partial(lambda rack, pod, meta, node: FITS, "r7"),
    "one written in C that tells nothing of itself": max,
}

REFUSED: dict[str, object] = {
    "too few arguments": lambda pod, meta: FITS,
    "none at all": lambda: FITS,
    "too many": lambda pod, meta, node, strict: FITS,
    "a named one without a default": lambda pod, meta, node, *, strict: FITS,
    "two and only named ones": lambda pod, meta, **more: FITS,
    "a method of no object": Door.is_open,
    "a partial that has one too many": partial(anywhere, Pod()),
    "nothing that can be called": 42,
    "nothing at all": None,
}


@pytest.mark.parametrize("check", ACCEPTED.values(), ids=ACCEPTED)
def test_a_rule_may_take(check: Callable[..., Any]) -> None:
    assert PredicateSpec("Anywhere", check).check is check
    assert PrioritySpec("Anywhere", check).map is check


@pytest.mark.parametrize("check", REFUSED.values(), ids=REFUSED)
def test_a_rule_may_not_take(check: Any) -> None:
    with pytest.raises(SpecError, match=r"^check of 'Anywhere' is .*, expected check\(pod, "):
        PredicateSpec("Anywhere", check)
    with pytest.raises(SpecError, match=r"^map of 'Anywhere' is .*, expected map\(pod, "):
        PrioritySpec("Anywhere", check)


# -- what an error says ------------------------------------------------------------------------


class Fault(NamedTuple):
    """A spec that cannot be, and what its maker is told."""

    says: str
    make: Callable[[], object]
    error: type[KubeschedError]
    text: str


def of_predicate(text: str, says: str, **fields: Any) -> Fault:
    made: dict[str, Any] = {"name": "Anywhere", "check": anywhere, **fields}
    return Fault(f"predicate: {says}", lambda: PredicateSpec(**made), SpecError, text)


def of_priority(
    text: str, says: str, error: type[KubeschedError] = SpecError, **fields: Any
) -> Fault:
    made: dict[str, Any] = {"name": "One", "map": one, **fields}
    return Fault(f"priority: {says}", lambda: PrioritySpec(**made), error, text)


def of_weight(says: str, weight: object) -> Fault:
    return of_priority(
        f"the weight of priority 'One' is {weight!r}, "
        "expected an integer above 0 and below 922337203685477580",
        says,
        OptionError,
        weight=weight,
    )


FAULTS = [
    of_predicate(
        "check of 'Anywhere' is 42, expected check(pod, meta, node) -> Fit",
        "the check cannot be called",
        check=42,
    ),
    of_predicate(
        "prepare of 'Anywhere' is 42, expected prepare(pod, snapshot) -> meta",
        "the prepare cannot be called",
        prepare=42,
    ),
    of_predicate(
        f"prepare of 'Anywhere' is {anywhere!r}, expected prepare(pod, snapshot) -> meta",
        "the prepare takes too much",
        prepare=anywhere,
    ),
    of_predicate("the name of a rule is '', expected a text that is not empty", "no name", name=""),
    of_predicate(
        "the name of a rule is None, expected a text that is not empty",
        "a name that is no text",
        name=None,
    ),
    of_predicate(
        "reads of 'Anywhere' has 'LABELS', expected members of Facet",
        "it reads what is no facet",
        reads=["LABELS"],
    ),
    of_predicate(
        "order of 'Anywhere' is '7', expected an integer", "an order that is text", order="7"
    ),
    of_predicate(
        "reads of 'Anywhere' has 1, expected members of Facet",
        "a facet's number is no facet",
        reads={1},
    ),
    of_predicate(
        "reads of 'Anywhere' has 'A', expected members of Facet",
        "of several strangers the first by name is told",
        reads="LABELS",
    ),
    of_priority("map of 'One' is 42, expected map(pod, meta, node) -> int", "no map", map=42),
    of_priority(
        "reduce of 'One' is 42, expected reduce(pod, meta, nodes, scores) -> scores",
        "the reduce cannot be called",
        reduce=42,
    ),
    of_priority(
        f"reduce of 'One' is {one!r}, expected reduce(pod, meta, nodes, scores) -> scores",
        "the reduce takes too little",
        reduce=one,
    ),
    of_priority(
        f"prepare of 'One' is {one!r}, expected prepare(pod, snapshot) -> meta",
        "the prepare takes too much",
        prepare=one,
    ),
    of_priority("the name of a rule is 7, expected a text that is not empty", "no name", name=7),
    of_priority(
        "reads of 'One' has 'LABELS', expected members of Facet",
        "it reads what is no facet",
        reads=["LABELS"],
    ),
    of_weight("a weight of 0", 0),
    of_weight("a weight below 0", -1),
    of_weight("a weight that overflows", WEIGHT_LIMIT),
    of_weight("a weight that is a fraction", 1.0),
    of_weight("a weight that is a truth", True),  # noqa: FBT003
    of_weight("a weight that is a text", "1"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.says)
def test_a_spec_that_cannot_be_says_what_was_expected(fault: Fault) -> None:
    with pytest.raises(fault.error) as caught:
        fault.make()
    assert str(caught.value) == fault.text


# -- what a spec holds -------------------------------------------------------------------------


def test_a_predicate_that_says_nothing_comes_last_and_reads_everything() -> None:
    spec = PredicateSpec("Anywhere", anywhere)
    assert (spec.prepare, spec.order, spec.blocks) == (None, AFTER_STOCK, False)
    assert spec.reads == frozenset(Facet)


def test_a_priority_that_says_nothing_counts_once_and_reads_everything() -> None:
    spec = PrioritySpec("One", one)
    assert (spec.reduce, spec.weight, spec.prepare, spec.blocks) == (None, 1, None, False)
    assert spec.reads == frozenset(Facet)


@given(st.lists(st.sampled_from(Facet)))
def test_what_a_rule_reads_may_come_in_any_form(facets: list[Facet]) -> None:
    for reads in (facets, set(facets), iter(facets)):
        assert PredicateSpec("Anywhere", anywhere, reads=reads).reads == frozenset(facets)


def test_the_highest_weight_keeps_a_weighted_score_in_64_bits() -> None:
    spec = PrioritySpec("One", one, weight=WEIGHT_LIMIT - 1)
    assert spec.weight * 10 < 2**63


def test_another_weight_makes_another_priority() -> None:
    light = PrioritySpec("One", one, reduce=same)
    heavy = light.weighted(5)
    assert (light.weight, heavy.weight) == (1, 5)
    assert heavy == PrioritySpec("One", one, reduce=same, weight=5)
    with pytest.raises(OptionError, match="weight of priority 'One' is 0"):
        light.weighted(0)


def test_specs_are_values() -> None:
    assert PredicateSpec("Anywhere", anywhere) == PredicateSpec("Anywhere", anywhere)
    assert len({PrioritySpec("One", one), PrioritySpec("One", one)}) == 1
    with pytest.raises(FrozenInstanceError):
        PredicateSpec("Anywhere", anywhere).order = 0  # type: ignore[misc]


# -- decorators --------------------------------------------------------------------------------


def test_a_decorated_predicate_is_the_same_spec() -> None:
    plain: PredicateSpec[None] = predicate("Anywhere")(anywhere)
    full = predicate("Anywhere", prepare=nothing, order=5, reads=iter([Facet.LABELS]), blocks=True)(
        anywhere
    )
    assert plain == PredicateSpec("Anywhere", anywhere)
    assert full == PredicateSpec(
        "Anywhere", anywhere, prepare=nothing, order=5, reads={Facet.LABELS}, blocks=True
    )


def test_a_decorated_priority_is_the_same_spec() -> None:
    plain: PrioritySpec[None] = priority("One")(one)
    full = priority(
        "One", reduce=same, weight=3, prepare=nothing, reads=iter([Facet.TAINTS]), blocks=True
    )(one)
    assert plain == PrioritySpec("One", one)
    assert full == PrioritySpec(
        "One", one, reduce=same, weight=3, prepare=nothing, reads={Facet.TAINTS}, blocks=True
    )


def test_one_decorator_makes_as_many_specs_as_there_are_functions() -> None:
    on_labels = predicate("Anywhere", prepare=nothing, reads=iter([Facet.LABELS]))
    assert on_labels(anywhere).reads == on_labels(Door()).reads == {Facet.LABELS}


def test_a_decorator_refuses_what_the_spec_would() -> None:
    wrong: Any = one
    with pytest.raises(SpecError, match="prepare of 'Anywhere'"):
        predicate("Anywhere", prepare=wrong)(anywhere)
    with pytest.raises(OptionError, match="weight of priority 'One'"):
        priority("One", weight=-3)(one)


@pytest.mark.parametrize("reason", ["too hot", ("too hot",), None], ids=repr)
def test_what_is_no_reason_is_not_taken_for_one(reason: Any) -> None:
    spec = PredicateSpec("Cool", anywhere)
    with pytest.raises(SpecError) as caught:
        reasons_of(spec, Fit(reason))
    assert str(caught.value) == f"predicate 'Cool' gave {reason!r}, expected a Reason"
