from collections.abc import Mapping
from copy import deepcopy

import pytest
from attrs import define, field
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kubesched.errors import ClusterError
from kubesched.state import NodeCursor, NodeOrder, NodeTree, zone_key
from kubesched.state.node_tree import REGION_LABEL, ZONE_LABEL
from kubesched.testing.machines.naive_node_tree import NaiveNodeTree

names = st.sampled_from(["n1", "n2", "n3", "n4", "n5", "n6"])
places = st.sampled_from(
    [{}, {ZONE_LABEL: "a"}, {ZONE_LABEL: "b"}, {REGION_LABEL: "r", ZONE_LABEL: "a"}]
)


@pytest.mark.parametrize(
    ("labels", "key"),
    [
        pytest.param({}, "", id="nowhere"),
        pytest.param({REGION_LABEL: "r", ZONE_LABEL: "z"}, "r:\0:z", id="in a zone of a region"),
        pytest.param({ZONE_LABEL: "z"}, ":\0:z", id="in a zone"),
        pytest.param({REGION_LABEL: "r"}, "r:\0:", id="in a region"),
        pytest.param({REGION_LABEL: "", ZONE_LABEL: ""}, "", id="empty labels are no labels"),
        pytest.param({"topology.kubernetes.io/zone": "z"}, "", id="newer labels do not count"),
    ],
)
def test_a_zone_is_region_and_zone_together(labels: Mapping[str, str], key: str) -> None:
    assert zone_key(labels) == key


@define
class Twins:
    """A tree beside the original, and two that walk over it, each in its own way."""

    tree: NodeTree = field(factory=NodeTree)
    naive: NaiveNodeTree = field(factory=NaiveNodeTree)
    taker: NodeCursor = field(factory=NodeCursor)
    walker: NodeCursor = field(factory=NodeCursor)

    def zones(self) -> list[tuple[str, ...]]:
        return [tuple(zone.names) for zone in self.naive.zones.values()]

    def ask(self, count: int) -> None:
        order = self.tree.order()
        expected = [self.naive.next() for _ in range(count)]
        assert self.taker.take(order, count) == expected
        assert self.walker.walk(order, count) == expected


def zones_of(order: NodeOrder) -> list[tuple[str, ...]]:
    return [zone.names for zone in order.zones]


class NodeTreeBesideTheOriginal(RuleBasedStateMachine):
    """Change both alike and ask both for names, by `take` and by `walk`."""

    def __init__(self) -> None:
        super().__init__()
        self.all_twins = [Twins()]
        self.at = 0
        self.held: list[tuple[NodeOrder, list[tuple[str, ...]]]] = []

    @property
    def twins(self) -> Twins:
        return self.all_twins[self.at % len(self.all_twins)]

    @rule(name=names, labels=places)
    def add(self, name: str, labels: Mapping[str, str]) -> None:
        self.twins.tree.add(name, labels)
        self.twins.naive.add(name, zone_key(labels))

    @rule(name=names, labels=places)
    def remove(self, name: str, labels: Mapping[str, str]) -> None:
        key = zone_key(labels)
        if self.twins.naive.holds(name, key):
            self.twins.tree.remove(name, labels)
            self.twins.naive.remove(name, key)
        else:
            with pytest.raises(ClusterError) as caught:
                self.twins.tree.remove(name, labels)
            assert str(caught.value) == f"{name}: node {name} in group {key} was not found"

    @rule(name=names, old=places, new=places)
    def update(self, name: str, old: Mapping[str, str], new: Mapping[str, str]) -> None:
        self.twins.tree.update(name, old, new)
        self.twins.naive.update(name, zone_key(old), zone_key(new))

    @rule(count=st.integers(0, 8))
    def ask_for_some(self, count: int) -> None:
        self.twins.ask(count)

    @rule()
    def ask_for_as_many_as_there_are(self) -> None:
        self.twins.ask(self.twins.naive.size)

    @rule()
    def finish_the_round(self) -> None:
        given = sum(zone.last_index for zone in self.twins.naive.zones.values())
        self.twins.ask(max(0, self.twins.naive.size - given))

    @precondition(lambda self: len(self.all_twins) < 3)
    @rule()
    def copy(self) -> None:
        one = self.twins
        both = Twins(
            one.tree.copy(), deepcopy(one.naive), deepcopy(one.taker), deepcopy(one.walker)
        )
        self.all_twins.append(both)

    @rule()
    def turn_to_the_next_tree(self) -> None:
        self.at += 1

    @rule()
    def hold_the_order(self) -> None:
        self.held.append((self.twins.tree.order(), self.twins.zones()))

    @rule()
    def ask_twice_for_the_order(self) -> None:
        assert self.twins.tree.order() is self.twins.tree.order()

    @invariant()
    def both_know_the_same_nodes(self) -> None:
        for twins in self.all_twins:
            order = twins.tree.order()
            assert zones_of(order) == twins.zones()
            assert len(twins.tree) == order.size == twins.naive.size

    def teardown(self) -> None:
        for order, zones in self.held:
            assert zones_of(order) == zones


