"""The request that is just too large, and the node that is just too small, are found."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched import FITS, Fit, NodeInfo, Pod, PredicateSpec, Quantity, Reason, node, pod
from kubesched.plugins.resources import POD_FITS_RESOURCES
from kubesched.testing import Situation
from kubesched.testing.laws.margins import just_refused, with_just_too_little

NO = Fit(Reason("no"))


def situation(free: int, asked: int = 0) -> Situation:
    there = node("n1", cpu="4", memory=2**30)
    placed = pod("db", node_name="n1", cpu=f"{4000 - free}m")
    return Situation(pod("web", cpu=f"{asked}m"), [there, placed])


def refusing_if(condition: Callable[[Pod, NodeInfo], object]) -> Any:
    return PredicateSpec("Mine", lambda pod, _meta, node: NO if condition(pod, node) else FITS)


@given(st.integers(0, 3999))
def test_a_thousandth_of_a_cpu_more_than_there_is_free_is_too_much(free: int) -> None:
    found = just_refused(POD_FITS_RESOURCES, situation(free), "n1", "cpu")
    assert found == Quantity(f"{free + 1}m")


def test_other_resources_are_counted_in_whole_numbers() -> None:
    found = just_refused(POD_FITS_RESOURCES, situation(0), "n1", "memory")
    assert found == Quantity(2**30 + 1)


@given(st.integers(1, 1000), st.integers(0, 2999))
def test_a_node_has_just_too_little(asked: int, used: int) -> None:
    found = with_just_too_little(POD_FITS_RESOURCES, situation(4000 - used, asked), "n1", "cpu")
    assert found is not None
    there = found.nodes[0].status
    assert there.allocatable["cpu"] == there.capacity["cpu"] == Quantity(f"{used + asked - 1}m")
    assert found.pods == situation(4000 - used).pods


@pytest.mark.parametrize("condition", [lambda *_: True, lambda *_: False], ids=["never", "always"])
def test_where_a_pod_fits_always_or_never_there_is_nothing_to_find(
    condition: Callable[[Pod, NodeInfo], bool],
) -> None:
    rule = refusing_if(condition)
    assert just_refused(rule, situation(1000), "n1", "cpu") is None
    assert with_just_too_little(rule, situation(1000), "n1", "cpu") is None


def test_of_what_a_node_does_not_have_one_is_too_much() -> None:
    found = just_refused(POD_FITS_RESOURCES, situation(0), "n1", "example.com/gpu")
    assert found == Quantity(1)
    assert with_just_too_little(POD_FITS_RESOURCES, situation(0), "n1", "example.com/gpu") is None
