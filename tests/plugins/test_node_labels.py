"""Labels that somebody wants nodes to have, or not to have."""

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.framework import Reason
from kubesched.plugins.node_labels import (
    LABELS_NOT_RIGHT,
    check_node_label_presence,
    node_label,
)
from tests.plugins.asking import fits, reasons, scores
from tests.strategies import keys, labels

POD = pod("web-1")

CASES = [
    pytest.param(["rack"], True, ["rack"], True, id="it is there as it should be"),
    pytest.param(["rack"], True, [], False, id="it is not there as it should be"),
    pytest.param(["rack"], False, ["rack"], False, id="it is there as it should not be"),
    pytest.param(["rack"], False, [], True, id="it is not there as it should not be"),
    pytest.param(["rack", "row"], True, ["rack", "row"], True, id="all are there"),
    pytest.param(["rack", "row"], True, ["rack"], False, id="one is missing"),
    pytest.param(["rack", "row"], False, ["row"], False, id="one is there and none should"),
    pytest.param(["rack", "row"], False, ["aisle"], True, id="none is there"),
    pytest.param([], True, [], True, id="no labels are asked for"),
    pytest.param([], False, ["rack"], True, id="no labels are objected to"),
]


@pytest.mark.parametrize(("asked", "presence", "there", "expected"), CASES)
def test_labels_must_be_there_or_must_not(
    *, asked: list[str], presence: bool, there: list[str], expected: bool
) -> None:
    spec = check_node_label_presence(iter(asked), presence=presence)
    labelled = node("n1", labels=dict.fromkeys(there, "any"))
    for _ in range(2):
        assert fits(spec, POD, labelled) is expected


def test_the_value_does_not_matter() -> None:
    spec = check_node_label_presence(["rack"], presence=True)
    assert fits(spec, POD, node("n1", labels={"rack": ""}))


def test_it_says_so_once_and_eviction_is_no_cure() -> None:
    spec = check_node_label_presence(["rack", "row"], presence=True)
    assert reasons(spec, POD, node("n1")) == [LABELS_NOT_RIGHT.text]
    expected = Reason("node(s) didn't have the requested labels", resolvable=False)
    assert expected == LABELS_NOT_RIGHT


def test_it_takes_the_stock_name_unless_it_is_given_another() -> None:
    named = check_node_label_presence([], presence=True, name="Racks")
    assert named.name == "Racks"
    assert check_node_label_presence([], presence=True).name == "CheckNodeLabelPresence"


@given(st.lists(keys), labels())
def test_with_every_label_wanted_the_more_a_node_has_the_better(
    wanted: list[str], there: dict[str, str]
) -> None:
    all_wanted = check_node_label_presence(wanted, presence=True)
    none_wanted = check_node_label_presence(wanted, presence=False)
    more = node("n1", labels={**there, **dict.fromkeys(wanted[:1], "")})
    assert fits(all_wanted, POD, more) >= fits(all_wanted, POD, node("n1", labels=there))
    assert fits(none_wanted, POD, more) <= fits(none_wanted, POD, node("n1", labels=there))


def test_a_preferred_label_scores_10_or_0() -> None:
    nodes = [node("with", labels={"ssd": ""}), node("without")]
    assert scores(node_label("Ssd", "ssd", presence=True), POD, *nodes) == [10, 0]
    assert scores(node_label("NoSsd", "ssd", presence=False), POD, *nodes) == [0, 10]


def test_a_preferred_label_has_its_name_and_weight() -> None:
    spec = node_label("Ssd", "ssd", presence=True, weight=3)
    assert (spec.name, spec.weight) == ("Ssd", 3)
    assert node_label("Ssd", "ssd", presence=True).weight == 1
