"""The laws of registries: all rules that break laws are told, each with the first one."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import settings

from kubesched import (
    FITS,
    Facet,
    Fit,
    PredicateSpec,
    PrioritySpec,
    Reason,
    Registry,
    stock_registry,
)
from kubesched.errors import UnknownNameError
from kubesched.framework import WEIGHT_LIMIT
from kubesched.testing import LawBrokenError, RegistryBrokenError, check_registry
from kubesched.testing.situation import situations

FEW: dict[str, Any] = {
    "settings": settings(max_examples=5, deadline=None, database=None),
    "situations": situations(),
}
ONE = {**FEW, "settings": settings(FEW["settings"], max_examples=1)}

ANYWHERE = PredicateSpec("Anywhere", lambda *_: FITS, reads=())
NOWHERE = PredicateSpec("Nowhere", lambda *_: Fit(), reads=())
CROWDED = PredicateSpec(
    "Crowded",
    lambda _pod, _meta, node: Fit(Reason("it is crowded")) if node.pods else FITS,
    reads={Facet.LABELS},
)
EQUAL = PrioritySpec("Equal", lambda *_: 1, reads=())
ELEVEN = PrioritySpec("Eleven", lambda *_: 11, reads=())


def test_a_registry_of_good_rules_passes() -> None:
    check_registry(Registry().extended(ANYWHERE, EQUAL), **FEW)


def test_all_rules_that_break_a_law_are_told() -> None:
    with pytest.raises(RegistryBrokenError) as caught:
        check_registry(Registry().extended(ANYWHERE, NOWHERE, EQUAL, ELEVEN), **FEW)
    broken = [(each.rule, each.law) for each in caught.value.breaches]
    assert broken == [("Nowhere", "answers"), ("Eleven", "range")]
    assert str(caught.value).startswith("2 laws of the registry are broken.\n- Nowhere breaks 'an")
    for each in caught.value.breaches:
        assert isinstance(each.error, LawBrokenError)
        assert str(each.error) in str(caught.value)


def test_the_scores_go_up_to_the_highest_of_the_registry() -> None:
    check_registry(Registry(max_score=11).extended(ELEVEN), **FEW)


@pytest.mark.parametrize(
    ("registry", "rule", "law", "seen"),
    [
        pytest.param(
            Registry({"Everywhere": ANYWHERE}),
            "Everywhere",
            "names",
            "it is registered as 'Everywhere' and calls itself 'Anywhere'",
            id="a predicate under another name than its own",
        ),
        pytest.param(
            Registry({}, {"Even": EQUAL}),
            "Even",
            "names",
            "it is registered as 'Even' and calls itself 'Equal'",
            id="a priority under another name than its own",
        ),
        pytest.param(
            Registry().extended(
                evolve(ANYWHERE, name="First", order=70), evolve(ANYWHERE, name="Second", order=70)
            ),
            "Second",
            "orders",
            "First has the order 70 as well",
            id="two predicates in one place",
        ),
        pytest.param(
            Registry().extended(stock_registry().predicate("HostName")),
            "CheckNodeCondition",
            "mandatory",
            "it runs in any case, and is not there",
            id="a stock predicate without those that always run",
        ),
        pytest.param(
            Registry(max_score=100).extended(EQUAL.weighted(WEIGHT_LIMIT - 1)),
            "Equal",
            "weights",
            f"{WEIGHT_LIMIT - 1} times 100 needs more than 64 bits",
            id="a weight that is too large for the scores",
        ),
    ],
)
def test_a_law_of_the_registry_itself_is_broken_by(
    registry: Registry, rule: str, law: str, seen: str
) -> None:
    with pytest.raises(RegistryBrokenError) as caught:
        check_registry(registry, **ONE)
    assert [(each.rule, each.law, each.seen) for each in caught.value.breaches] == [
        (rule, law, seen)
    ]
    check_registry(registry, without={rule: [law]}, **ONE)


def test_predicates_that_say_nothing_of_their_order_may_have_the_same() -> None:
    registry = Registry().extended(ANYWHERE, evolve(ANYWHERE, name="Everywhere"))
    check_registry(registry, **ONE)


def test_a_rule_need_not_keep_laws_that_are_left_out() -> None:
    registry = Registry().extended(CROWDED, ELEVEN)
    check_registry(registry, without={"Crowded": ["reads", "curing"], "Eleven": ["range"]}, **FEW)


def test_a_rule_that_there_is_not_cannot_be_left_out() -> None:
    with pytest.raises(UnknownNameError, match="rule 'Equals' is not registered"):
        check_registry(Registry().extended(EQUAL), without={"Equals": ["range"]})


def test_a_law_that_there_is_not_cannot_be_left_out() -> None:
    with pytest.raises(UnknownNameError, match="law 'ranges' is not registered"):
        check_registry(Registry().extended(EQUAL), without={"Equal": ["ranges"]})
