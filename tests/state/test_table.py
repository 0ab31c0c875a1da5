from typing import NamedTuple, TypeAlias

import pytest
from attrs import define, field
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kubesched.state import Table, TableView

# A chunk holds 64 entries: the machine goes over the edge of one, and of the next.
keys = st.integers(0, 150).map(str)
sizes = st.integers(1, 100)

Items: TypeAlias = list[tuple[str, int]]


@define
class Twins:
    """A table, the dict that it should be, and the views taken of it with what they showed."""

    table: Table[str, int] = field(factory=Table[str, int])
    model: dict[str, int] = field(factory=dict)
    views: list[tuple[TableView[str, int], Items]] = field(factory=list)


class TableBesideADict(RuleBasedStateMachine):
    """Write into tables and dicts alike; views and copies must not notice."""

    def __init__(self) -> None:
        super().__init__()
        self.all_twins = [Twins()]
        self.at = 0

    @property
    def twins(self) -> Twins:
        return self.all_twins[self.at % len(self.all_twins)]

    @rule(key=keys, value=st.integers())
    def put(self, key: str, value: int) -> None:
        self.twins.table[key] = self.twins.model[key] = value

    @rule(start=st.integers(0, 150), size=sizes, value=st.integers())
    def put_many(self, start: int, size: int, value: int) -> None:
        for number in range(start, start + size):
            self.put(str(number), value)

    @rule(key=keys)
    def delete(self, key: str) -> None:
        if key in self.twins.model:
            del self.twins.table[key], self.twins.model[key]
        else:
            with pytest.raises(KeyError):
                del self.twins.table[key]

    @precondition(lambda self: self.twins.model)
    @rule(size=sizes, from_behind=st.booleans())
    def delete_many(self, *, size: int, from_behind: bool) -> None:
        there = list(self.twins.model)[:: -1 if from_behind else 1]
        for key in there[:size]:
            self.delete(key)

    @rule()
    def look(self) -> None:
        self.twins.views.append((self.twins.table.view(), list(self.twins.model.items())))

    @precondition(lambda self: len(self.all_twins) < 3)
    @rule()
    def copy(self) -> None:
        twin = Twins(self.twins.table.copy(), self.twins.model.copy(), self.twins.views.copy())
        self.all_twins.append(twin)

    @rule()
    def turn_to_the_next_table(self) -> None:
        self.at += 1

    @rule(key=keys)
    def read(self, key: str) -> None:
        table, model = self.twins.table, self.twins.model
        assert table.get(key) == model.get(key)
        assert table.get(key, -1) == model.get(key, -1)
        assert (key in table) is (key in model)
        for view, shown in self.twins.views:
            assert view.get(key) == dict(shown).get(key)

    @invariant()
    def each_table_is_its_dict(self) -> None:
        for twins in self.all_twins:
            twins.table._check()
            assert len(twins.table) == len(twins.model)
            assert list(twins.table.keys()) == list(twins.model)
            assert list(twins.table.values()) == list(twins.model.values())

    @invariant()
    def a_table_that_shrinks_gives_its_room_back(self) -> None:
        for twins in self.all_twins:
            assert len(twins.table._chunks) <= 1 + len(twins.model) // 16

    @invariant()
    def no_view_ever_changes(self) -> None:
        for view, shown in self.twins.views:
            assert len(view) == len(shown)
            assert list(zip(view, view.entries(), strict=True)) == shown

    def teardown(self) -> None:
        for twins in self.all_twins:
            for view, shown in twins.views:
                assert view == dict(shown)
                assert view.select(key for key, _ in shown) == [value for _, value in shown]


TableBesideADict.TestCase.settings = settings(max_examples=100, stateful_step_count=40)
TestTableBesideADict = TableBesideADict.TestCase


def test_a_missing_key_is_a_key_error() -> None:
    table = Table[str, int]()
    table["a"] = 1
    view = table.view()
    for of in (table, view):
        with pytest.raises(KeyError, match="'b'"):
            of["b"]


def test_a_view_does_not_see_a_key_that_comes_into_its_chunk_later() -> None:
    table = Table[str, int]()
    table["a"] = 1
    view = table.view()
    table["b"] = 2
    assert "b" not in view
    with pytest.raises(KeyError):
        view["b"]


def test_a_view_does_not_see_a_key_that_comes_into_a_later_chunk() -> None:
    table = Table[str, int]()
    view = table.view()
    table["a"] = 1
    assert "a" not in view


def test_a_view_keeps_a_key_that_was_deleted_and_came_back() -> None:
    table = Table[str, int]()
    table["a"], table["b"] = 1, 2
    before = table.view()
    del table["a"]
    without = table.view()
    table["a"] = 3
    assert list(before.items()) == [("a", 1), ("b", 2)]
    assert list(without.items()) == [("b", 2)]
    assert list(table.view().items()) == [("b", 2), ("a", 3)]


def test_each_view_keeps_a_key_that_goes_and_comes_back_again_and_again() -> None:
    table, value, views = Table[str, int](), 0, list[tuple[TableView[str, int], int]]()
    for number in range(100):
        table[str(number)] = 0
    for turn in range(500):
        views.append((table.view(), value))
        for _ in range(turn % 3):
            del table["0"]
            value = table["0"] = turn
    for view, shown in views:
        assert view["0"] == shown
        assert view.select(["1", "0"]) == [0, shown]
        assert view.replaced("0", -1).select(["1", "0"]) == [0, -1]


@given(st.integers(0, 300))
def test_a_table_that_was_emptied_is_as_good_as_new(size: int) -> None:
    table = Table[str, int]()
    for number in range(size):
        table[str(number)] = number
    for number in range(size):
        del table[str(number)]
    table._check()
    assert (len(table), list(table.keys())) == (0, [])
    table["a"] = 1
    assert list(table.view().items()) == [("a", 1)]


def test_unchanged_chunks_are_shared_between_views() -> None:
    table = Table[str, int]()
    for number in range(200):
        table[str(number)] = number
    before = table.view()
    table["0"] = -1
    after = table.view()
    same = [one is other for one, other in zip(before._chunks, after._chunks, strict=True)]
    assert same == [False, True, True, True]


class Point(NamedTuple):
    x: int
    y: int


def test_a_key_stays_the_one_that_came_first() -> None:
    table, first, equal = Table[Point, str](), Point(1, 2), Point(1, 2)
    table[first], table[equal] = "a", "b"
    (key,) = table.keys()
    assert key is first
    assert table[first] == "b"
