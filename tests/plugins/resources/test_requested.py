"""Scores by how much of a node's cpu and memory is requested."""

from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import container, node, pod
from kubesched.model import Container
from kubesched.plugins.resources import (
    BALANCED_RESOURCE_ALLOCATION,
    LEAST_REQUESTED,
    MOST_REQUESTED,
)
from kubesched.plugins.resources.requested import least_requested_score, most_requested_score
from tests.plugins.asking import scores

PRIORITIES = [LEAST_REQUESTED, MOST_REQUESTED, BALANCED_RESOURCE_ALLOCATION]


class Use(NamedTuple):
    """Requested of cpu and of memory, each of a capacity, and the three scores."""

    says: str
    cpu: tuple[int, int]
    memory: tuple[int, int]
    least: int
    most: int
    balanced: int


USES = [
    Use("an empty node", (0, 10), (0, 10), 10, 0, 10),
    Use("half full", (5, 10), (5, 10), 5, 5, 10),
    Use("full of both", (10, 10), (10, 10), 0, 10, 0),
    Use("full of cpu", (10, 10), (0, 10), 5, 5, 0),
    Use("full of memory", (0, 10), (10, 10), 5, 5, 0),
    Use("more cpu than there is", (11, 10), (5, 10), 2, 2, 0),
    Use("more memory than there is", (5, 10), (11, 10), 2, 2, 0),
    Use("no cpu", (0, 0), (4, 10), 3, 2, 0),
    Use("no memory", (4, 10), (0, 0), 3, 2, 0),
    Use("no cpu and none requested beside an empty memory", (0, 0), (0, 10), 5, 0, 0),
    Use("each resource is cut off", (1, 3), (1, 3), 6, 3, 10),
    Use("and so is their mean", (1, 10), (2, 10), 8, 1, 9),
    Use("a quarter and three quarters", (1, 4), (3, 4), 4, 4, 5),
    Use("0.7 - 0 apart gives 3", (7, 10), (0, 10), 6, 3, 3),
    Use("0.8 - 0.1 apart gives 2", (8, 10), (1, 10), 5, 4, 2),
    Use("0.9 - 0.2 apart gives 3", (9, 10), (2, 10), 4, 5, 3),
    Use("large amounts", (1, 2), (2**59, 2**60), 5, 5, 10),
    Use("less than nothing requested is cut off towards 0", (-1, 4), (-1, 4), 12, -2, 10),
    Use("and so is the mean", (-1, 4), (3, 10), 9, 0, 4),
    Use("less than nothing of less than nothing", (-3, -2), (4, 4), -2, 12, 0),
]


@pytest.mark.parametrize("use", USES, ids=lambda use: use.says)
def test_a_node_scores_by_what_is_requested(use: Use) -> None:
    asked = pod("p", cpu=f"{use.cpu[0]}m", memory=use.memory[0])
    there = node("n1", cpu=f"{use.cpu[1]}m", memory=use.memory[1])
    got = [scores(spec, asked, there)[0] for spec in PRIORITIES]
    assert got == [use.least, use.most, use.balanced]


def half(cpu: str = "500m", memory: str = "1000Mi") -> dict[str, str]:
    return {"cpu": cpu, "memory": memory}


DEFAULTS = [
    pytest.param([container()], [9, 9], id="a container that asks for nothing"),
    pytest.param([container(cpu=0, memory=0)], [10, 10], id="a 0 that is written down stays 0"),
    pytest.param([container(cpu="500m")], [5, 9], id="no memory request"),
    pytest.param([container(memory="1000Mi")], [9, 5], id="no cpu request"),
    pytest.param([container()] * 3, [7, 7], id="each container counts for something"),
    pytest.param([], [10, 10], id="no containers count for nothing"),
    pytest.param([container(limits=half())], [9, 9], id="limits are no requests"),
]


@pytest.mark.parametrize("is_placed", [False, True], ids=["of the pod", "of a placed pod"])
@pytest.mark.parametrize(("containers", "expected"), DEFAULTS)
def test_what_is_not_requested_counts_100m_and_200_mebibytes(
    *, containers: list[Container], expected: list[int], is_placed: bool
) -> None:
    counted = pod("counted", containers=containers, node_name="n1" if is_placed else "")
    nothing = pod("nothing", containers=[])
    asked, placed = (nothing, [counted]) if is_placed else (counted, [])
    # Where a node has none of the other resource, the mean is half of what this one scores.
    only_cpu, only_memory = node("n1", cpu=1, memory=0), node("n1", cpu=0, memory="2000Mi")
    halves = [scores(LEAST_REQUESTED, asked, each, *placed)[0] for each in (only_cpu, only_memory)]
    assert halves == [score // 2 for score in expected]


def test_init_containers_do_not_count() -> None:
    asked = pod("p", cpu=0, memory=0, init_containers=[container(cpu=4, memory="16Gi")])
    for spec, score in zip(PRIORITIES, (10, 0, 10), strict=True):
        assert scores(spec, asked, node("n1")) == [score]


def test_the_pod_is_added_to_those_that_are_there() -> None:
    asked = pod("p", cpu=1, memory="4Gi")
    there = [node("n1", cpu=4, memory="16Gi"), pod("q", cpu=2, memory="8Gi", node_name="n1")]
    assert [scores(spec, asked, *there) for spec in PRIORITIES] == [[2], [7], [10]]


amounts = st.integers(0, 12)


@given(amounts, amounts)
def test_what_is_free_and_what_is_used_make_up_the_whole(requested: int, capacity: int) -> None:
    least = least_requested_score(requested, capacity)
    most = most_requested_score(requested, capacity)
    if 0 < capacity >= requested:
        assert 9 <= least + most <= 10
    else:
        assert least == most == 0


@given(amounts, amounts, amounts)
def test_a_smaller_request_never_makes_a_node_look_fuller(
    requested: int, less: int, capacity: int
) -> None:
    smaller = min(requested, less)
    assert least_requested_score(smaller, capacity) >= least_requested_score(requested, capacity)
    if requested <= capacity:
        assert most_requested_score(smaller, capacity) <= most_requested_score(requested, capacity)


@given(amounts, amounts, amounts, amounts)
def test_balance_does_not_care_which_resource_is_which(
    cpu: int, cpu_there: int, memory: int, memory_there: int
) -> None:
    (score,) = scores(
        BALANCED_RESOURCE_ALLOCATION,
        pod("p", cpu=f"{cpu}m", memory=memory),
        node("n1", cpu=f"{cpu_there}m", memory=memory_there),
    )
    (swapped,) = scores(
        BALANCED_RESOURCE_ALLOCATION,
        pod("p", cpu=f"{memory}m", memory=cpu),
        node("n1", cpu=f"{memory_there}m", memory=cpu_there),
    )
    assert score == swapped


@given(amounts.filter(bool), amounts)
def test_equal_parts_are_in_balance(capacity: int, requested: int) -> None:
    (score,) = scores(
        BALANCED_RESOURCE_ALLOCATION,
        pod("p", cpu=f"{requested}m", memory=3 * requested),
        node("n1", cpu=f"{capacity}m", memory=3 * capacity),
    )
    assert score == (10 if requested < capacity else 0)
