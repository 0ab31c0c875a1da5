"""How many of a node's places for pods would be taken."""

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.framework import PrioritySpec
from kubesched.plugins.pod_count import LEAST_PODS, MOST_PODS
from tests.plugins.asking import scores

EACH = pytest.mark.parametrize("spec", [LEAST_PODS, MOST_PODS], ids=lambda spec: spec.name)


def score_of(spec: PrioritySpec[None], *, placed: int, allocatable: int) -> int:
    """Score the only node, which has room for so many pods and holds some already."""
    there = [pod(f"there-{number}", node_name="n1") for number in range(placed)]
    (score,) = scores(spec, pod("asked"), node("n1", pods=allocatable), *there)
    return score


@pytest.mark.parametrize(
    ("placed", "allocatable", "least", "most"),
    [
        pytest.param(0, 10, 9, 1, id="an empty node of ten places"),
        pytest.param(4, 10, 5, 5, id="half of the places taken with this one"),
        pytest.param(9, 10, 0, 10, id="the last place"),
        pytest.param(10, 10, 0, 0, id="no place left"),
        pytest.param(12, 10, 0, 0, id="more pods than places"),
        pytest.param(0, 110, 9, 0, id="an empty node of 110 places: cut off, not rounded"),
        pytest.param(0, 1, 0, 10, id="the only place"),
        pytest.param(0, 0, 0, 0, id="a node without places"),
    ],
)
def test_a_score_is_the_part_of_the_places_that_stays_free_or_is_taken(
    placed: int, allocatable: int, least: int, most: int
) -> None:
    assert score_of(LEAST_PODS, placed=placed, allocatable=allocatable) == least
    assert score_of(MOST_PODS, placed=placed, allocatable=allocatable) == most


@EACH
def test_what_the_pods_request_does_not_matter(spec: PrioritySpec[None]) -> None:
    busy = pod("busy", cpu=64, memory="1Ti", node_name="n1")
    idle = pod("idle", node_name="n2")
    there, here = scores(spec, pod("asked", cpu=32), node("n1"), node("n2"), busy, idle)
    assert there == here


counts = st.integers(0, 40)


@given(counts, counts)
def test_one_more_pod_never_makes_a_node_better_to_least_pods(
    placed: int, allocatable: int
) -> None:
    fewer, more = (
        score_of(LEAST_PODS, placed=placed + extra, allocatable=allocatable) for extra in (0, 1)
    )
    assert 0 <= more <= fewer <= 10


@given(counts, counts)
def test_one_more_pod_never_makes_a_node_worse_to_most_pods_while_there_is_a_place(
    placed: int, allocatable: int
) -> None:
    before, after = (
        score_of(MOST_PODS, placed=placed + extra, allocatable=allocatable) for extra in (0, 1)
    )
    assert 0 <= before <= 10
    assert before <= after or placed + 2 > allocatable


@given(counts, st.integers(1, 40))
def test_the_two_are_opposites_but_for_what_is_cut_off(placed: int, allocatable: int) -> None:
    both = [
        score_of(spec, placed=placed, allocatable=allocatable) for spec in (LEAST_PODS, MOST_PODS)
    ]
    assert sum(both) in ({9, 10} if placed < allocatable else {0})


@EACH
@given(placed=counts, allocatable=counts, by=st.integers(1, 5))
def test_only_the_proportion_matters(
    spec: PrioritySpec[None], placed: int, allocatable: int, by: int
) -> None:
    larger = by * (placed + 1) - 1
    assert score_of(spec, placed=placed, allocatable=allocatable) == score_of(
        spec, placed=larger, allocatable=by * allocatable
    )
