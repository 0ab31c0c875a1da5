"""What somebody's functions can get at is found by looking."""

from collections import Counter, deque
from collections.abc import Callable
from enum import Enum
from functools import lru_cache, partial
from types import FunctionType, MappingProxyType
from typing import Any

import pytest
from attrs import define, frozen

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, all_of
from kubesched.model import Taint
from kubesched.plugins.node_conditions import is_free_of
from kubesched.testing.reach import functions_of, reachable

REFUSED = Fit(Reason("no"))
RACK = "r7"
RACKS = {"closed": ["r8"]}
DEDICATED = Taint(key="dedicated", effect="NoSchedule")


class Colour(Enum):
    RED = "#ff0000"


@frozen
class Limits:
    most: int = 3


@define
class Rule:
    limits: Limits
    label: str = "pool"

    def check(self, _pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
        return FITS if self.label in node.labels and len(node.pods) < 77 else REFUSED

    def __call__(self, _pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
        return FITS if node.name == "called" else REFUSED


def uses_global() -> bool:
    return RACK in RACKS


def uses_other() -> bool:
    return uses_global()


def uses_nested() -> Callable[[], str]:
    def within() -> str:
        return "nested"

    return within


def with_default(rack: str = "by default", *, most: int = 41) -> tuple[str, int]:
    return rack, most


def closed_over(text: str) -> Callable[[], str]:
    return lambda: text


def uses_colour() -> Colour:
    return Colour.RED


def uses_taint() -> str:
    return DEDICATED.key


@lru_cache
def cached() -> str:
    return "cached"


SPEC = PredicateSpec("Mine", Rule(Limits(5)).check, reads={Facet.LABELS})


REACHED: list[tuple[str, object, object]] = [
    ("a global", uses_global, "r7"),
    ("what is in a global", uses_global, "r8"),
    ("what another function uses", uses_other, "r7"),
    ("what a function within uses", uses_nested, "nested"),
    ("a default", with_default, "by default"),
    ("the default of a keyword", with_default, 41),
    ("what a function is closed over", closed_over("kept"), "kept"),
    ("what is given in advance", partial(with_default, "given"), "given"),
    ("the value of a member", uses_colour, "#ff0000"),
    ("a field of a model", uses_taint, "dedicated"),
    ("what is in a function with a cache", cached, "cached"),
    ("an attribute of an object whose method it is", SPEC, "pool"),
    ("an attribute of an attribute", SPEC, 5),
    ("what is in a method", SPEC, 77),
    ("what is in the method that makes an object a function", Rule(Limits()), "called"),
    ("what is in a predicate of others", all_of("Both", SPEC, order=1), "pool"),
    ("what a stock rule was made with", is_free_of("PIDPressure", Reason("no")), "PIDPressure"),
    ("what is in a list, a dict and a deque", [{"a": deque(["in a deque"])}], "in a deque"),
    ("what is in a proxy and a tuple", MappingProxyType({"a": ("in a tuple",)}), "in a tuple"),
    ("the keys of a counter", Counter({"counted": 2}), "counted"),
    ("what is in a set", frozenset({"in a set"}), "in a set"),
]


@pytest.mark.parametrize(
    ("root", "found"), [row[1:] for row in REACHED], ids=[row[0] for row in REACHED]
)
def test_it_is_reached(root: object, found: object) -> None:
    assert found in [it for it in reachable(root) if isinstance(it, str | int)]


def test_nothing_is_called() -> None:
    class Trap:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(name)

        def __eq__(self, other: object) -> bool:
            raise AssertionError

        def __hash__(self) -> int:
            raise AssertionError

        def __iter__(self) -> Any:
            raise AssertionError

        @property
        def value(self) -> Any:
            raise AssertionError

    trap = Trap()

    def rule() -> object:
        raise AssertionError(trap)

    assert trap in [it for it in reachable(rule) if it is trap]


def test_what_holds_itself_is_reached_once() -> None:
    ring: list[Any] = []
    ring.append(ring)
    assert len(list(reachable(ring))) == 1


def test_there_is_an_end_to_it() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert len(list(reachable(deep))) < 10_000


def test_the_foundations_of_the_library_are_nobodys_own() -> None:
    def rule() -> object:
        return Facet.LABELS, Taint, uses_global()

    names = {function.__name__ for function in functions_of(rule)}
    assert names == {"rule", "uses_global"}
    assert all(type(it) is FunctionType for it in functions_of(rule))
