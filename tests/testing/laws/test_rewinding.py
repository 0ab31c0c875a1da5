"""What rules keep between two questions can be made as it was."""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from attrs import define

from kubesched.model import FrozenMap
from kubesched.testing.laws.rewinding import Beginning

TABLE: dict[str, list[int]] = {"a": [1]}
count = 0
made: int  # not yet
calls: list[int] = []


def counts() -> int:
    global count  # noqa: PLW0603 - that is the point
    count += 1
    return count


def makes_global() -> int:
    global made  # noqa: PLW0603
    made = globals().get("made", 0) + 1
    return made


def in_table() -> int:
    TABLE["a"].append(2)
    TABLE["b"] = []
    return len(TABLE["a"]) + len(TABLE)


def in_default(held: list[int] = []) -> int:  # noqa: B006
    held.append(1)
    return len(held)


def in_itself() -> int:
    in_itself.calls = getattr(in_itself, "calls", 0) + 1  # type: ignore[attr-defined]
    return int(in_itself.calls)  # type: ignore[attr-defined]


def closure() -> Callable[[], int]:
    number = 0

    def counts_within() -> int:
        nonlocal number
        number += 1
        return number

    return counts_within


@lru_cache
def remembered() -> int:
    calls.append(1)
    return 0


def asks_the_cache() -> int:
    remembered()
    return remembered.cache_info().misses


@define
class Slotted:
    number: int = 0

    def counts(self) -> int:
        self.number += 1
        return self.number


class Plain:
    number = 0
    everywhere = 0

    def counts(self) -> int:
        self.number += 1
        Plain.everywhere += 1
        return self.number + Plain.everywhere


def holding(held: Any, use: Callable[[Any], object]) -> Callable[[], object]:
    return lambda: use(held)


def put(held: Any) -> object:
    held[str(len(held))] = 1
    return [*held.items()]


def more(held: Any) -> object:
    held.append(len(held))
    return [*held]


def one_more(held: set[int]) -> object:
    held.add(len(held))
    return sorted(held)


KEEPING: dict[str, Callable[[], object]] = {
    "a global": counts,
    "a new global": makes_global,
    "what is in a dict": in_table,
    "a default": in_default,
    "an attribute of the function": in_itself,
    "a variable around it": closure(),
    "a cache": asks_the_cache,
    "an attribute in slots": Slotted().counts,
    "an attribute in a dict, and one of the class": Plain().counts,
    "an ordered dict": holding(OrderedDict(a=1), put),
    "a counter": holding(Counter(a=1), put),
    "a dict with defaults": holding(defaultdict(int), put),
    "a list": holding([0], more),
    "a deque": holding(deque([0]), more),
    "a set": holding({0}, one_more),
    "random numbers": holding(Random(1), lambda held: held.random()),  # noqa: S311
}


@pytest.mark.parametrize("keeps", KEEPING.values(), ids=KEEPING)
def test_the_same_comes_again_from_the_beginning(keeps: Callable[[], object]) -> None:
    beginning = Beginning.of(keeps)
    first, second = keeps(), keeps()
    beginning.restore()
    again = keeps()
    beginning.restore()
    assert again == first
    assert second != first or keeps is asks_the_cache


def test_what_cannot_change_is_left_alone() -> None:
    labels = FrozenMap({"app": "a"})
    Beginning.of(lambda: labels).restore()
    assert labels == {"app": "a"}
