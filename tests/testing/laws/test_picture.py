"""Pictures show whether anything has changed, however deep."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import attrs
import pytest
from hypothesis import given, settings

from kubesched import NodeInfo, node, pod
from kubesched.testing import Situation, situations
from kubesched.testing.laws.picture import difference, picture
from tests.copies import pickled


@dataclass
class Data:
    numbers: list[int] = field(default_factory=lambda: [1])


@attrs.define
class Slotted:
    inner: Data = attrs.field(factory=Data)
    _hidden: int = 0

    @cached_property
    def total(self) -> int:
        return sum(self.inner.numbers)


class Plain:
    def __init__(self) -> None:
        self.held = {"a": {1, 2}}

    @cached_property
    def size(self) -> int:
        return len(self.held)


def change_of(it: Any, change: Callable[[Any], object]) -> str | None:
    before = picture(it)
    change(it)
    return difference(before, picture(it), "it")


@pytest.mark.parametrize(
    ("it", "change", "told"),
    [
        ([1, 2], lambda it: it.append(3), "it has [2] now, which is 3"),
        ([1, 2], lambda it: it.pop(), "it has lost [1], which was 2"),
        ({"a": 1}, lambda it: it.update(a=2), "it['a'] was 1 and is 2"),
        ({"a": 1, "b": 2}, lambda it: it.update(a=it.pop("a")), "it has lost ['a'], which was 1"),
        (Data(), lambda it: it.numbers.append(2), "it.numbers has [1] now, which is 2"),
        (Slotted(), lambda it: it.inner.numbers.clear(), "it.inner.numbers has lost [0]"),
        (Slotted(), lambda it: setattr(it, "_hidden", 1), "it.hidden was 0 and is 1"),
        (Plain(), lambda it: it.held["a"].add(3), "it.held['a'] has {3} now, which is 3"),
        ([Data()], lambda it: it.__setitem__(0, Slotted()), "it[0] was a Data and is a Slotted"),
        ([1], lambda it: it.__setitem__(0, 1.0), "it[0] was 1 and is 1.0"),
        (
            NodeInfo.of(node("n1")),
            lambda it: it.add_pod(pod("web", cpu=1)),
            "it.pods has ['default/web'] now, which is a Pod",
        ),
    ],
    ids=[
        "one more in a list",
        "one less in a list",
        "another value in a dict",
        "another order in a dict",
        "a field of a dataclass",
        "something deep in an attrs class",
        "a private field",
        "something in a set, in a dict, in an object",
        "another kind of thing",
        "another kind of number",
        "a pod on a node",
    ],
)
def test_what_has_changed_is_told(it: Any, change: Callable[[Any], object], told: str) -> None:
    assert (change_of(it, change) or "").startswith(told)


@pytest.mark.parametrize(
    ("it", "use"),
    [
        (Slotted(), lambda it: it.total),
        (Plain(), lambda it: it.size),
        (pod("web"), lambda it: it.key),
        ({3, 1, 2}, sorted),
    ],
    ids=["in slots", "in a dict", "in a model", "nothing at all"],
)
def test_what_an_object_works_out_once_for_itself_is_no_change(
    it: Any, use: Callable[[Any], object]
) -> None:
    assert change_of(it, use) is None


def test_what_holds_itself_has_a_picture() -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    assert change_of(ring, lambda it: it.__setitem__(0, 2)) == "it[0] was 1 and is 2"


@settings(max_examples=25)
@given(situations())
def test_equal_situations_have_equal_pictures(situation: Situation) -> None:
    assert difference(picture(situation), picture(pickled(situation)), "it") is None
