"""What is known of the latency between places."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from math import lcm
from typing import Protocol, TypeAlias

from attrs import frozen

from kubesched.errors import OptionError
from kubesched.plugins.network_latency.numbers import Number, exact


class AskLatency(Protocol):
    """Tells the latency from one place to another: a number of 0 or more, in any unit.

    It answers the same whenever it is asked the same.
    """

    def __call__(self, from_place: str, to_place: str, /) -> Number: ...


Latency: TypeAlias = Mapping[str, Mapping[str, Number]] | AskLatency
"""A matrix, `latency[from_place][to_place]`, or a callable."""


@frozen
class Table:
    """Latencies as whole numbers of a unit that is `1 / units` of the one they were given in."""

    rows: Mapping[str, Mapping[str, int]]
    units: int


MakeTable: TypeAlias = Callable[[Collection[str], Collection[str]], Table]
"""Returns a table that has at least the pairs of the first places with the second ones."""


def table_maker(latency: object, owner: str) -> MakeTable:
    """Make latencies ready, in whatever form they come.

    Args:
        latency: a `Latency`; a matrix has a row for each place, and in it every place.
        owner: whose they are, for errors.

    Raises:
        OptionError: neither a matrix nor a callable, or a matrix of another form.
    """
    if isinstance(latency, Mapping):
        return _looked_up(_checked(latency, owner), owner)
    if callable(latency):
        return _asked(latency, owner)
    raise OptionError(
        f"latency of {owner!r} is {latency!r}, "
        "expected a mapping of mappings or latency(from_place, to_place) -> number"
    )


def _checked(matrix: Mapping[str, object], owner: str) -> Table:
    rows = {place: _row(row, matrix, f"latency[{place!r}]", owner) for place, row in matrix.items()}
    return in_whole_units(rows)


def _row(
    row: object, matrix: Mapping[str, object], where: str, owner: str
) -> Mapping[str, Fraction]:
    if not isinstance(row, Mapping):
        raise OptionError(
            f"{where} of {owner!r} is {row!r}, expected a mapping of places to numbers"
        )
    for place in matrix:
        if place not in row:
            raise OptionError(f"{where} of {owner!r} has no {place!r}, expected every place")
    for place in row:
        if place not in matrix:
            raise OptionError(
                f"{where} of {owner!r} has {place!r}, expected only places with a row"
            )
    return {place: exact(value, f"{where}[{place!r}] of {owner!r}") for place, value in row.items()}


def in_whole_units(rows: Mapping[str, Mapping[str, Fraction]]) -> Table:
    """Return the same latencies as whole numbers of the largest unit in which they are whole.

    >>> in_whole_units({"a": {"a": Fraction(1, 10), "b": Fraction(2)}})
    Table(rows={'a': {'a': 1, 'b': 20}}, units=10)
    """
    units = lcm(*(value.denominator for row in rows.values() for value in row.values()))
    return Table(
        {
            place: {other: int(value * units) for other, value in row.items()}
            for place, row in rows.items()
        },
        units,
    )


def _looked_up(table: Table, owner: str) -> MakeTable:
    def make(from_places: Collection[str], to_places: Collection[str]) -> Table:
        for place in sorted({*from_places, *to_places} - table.rows.keys()):
            raise OptionError(f"latency of {owner!r} has no row {place!r}, which nodes are in")
        return table

    return make


def _asked(latency: Callable[[str, str], object], owner: str) -> MakeTable:
    def make(from_places: Collection[str], to_places: Collection[str]) -> Table:
        return in_whole_units(
            {
                place: {
                    other: exact(
                        latency(place, other), f"latency({place!r}, {other!r}) of {owner!r}"
                    )
                    for other in sorted(to_places)
                }
                for place in sorted(from_places)
            }
        )

    return make
