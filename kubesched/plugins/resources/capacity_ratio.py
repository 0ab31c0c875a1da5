"""Scores by how full a node would be, along a line that somebody draws.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/requested_to_capacity_ratio.go.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from kubesched.errors import OptionError
from kubesched.framework import MAX_SCORE, PrioritySpec, quotient
from kubesched.plugins.resources.requested import (
    REQUESTED_READS,
    mean_of_cpu_and_memory,
    prepare_nonzero_requests,
)
from kubesched.state import NonzeroRequests

FULL: Final = 100


@frozen
class ShapePoint:
    """A score, 0..10, at a utilization, 0..100 percent."""

    utilization: int
    score: int


DEFAULT_SHAPE: Final = (ShapePoint(0, 10), ShapePoint(100, 0))
"""The emptier the better."""


def requested_to_capacity_ratio(
    shape: Iterable[ShapePoint] = DEFAULT_SHAPE,
    *,
    name: str = "RequestedToCapacityRatioPriority",
    weight: int = 1,
) -> PrioritySpec[NonzeroRequests]:
    """Return the priority that scores utilization along the line through the points.

    Left of the first point and right of the last one the line is flat. A node is taken as full if
    it has none of a resource or too little.

    Args:
        shape: at least one point, utilization rising.
        name: what the priority is called.
        weight: its weight.

    Raises:
        OptionError: a shape that is no line within its bounds.

    >>> full_first = requested_to_capacity_ratio([ShapePoint(0, 0), ShapePoint(100, 10)])
    >>> full_first.name
    'RequestedToCapacityRatioPriority'
    """
    points = tuple(shape)
    _check_shape(points)
    return PrioritySpec(
        name,
        mean_of_cpu_and_memory(_score_of_utilization(line_through(points))),
        prepare=prepare_nonzero_requests,
        weight=weight,
        reads=REQUESTED_READS,
    )


def line_through(points: Sequence[ShapePoint]) -> Callable[[int], int]:
    """Return the score of a utilization, between two points by integer division cut off to zero.

    >>> line = line_through(DEFAULT_SHAPE)
    >>> line(0), line(25), line(100)
    (10, 8, 0)
    """

    def score(utilization: int) -> int:
        if utilization <= points[0].utilization:
            return points[0].score
        for left, right in pairwise(points):
            if utilization <= right.utilization:
                rise = (right.score - left.score) * (utilization - left.utilization)
                return left.score + quotient(rise, right.utilization - left.utilization)
        return points[-1].score

    return score


def _score_of_utilization(line: Callable[[int], int]) -> Callable[[int, int], int]:
    def score(requested: int, capacity: int) -> int:
        if capacity == 0 or requested > capacity:
            return line(FULL)
        return line(FULL - (capacity - requested) * FULL // capacity)

    return score


def _check_shape(points: Sequence[ShapePoint]) -> None:
    if not points:
        raise OptionError("a shape has no points, expected at least one")
    for index, point in enumerate(points):
        if not 0 <= point.utilization <= FULL:
            raise OptionError(
                f"utilization of point {index} of a shape is {point.utilization}, "
                f"expected 0 to {FULL}"
            )
        if not 0 <= point.score <= MAX_SCORE:
            raise OptionError(
                f"score of point {index} of a shape is {point.score}, expected 0 to {MAX_SCORE}"
            )
    for index, (left, right) in enumerate(pairwise(points)):
        if left.utilization >= right.utilization:
            raise OptionError(
                f"utilization of point {index + 1} of a shape is {right.utilization}, "
                f"expected more than the {left.utilization} before it"
            )


REQUESTED_TO_CAPACITY_RATIO: Final = requested_to_capacity_ratio()
