"""What metrics are made of: what they are called, and the values as they are counted and read."""

from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate
from math import inf
from typing import Generic, Literal, TypeAlias, TypeVar

from attrs import define, field, frozen

T = TypeVar("T")

MetricKind: TypeAlias = Literal["counter", "gauge", "histogram", "summary"]
"""A number that only grows, one that goes up and down, or observations with or without buckets."""


@frozen(eq=False)
class Definition:
    """What a metric is called and what it means.

    Attributes:
        name: the name.
        help: what is measured.
        kind: how it is measured.
        label: what its values are told apart by; empty if it has only one.
        known: values of the label that are there from the start.
        bounds: the highest observation of each bucket but the last, ascending.
    """

    name: str
    help: str
    kind: MetricKind
    label: str = ""
    known: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()

    @property
    def is_a_number(self) -> bool:
        """Whether its values are numbers, not distributions."""
        return self.kind in {"counter", "gauge"}

    @property
    def first_values(self) -> tuple[str, ...]:
        """The values of the label, or the one that stands for none, that are there at first."""
        return self.known if self.label else ("",)


@frozen
class Distribution:
    """What was observed.

    Attributes:
        count: how many observations.
        sum: what they add up to.
        buckets: a bound, and how many were not above it, for each bucket; the last bound is
            infinite. Empty for a summary.
    """

    count: int = 0
    sum: float = 0.0
    buckets: tuple[tuple[float, int], ...] = ()


@frozen
class Metric(Generic[T]):
    """A metric as it was at some moment.

    Attributes:
        name: the name.
        help: what is measured.
        kind: how it is measured.
        label: what the values are told apart by; empty if there is only one.
        values: the values by that of the label, which is empty if there is none.
    """

    name: str
    help: str
    kind: MetricKind
    label: str
    values: Mapping[str, T]

    @classmethod
    def of(cls, definition: Definition, values: Mapping[str, T]) -> "Metric[T]":
        """Return the metric of a definition with these values."""
        return cls(definition.name, definition.help, definition.kind, definition.label, values)


@define(eq=False)
class Observations:
    """Observations sorted into buckets; whoever uses it sees to it that nobody else does."""

    bounds: tuple[float, ...]
    sum: float = 0.0
    _counts: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._counts = [0] * (len(self.bounds) + 1)

    def observe(self, value: float) -> None:
        """Take in an observation; O(log buckets)."""
        self._counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    def distribution(self) -> Distribution:
        """Return them as they are now; O(buckets)."""
        counts = tuple(accumulate(self._counts))
        bounds = (*self.bounds, inf)
        buckets = tuple(zip(bounds, counts, strict=True)) if self.bounds else ()
        return Distribution(counts[-1], self.sum, buckets)
