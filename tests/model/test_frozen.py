import copy
from collections.abc import Callable
from operator import delitem, setitem
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

from kubesched.errors import QuantityError
from kubesched.model import FrozenMap
from kubesched.model.frozen import (
    frozen_map,
    frozen_tuple,
    optional_string_map,
    resource_list,
    string_map,
)
from kubesched.quantity import Quantity
from tests.copies import PROTOCOLS, pickled
from tests.strategies import labels


class Change(NamedTuple):
    """A way to change a dict."""

    says: str
    make: Callable[[Any], object]


CHANGES = [
    Change("setting a key", lambda it: setitem(it, "app", "db")),
    Change("setting a new key", lambda it: setitem(it, "tier", "front")),
    Change("deleting a key", lambda it: delitem(it, "app")),
    Change("merging in place", lambda it: it.__ior__({"tier": "front"})),
    Change("clearing", lambda it: it.clear()),
    Change("popping", lambda it: it.pop("app")),
    Change("popping with a default", lambda it: it.pop("none", None)),
    Change("popping an item", lambda it: it.popitem()),
    Change("setting a default", lambda it: it.setdefault("tier", "front")),
    Change("updating", lambda it: it.update(app="db")),
    Change("updating with nothing", lambda it: it.update()),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda it: it.says)
def test_a_frozen_map_refuses_every_change(change: Change) -> None:
    frozen = FrozenMap({"app": "web"})
    with pytest.raises(TypeError, match=r"^a FrozenMap cannot be changed$"):
        change.make(frozen)
    assert frozen == {"app": "web"}


def test_no_method_of_dict_that_changes_it_was_forgotten() -> None:
    readers = {"copy", "fromkeys", "get", "items", "keys", "values"}
    methods = {name for name in dir(dict) if not name.startswith("__")} - readers
    assert all(vars(FrozenMap)[name] is vars(FrozenMap)["clear"] for name in methods)


@given(labels())
def test_a_frozen_map_reads_as_the_dict_that_it_was_made_of(given: dict[str, str]) -> None:
    frozen = FrozenMap(given)
    assert frozen == given
    assert list(frozen.items()) == list(given.items())


@given(labels(), st.randoms(use_true_random=False))
def test_equal_frozen_maps_hash_alike_whatever_their_order(
    given: dict[str, str], chance: Any
) -> None:
    items = list(given.items())
    chance.shuffle(items)
    assert hash(FrozenMap(given)) == hash(FrozenMap(items))
    assert FrozenMap(given) == FrozenMap(items)


@given(labels())
def test_a_copy_of_a_frozen_map_is_the_map_itself(given: dict[str, str]) -> None:
    frozen = FrozenMap(given)
    assert copy.copy(frozen) is frozen
    assert copy.deepcopy(frozen) is frozen


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_frozen_map_comes_back_frozen_from_a_pickle(protocol: int) -> None:
    frozen = FrozenMap({"app": "web", "tier": "front"})
    assert list(pickled(frozen, protocol).items()) == list(frozen.items())


def test_merging_gives_a_plain_dict_and_leaves_the_map_alone() -> None:
    frozen = FrozenMap({"app": "web"})
    merged = frozen | {"app": "db"}
    assert type(merged) is dict
    assert (merged, frozen) == ({"app": "db"}, {"app": "web"})


@pytest.mark.parametrize("freeze", [frozen_map, string_map, optional_string_map])
def test_freezing_takes_a_copy_but_what_is_frozen_as_it_is(freeze: Callable[..., Any]) -> None:
    given = {"app": "web"}
    frozen = freeze(given)
    given["app"] = "db"
    assert frozen == {"app": "web"}
    assert freeze(frozen) is frozen


def test_an_absent_map_stays_absent() -> None:
    assert optional_string_map(None) is None


def test_freezing_a_sequence_gives_a_tuple() -> None:
    assert frozen_tuple(iter("ab")) == ("a", "b")


def test_a_resource_list_reads_amounts_and_takes_quantities_as_they_are() -> None:
    memory = Quantity("1Gi")
    read = resource_list({"cpu": "500m", "memory": memory, "pods": 3})
    assert read == {"cpu": Quantity("500m"), "memory": memory, "pods": Quantity(3)}
    assert read["memory"] is memory
    assert resource_list(read) is read


def test_a_frozen_map_of_texts_is_still_read() -> None:
    assert resource_list(FrozenMap({"cpu": "1"}))["cpu"] == Quantity("1")


def test_a_resource_list_refuses_what_is_no_quantity() -> None:
    with pytest.raises(QuantityError, match="'16 GB' is not a quantity"):
        resource_list({"memory": "16 GB"})
