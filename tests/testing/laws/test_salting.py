"""What a rule speaks of, and asks for, is put where it looks for it."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from kubesched import FITS, Fit, NodeInfo, Pod, PredicateSpec, node, pod
from kubesched.model import KubeObject, Node, Service
from kubesched.testing import WORDS, Situation
from kubesched.testing.laws.listening import Asked
from kubesched.testing.laws.salting import Salt, salts_of
from kubesched.testing.laws.speaking import words_of

SERVICE = Service()
WEB = Situation(
    pod("web"),
    [node("n1"), node("n2"), pod("db", node_name="n1"), pod("cache"), SERVICE],
)


def rule(check: Callable[..., Any]) -> PredicateSpec[Any]:
    return PredicateSpec("Mine", check)


def rack_is_open(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    return FITS if node.labels.get("rack") != "r7" and "kept-for/" not in pod.labels else Fit()


def has_racks(pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
    pairs = [each.split("=") for each in pod.annotations.get("racks", "").split(",")]
    return FITS if pairs else Fit()


RULE = rule(rack_is_open)


def salted(
    rule: PredicateSpec[Any], *asked: Asked, situation: Situation = WEB, times: int = 400
) -> list[Situation]:
    """Return what becomes of a situation, by one salt each."""
    pickers, chance = salts_of(rule, words_of(rule), asked), Random(0)  # noqa: S311 - not for secrets
    return [chance.choice(pickers)(chance)(situation) for _ in range(times)]


def test_there_are_fewer_other_words_than_usual() -> None:
    words = words_of(RULE)
    assert {"rack", "r7"} <= {*words.keys, *words.values}
    assert len(words.keys) <= 2 + 4 + 2 + 1
    assert words.values[:3] == WORDS.values[:3]


@pytest.mark.parametrize(
    "is_there",
    [
        lambda it: any(node.labels.get("rack") == "r7" for node in it.nodes),
        lambda it: any(node.annotations.get("rack") for node in it.nodes),
        lambda it: it.pod.labels.get("rack") == "r7",
        lambda it: any(pod.labels.get("rack") == "r7" for pod in it.pods),
        lambda it: {"kept-for/a", "kept-for/b"} <= it.pod.labels.keys(),
        lambda it: any("rack" in n.labels for n in it.nodes) and "rack" not in it.pod.labels,
        lambda it: any("rack" in each.labels for each in it.objects if isinstance(each, Service)),
    ],
    ids=[
        "a label of a node",
        "an annotation of a node",
        "a label of the pod",
        "a label of another pod",
        "two labels that begin alike",
        "a label of a node that the pod has not",
        "a label of another object",
    ],
)
def test_what_a_rule_speaks_of_comes_up_everywhere(is_there: Callable[[Situation], bool]) -> None:
    assert any(map(is_there, salted(RULE)))


@pytest.mark.parametrize("text", ["b,a", "app=a", "tier=b,app=a", "", "{}", "-1"])
def test_an_annotation_may_hold_what_a_rule_takes_apart(text: str) -> None:
    assert any(it.pod.annotations.get("racks") == text for it in salted(rule(has_racks)))


@pytest.mark.parametrize(
    ("asked", "has"),
    [
        (Asked(Node, "labels", "disk"), lambda it: [n.labels.get("disk") for n in it.nodes]),
        (Asked(Pod, "annotations", "disk"), lambda it: [it.pod.annotations.get("disk")]),
        (Asked(Service, "labels", "disk"), lambda it: [it.objects[-1].labels.get("disk")]),
    ],
    ids=["a label of nodes", "an annotation of pods", "a label of services"],
)
def test_what_a_rule_asks_for_is_put_just_there(
    asked: Asked, has: Callable[[Situation], list[str | None]]
) -> None:
    silent = rule(lambda *_: FITS)
    held = [text for it in salted(silent, asked) for text in has(it)]
    assert {"a", "b", None} <= {*held}
    for it in salted(silent, asked):
        for each in (it.pod, *it.objects):
            assert "disk" not in {**each.labels, **each.annotations} or type(each) is asked.kind


def test_what_a_rule_asks_for_may_be_taken_away() -> None:
    there = Situation(pod("web"), [node("n1", labels={"disk": "ssd"})])
    asked = Asked(Node, "labels", "disk")
    assert any(
        "disk" not in it.nodes[0].labels
        for it in salted(rule(lambda *_: FITS), asked, situation=there)
    )


def test_of_what_speaks_of_nothing_and_asks_for_nothing_there_is_no_salt() -> None:
    assert not salts_of(rule(lambda *_: FITS), WORDS)


@pytest.mark.parametrize(
    ("place", "where"),
    [
        ("everywhere", {"web", "n1", "n2", "db", "cache", ""}),
        ("nodes", {"n1", "n2"}),
        ("the pod", {"web"}),
        ("other pods", {"db", "cache"}),
        ("the first", {"n1"}),
        ("the last", {""}),
        ("the rest", {""}),
    ],
)
def test_places(place: str, where: set[str]) -> None:
    it = Salt({"a": "b"}, {"c": "d"}, place)(WEB)
    objects: list[KubeObject] = [it.pod, *it.objects]
    assert {each.name for each in objects if "a" in each.labels} == where
    assert {each.name for each in objects if "c" in each.annotations} == where


@pytest.mark.parametrize(
    ("kind", "first", "last"), [(Node, "n1", "n2"), (Pod, "db", "cache"), (Service, "", "")]
)
def test_places_among_the_objects_of_a_kind(kind: type[KubeObject], first: str, last: str) -> None:
    for place, name in (("the first", first), ("the last", last)):
        it = Salt({"a": "b"}, {}, place, kind)(WEB)
        assert [each.name for each in (it.pod, *it.objects) if "a" in each.labels] == [name]


def test_what_is_compared_is_often_the_same() -> None:
    asked = Asked(Node, "labels", "disk")
    assert any(
        it.nodes[0].labels.get("disk") == it.pod.annotations.get("rack") != it.pod.labels.get("r7")
        for it in salted(RULE, asked)
        if "rack" in it.pod.annotations
    )


def test_a_pod_has_several_annotations_at_once() -> None:
    assert any({"rack", "r7"} <= it.pod.annotations.keys() for it in salted(RULE))
