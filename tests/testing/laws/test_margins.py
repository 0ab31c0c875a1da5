"""The request that is just too large, and the node that is just too small, are found."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched import FITS, Fit, NodeInfo, Pod, PredicateSpec, Quantity, Reason, node, pod
from kubesched.model import Node
from kubesched.plugins.resources import POD_FITS_RESOURCES
from kubesched.testing import WORDS, Draw, Situation
from kubesched.testing.laws.margins import at_the_margin, just_refused, with_just_too_little

NO = Fit(Reason("no"))
CPU = Draw(WORDS, Situation(Pod()), (), lambda _strategy: None, lambda: None)
"""Chooses the first resource."""


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
    found = with_just_too_little(POD_FITS_RESOURCES, situation(4000 - used, asked), "n1", CPU)
    there = found.nodes[0].status
    assert there.allocatable["cpu"] == there.capacity["cpu"] == Quantity(f"{used + asked - 1}m")
    assert found.pods == situation(4000 - used).pods


@pytest.mark.parametrize("condition", [lambda *_: True, lambda *_: False], ids=["never", "always"])
def test_where_a_pod_fits_always_or_never_there_is_nothing_to_find(
    condition: Callable[[Pod, NodeInfo], bool],
) -> None:
    rule, before, after = refusing_if(condition), situation(1000), situation(2000)
    assert just_refused(rule, before, "n1", "cpu") is None
    assert at_the_margin(rule, before, after, "n1", CPU) is None
    assert with_just_too_little(rule, before, "n1", CPU) is before


def test_of_what_a_node_does_not_have_one_is_too_much() -> None:
    found = just_refused(POD_FITS_RESOURCES, situation(0), "n1", "example.com/gpu")
    assert found == Quantity(1)


def asked_at_the_margin(before: Situation, after: Situation, resource: str) -> list[Quantity]:
    found = at_the_margin(POD_FITS_RESOURCES, before, after, "n1", CPU)
    assert found is not None
    return [it.pod.spec.containers[0].resources.requests[resource] for it in found]


def test_a_pod_asks_for_too_much_of_what_there_is_less_of() -> None:
    before, after = situation(1000), situation(1000)
    smaller = node("n1", cpu="4", memory=2**29)
    after = Situation(after.pod, [smaller, *after.pods])
    assert asked_at_the_margin(before, after, "memory") == [Quantity(2**29 + 1)] * 2


def test_where_nothing_has_changed_any_resource_will_do() -> None:
    same = situation(1000)
    assert asked_at_the_margin(same, same, "cpu") == [Quantity("1001m")] * 2


@pytest.mark.parametrize(
    "empty",
    [
        Situation(pod("web", containers=[]), [node("n1")]),
        Situation(pod("web"), [Node(metadata=node("n1").metadata)]),
    ],
    ids=["a pod without containers", "a node without resources"],
)
def test_there_may_be_nothing_to_ask_for(empty: Situation) -> None:
    rule = refusing_if(lambda *_: True)
    assert at_the_margin(rule, empty, empty, "n1", CPU) is None
    assert with_just_too_little(rule, empty, "n1", CPU) is empty
