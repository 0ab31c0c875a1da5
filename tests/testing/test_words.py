"""The words that things are drawn from, and those that somebody's rules add."""

import pytest
from attrs import asdict

from kubesched.errors import OptionError
from kubesched.model import Pod
from kubesched.state import NodeInfo
from kubesched.testing import WORDS, Words, clusters, nodes, pods
from tests.testing.finding import comes_up


def rack_is_open(_pod: Pod, _meta: None, node: NodeInfo) -> bool:
    """Speak of a rack, a limit and a resource."""
    return (
        node.labels.get("rack") != "r7"
        and len(node.pods) < 20
        and not node.requested.scalars.get("example.com/fpga")
    )


def test_a_function_adds_the_words_that_it_speaks_of() -> None:
    words = WORDS.with_those_of(rack_is_open)
    assert {"rack", "r7"} < {*words.keys}
    assert {"r7", "20"} < {*words.values}
    assert {19, 20, 21} < {*words.numbers}
    assert "example.com/fpga" in words.resources


def test_a_rule_meets_what_it_speaks_of() -> None:
    words = WORDS.with_those_of(rack_is_open)
    comes_up(nodes(words=words), lambda it: it.labels.get("rack") == "r7", within=400)
    comes_up(
        clusters(words=words),
        lambda it: any(
            info.requested.scalars.get("example.com/fpga")
            for info in it.snapshot().node_infos.values()
        ),
        within=600,
    )
    comes_up(pods(words=words), lambda it: "rack" in it.labels, within=400)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        pytest.param(
            "rack",
            "node_names namespaces keys values zones storage_classes scheduler_names",
            id="a plain word",
        ),
        pytest.param("Kernel", "keys values conditions owner_kinds", id="a title"),
        pytest.param("example.com/gpu2", "keys resources", id="a name with a domain"),
        pytest.param("disk.csi.example.com", "keys values drivers", id="a domain"),
        pytest.param("web:3", "images", id="an image"),
        pytest.param("hugepages-1Gi", "keys values resources", id="a resource"),
        pytest.param("not a word!", "", id="something else"),
    ],
)
def test_a_text_is_put_where_it_could_be_meant(text: str, fields: str) -> None:
    words = asdict(WORDS.with_words([text]))
    assert {name for name, held in words.items() if text in held} == {*fields.split()}


@pytest.mark.parametrize(
    ("number", "added"),
    [
        pytest.param(110, {109, 110, 111}, id="with its neighbours"),
        pytest.param(0, set(), id="what is there already"),
        pytest.param(-5, set(), id="nothing below zero"),
        pytest.param(-1, set(), id="a neighbour of zero"),
        pytest.param(2**63, {2**63 - 1}, id="nothing that no manifest can hold"),
    ],
)
def test_a_number_comes_with_its_neighbours(number: int, added: set[int]) -> None:
    assert {*WORDS.with_words(numbers=[number]).numbers} - {*WORDS.numbers} == added


def test_what_is_there_already_stays_where_it_is() -> None:
    assert WORDS.with_words(["app"], [1]).keys == WORDS.keys
    assert Words(keys=["b", "a", "b"]).keys == ("b", "a")


def test_there_is_at_least_one_of_everything() -> None:
    with pytest.raises(OptionError, match="keys of the words is empty, expected at least one"):
        Words(keys=())
