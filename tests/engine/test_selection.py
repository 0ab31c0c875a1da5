"""Which of the best nodes it is to be."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from kubesched.engine import FirstByName, HostSelector, Random, RoundRobin, select_host

names = st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True)


def totals_of(names_: Sequence[str]) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 3), min_size=len(names_), max_size=len(names_))


candidates = names.flatmap(lambda made: st.tuples(st.just(made), totals_of(made)))


@given(st.lists(names), st.integers(0, 2**64))
def test_round_robin_takes_the_tied_nodes_in_turn(ties: list[list[str]], start: int) -> None:
    choose = RoundRobin(start)
    for turn, tied in enumerate(ties, start):
        assert choose(tied) == tied[turn % len(tied)]
    assert choose.index == start + len(ties)


def test_a_choice_without_a_choice_counts_as_a_turn() -> None:
    choose = RoundRobin()
    chosen = [choose(tied) for tied in (["a", "b"], ["c"], ["a", "b"], ["a", "b"])]
    assert chosen == ["a", "c", "a", "b"]


@given(st.lists(names), st.integers())
def test_the_same_seed_gives_the_same_nodes(ties: list[list[str]], seed: int) -> None:
    first, second = Random(seed), Random(seed)
    assert [first(tied) for tied in ties] == [second(tied) for tied in ties]


def test_chance_takes_every_node_some_day() -> None:
    choose = Random(7)
    assert {choose(["a", "b", "c"]) for _ in range(100)} == {"a", "b", "c"}


def test_two_seeds_differ_some_day() -> None:
    tied = ["a", "b", "c"]
    one, other = Random(1), Random(2)
    assert [one(tied) for _ in range(100)] != [other(tied) for _ in range(100)]


@given(names.flatmap(st.permutations))
def test_the_first_by_name_is_the_same_in_any_order(tied: list[str]) -> None:
    chosen = FirstByName()(tied)
    assert chosen in tied
    assert all(chosen <= name for name in tied)


@pytest.mark.parametrize("choose", [RoundRobin(), Random(1), FirstByName()], ids=repr)
@given(candidates)
def test_what_is_chosen_is_one_of_the_best(
    choose: HostSelector, given_candidates: tuple[list[str], list[int]]
) -> None:
    given_names, totals = given_candidates
    chosen = select_host(given_names, totals, choose)
    assert totals[given_names.index(chosen)] == max(totals)


@given(candidates)
def test_the_selector_sees_all_the_best_in_their_order(
    given_candidates: tuple[list[str], list[int]],
) -> None:
    given_names, totals = given_candidates
    seen: list[str] = []

    def choose(tied: Sequence[str], /) -> str:
        seen.extend(tied)
        return tied[0]

    select_host(given_names, totals, choose)
    best = max(totals)
    assert seen == [name for name, total in zip(given_names, totals, strict=True) if total == best]


def test_totals_below_zero_are_totals() -> None:
    assert select_host(["a", "b", "c"], [-7, -2, -9], FirstByName()) == "b"