NodeTreeBesideTheOriginal.TestCase.settings = settings(max_examples=150, stateful_step_count=40)
TestNodeTreeBesideTheOriginal = NodeTreeBesideTheOriginal.TestCase


def tree_of(**zones: str) -> NodeTree:
    """Return a tree of these zones, each with nodes of one letter."""
    tree = NodeTree()
    for zone, letters in zones.items():
        for letter in letters:
            tree.add(letter, {ZONE_LABEL: zone})
    return tree


def test_zones_take_turns_and_one_that_is_used_up_is_passed_over() -> None:
    tree = tree_of(z1="abc", z2="d", z3="ef")
    assert "".join(NodeCursor().take(tree.order(), 6)) == "adebfc"


def test_a_round_starts_again_at_the_first_zone() -> None:
    assert "".join(NodeCursor().take(tree_of(z1="ab", z2="c").order(), 8)) == "acbacbac"


def test_an_empty_tree_gives_empty_names() -> None:
    assert NodeCursor().take(NodeTree().order(), 2) == ["", ""]


def test_a_node_that_goes_away_costs_the_next_one_of_its_zone_its_turn() -> None:
    tree, cursor = tree_of(z1="abc"), NodeCursor()
    assert cursor.take(tree.order(), 1) == ["a"]
    tree.remove("a", {ZONE_LABEL: "z1"})
    assert cursor.take(tree.order(), 3) == ["c", "b", "c"]


def test_a_zone_that_comes_back_goes_to_the_end_and_starts_afresh() -> None:
    tree, cursor = tree_of(z1="a", z2="bc"), NodeCursor()
    assert cursor.take(tree.order(), 2) == ["a", "b"]
    tree.remove("a", {ZONE_LABEL: "z1"})
    tree.add("a", {ZONE_LABEL: "z1"})
    assert cursor.take(tree.order(), 3) == ["c", "a", "b"]


def test_a_name_may_stand_in_two_zones_and_counts_twice() -> None:
    tree = tree_of(z1="a", z2="a")
    assert len(tree) == 2
    assert tree.order().round == ("a", "a")


def test_two_cursors_do_not_move_each_other_along() -> None:
    order, one, other = tree_of(z1="ab").order(), NodeCursor(), NodeCursor()
    assert one.take(order, 1) == other.take(order, 1) == ["a"]


@given(st.lists(st.tuples(names, places), min_size=1), st.integers(1, 3))
def test_each_round_gives_every_node_once(
    nodes: list[tuple[str, Mapping[str, str]]], rounds: int
) -> None:
    tree, cursor = NodeTree(), NodeCursor()
    for name, labels in nodes:
        tree.add(name, labels)
    once = sorted(name for zone in tree.order().zones for name in zone.names)
    for _ in range(rounds):
        assert sorted(cursor.take(tree.order(), len(tree))) == once


@given(st.lists(st.tuples(names, places), min_size=1), st.integers(0, 9), st.integers(0, 9))
def test_two_calls_give_what_one_gives(
    nodes: list[tuple[str, Mapping[str, str]]], first: int, second: int
) -> None:
    tree, twice, once = NodeTree(), NodeCursor(), NodeCursor()
    for name, labels in nodes:
        tree.add(name, labels)
    order = tree.order()
    assert twice.take(order, first) + twice.take(order, second) == once.take(order, first + second)
