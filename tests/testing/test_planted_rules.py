"""Faults that people make in rules are found, and told by something small."""

from typing import Any

import pytest
from hypothesis import settings

from kubesched import PredicateSpec, PrioritySpec
from kubesched.testing import LawBrokenError, check_predicate, check_priority
from tests.testing import predicates, priorities

PLANTED: tuple[tuple[str, Any, str], ...] = (*predicates.PLANTED, *priorities.PLANTED)
HONEST = (*predicates.HONEST, *priorities.HONEST)
FEW = settings(max_examples=5, deadline=None, database=None)  # `seeds.py` tries more


def check(spec: PredicateSpec[Any] | PrioritySpec[Any], **options: Any) -> None:
    if isinstance(spec, PredicateSpec):
        check_predicate(spec, **options)
    else:
        check_priority(spec, **options)


@pytest.mark.parametrize(
    ("spec", "law"),
    [pytest.param(spec, law, id=f"{spec.name}: {told}") for told, spec, law in PLANTED],
)
def test_the_fault_is_found_with_no_more_than_two_nodes_and_three_pods(spec: Any, law: str) -> None:
    with pytest.raises(LawBrokenError) as caught:
        check(spec, seed=0)
    situation = caught.value.situation
    assert caught.value.rule == spec.name
    assert caught.value.law in law.split(" or ")
    assert len(situation.nodes) <= 2
    assert 1 + len(situation.pods) <= 3


@pytest.mark.parametrize("spec", HONEST, ids=lambda spec: spec.name)
def test_an_honest_rule_passes(spec: Any) -> None:
    check(spec, settings=FEW)
