"""Scores by how full a node would be, along a line that somebody draws."""

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.errors import OptionError
from kubesched.plugins.resources import (
    DEFAULT_SHAPE,
    REQUESTED_TO_CAPACITY_RATIO,
    ShapePoint,
    requested_to_capacity_ratio,
)
from kubesched.plugins.resources.capacity_ratio import line_through
from tests.plugins.asking import scores

Points = list[tuple[int, int]]


def shape(points: Points) -> list[ShapePoint]:
    return [ShapePoint(utilization, score) for utilization, score in points]


LINES: list[tuple[str, Points, dict[int, int]]] = [
    ("one point is flat", [(50, 3)], {0: 3, 50: 3, 100: 3}),
    ("the default falls", [(0, 10), (100, 0)], {0: 10, 1: 10, 10: 9, 11: 9, 95: 1, 99: 1, 100: 0}),
    ("the fuller the better", [(0, 0), (100, 10)], {0: 0, 9: 0, 10: 1, 99: 9, 100: 10}),
    ("flat on both sides", [(20, 2), (40, 6)], {0: 2, 20: 2, 25: 3, 39: 5, 40: 6, 99: 6}),
    ("a peak", [(0, 0), (50, 10), (100, 0)], {0: 0, 24: 4, 50: 10, 51: 10, 75: 5, 100: 0}),
    ("a step", [(49, 0), (50, 10)], {0: 0, 49: 0, 50: 10, 100: 10}),
]


@pytest.mark.parametrize(
    ("points", "expected"),
    [(points, expected) for _, points, expected in LINES],
    ids=[says for says, _, _ in LINES],
)
def test_a_line(points: Points, expected: dict[int, int]) -> None:
    line = line_through(shape(points))
    assert {utilization: line(utilization) for utilization in expected} == expected


def test_the_stock_one_has_the_default_shape() -> None:
    assert shape([(0, 10), (100, 0)]) == list(DEFAULT_SHAPE)
    assert REQUESTED_TO_CAPACITY_RATIO.name == "RequestedToCapacityRatioPriority"


# -- nodes -------------------------------------------------------------------------------------

FULL_FIRST = requested_to_capacity_ratio(shape([(0, 0), (100, 10)]))

USES = [
    pytest.param((0, 10), (0, 10), 10, 0, id="an empty node"),
    pytest.param((5, 10), (5, 10), 5, 5, id="half full"),
    pytest.param((10, 10), (10, 10), 0, 10, id="full"),
    pytest.param((11, 10), (0, 10), 5, 5, id="too little is full"),
    pytest.param((0, 0), (0, 10), 5, 5, id="none is full"),
    pytest.param((1, 3), (1, 3), 7, 3, id="a third is 34 percent"),
    pytest.param((2, 10), (3, 10), 7, 2, id="the mean is cut off"),
]


@pytest.mark.parametrize(("cpu", "memory", "default", "full_first"), USES)
def test_a_node_scores_by_its_utilization(
    cpu: tuple[int, int], memory: tuple[int, int], default: int, full_first: int
) -> None:
    asked = pod("p", cpu=f"{cpu[0]}m", memory=memory[0])
    there = node("n1", cpu=f"{cpu[1]}m", memory=memory[1])
    assert scores(REQUESTED_TO_CAPACITY_RATIO, asked, there) == [default]
    assert scores(FULL_FIRST, asked, there) == [full_first]


def test_a_shape_of_ones_own_has_its_name_and_weight() -> None:
    spec = requested_to_capacity_ratio(iter(shape([(0, 1)])), name="Flat", weight=7)
    assert (spec.name, spec.weight) == ("Flat", 7)
    assert scores(spec, pod("p"), node("n1"), node("n2", cpu=0)) == [1, 1]


# -- what is no shape --------------------------------------------------------------------------

FAULTS: list[tuple[str, Points, str]] = [
    ("no points", [], "a shape has no points, expected at least one"),
    (
        "a utilization below 0",
        [(-1, 0)],
        "utilization of point 0 of a shape is -1, expected 0 to 100",
    ),
    (
        "a utilization above 100",
        [(0, 0), (101, 0)],
        "utilization of point 1 of a shape is 101, expected 0 to 100",
    ),
    ("a score below 0", [(0, -1)], "score of point 0 of a shape is -1, expected 0 to 10"),
    ("a score above 10", [(0, 0), (1, 11)], "score of point 1 of a shape is 11, expected 0 to 10"),
    (
        "a utilization twice",
        [(0, 0), (5, 1), (5, 2)],
        "utilization of point 2 of a shape is 5, expected more than the 5 before it",
    ),
    (
        "a utilization that falls",
        [(7, 0), (5, 1)],
        "utilization of point 1 of a shape is 5, expected more than the 7 before it",
    ),
]


@pytest.mark.parametrize(
    ("points", "text"),
    [(points, text) for _, points, text in FAULTS],
    ids=[says for says, _, _ in FAULTS],
)
def test_what_is_no_shape_says_why(points: Points, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        requested_to_capacity_ratio(shape(points))
    assert str(caught.value) == text


# -- laws --------------------------------------------------------------------------------------

percents = st.integers(0, 100)
shapes = st.dictionaries(percents, st.integers(0, 10), min_size=1, max_size=5).map(
    lambda points: shape(sorted(points.items()))
)


@given(shapes, percents)
def test_a_line_stays_between_the_points_beside_it(
    points: list[ShapePoint], utilization: int
) -> None:
    left = [each.score for each in points if each.utilization <= utilization][-1:]
    right = [each.score for each in points if each.utilization >= utilization][:1]
    assert min(left + right) <= line_through(points)(utilization) <= max(left + right)


@given(shapes)
def test_a_line_goes_through_its_points(points: list[ShapePoint]) -> None:
    line = line_through(points)
    assert [line(each.utilization) for each in points] == [each.score for each in points]


@given(shapes, percents, percents)
def test_a_line_through_rising_points_rises(points: list[ShapePoint], one: int, other: int) -> None:
    rising = [
        ShapePoint(each.utilization, score)
        for each, score in zip(points, sorted(each.score for each in points), strict=True)
    ]
    line = line_through(rising)
    assert line(min(one, other)) <= line(max(one, other))


@given(shapes, st.integers(0, 8), st.integers(0, 8))
def test_a_node_scores_within_the_shape(
    points: list[ShapePoint], requested: int, capacity: int
) -> None:
    asked = pod("p", cpu=requested, memory=requested)
    spec = requested_to_capacity_ratio(points)
    (score,) = scores(spec, asked, node("n1", cpu=capacity, memory=2 * capacity))
    assert 0 <= score <= max(each.score for each in points)
