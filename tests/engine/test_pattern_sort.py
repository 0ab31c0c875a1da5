"""The sort of the original's language."""

from random import Random

import pytest
from hypothesis import given, strategies as st

from kubesched.engine.pattern_sort import _Row, pattern_sorted


def by_value(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0]


def numbered(values: list[int]) -> list[tuple[int, int]]:
    """Give equals something to tell them apart by."""
    return [(value, index) for index, value in enumerate(values)]


few_values = st.lists(st.integers(0, 4), max_size=300)
many_values = st.lists(st.integers(), max_size=300)


@given(few_values | many_values)
def test_it_sorts_and_loses_nothing(values: list[int]) -> None:
    items = numbered(values)
    ours = pattern_sorted(items, by_value)
    assert [value for value, _ in ours] == sorted(values)
    assert sorted(ours) == sorted(items)


@given(st.lists(st.integers(0, 3), max_size=12))
def test_up_to_a_dozen_equals_keep_their_order(values: list[int]) -> None:
    assert pattern_sorted(numbered(values), by_value) == sorted(numbered(values))


def test_beyond_a_dozen_they_need_not() -> None:
    values = [0, 10, 0, 20, 0, 10, 0, 20, 0, 20, 20, 0, 0]
    ours = pattern_sorted(numbered(values), lambda one, other: one[0] > other[0])
    assert [value for value, _ in ours] == sorted(values, reverse=True)
    assert [index for value, index in ours if value == 0] != [0, 2, 4, 6, 8, 11, 12]


SHAPES = {
    "rising": [*range(200)],
    "falling": [*range(200, 0, -1)],
    "all equal": [7] * 200,
    "rising but for a few": [*range(90), 5, *range(91, 200)],
    "up and down": [*range(100), *range(100, 0, -1)],
    "a saw": [index % 9 for index in range(200)],
    "by chance": Random(3).choices(range(1000), k=500),  # noqa: S311 - nothing here is secret
}


@pytest.mark.parametrize("values", SHAPES.values(), ids=SHAPES)
def test_rows_of_every_shape(values: list[int]) -> None:
    assert [value for value, _ in pattern_sorted(numbered(values), by_value)] == sorted(values)


@given(few_values, st.integers(0, 5))
def test_when_choices_were_bad_too_often_it_sorts_all_the_same(
    values: list[int], bad_choices_left: int
) -> None:
    row = _Row(numbered(values), by_value)
    row.sort(0, len(values), bad_choices_left)
    assert [value for value, _ in row.items] == sorted(values)


def test_breaking_patterns_exchanges_items_and_loses_none() -> None:
    row = _Row(numbered([*range(40)]), by_value)
    row.break_patterns(0, 40)
    assert row.items != numbered([*range(40)])
    assert sorted(row.items) == numbered([*range(40)])
