"""What does not matter is left out of an attempt."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from kubesched import FITS, Pod, PredicateSpec, node, pod
from kubesched.model import Service
from kubesched.testing import WORDS, Draw, Law, Situation, situations
from kubesched.testing.laws.attempts import Attempt, Sighting, Trial
from kubesched.testing.laws.rewinding import Beginning
from kubesched.testing.laws.shrinking import smallest

RULE = PredicateSpec("Mine", lambda *_: FITS)
TRIAL = Trial(RULE, WORDS, Beginning.of(RULE))
BUSY = Situation(
    pod(
        "team/web",
        cpu=2,
        labels={"app": "web", "tier": "front"},
        tolerations=["gpu", "spot"],
        priority=8,
    ),
    [
        node("worker-1", zone="east", taints=["gpu:NoSchedule"]),
        node("worker-2"),
        pod("team/db", node_name="worker-1", cpu=1),
        pod("team/cache", node_name="worker-2", memory="1Gi"),
        Service(),
    ],
)


TWICE = Attempt(BUSY, BUSY, (9, 9))


def law_that_forbids(condition: Callable[[Situation, Draw], Any]) -> Law:
    def check(rule: Any, situation: Situation, draw: Draw, /) -> None:
        if condition(situation, draw):
            raise law.broken(rule, situation, "it holds")

    law = Law("none", "it does not hold.", check)
    return law


def smallest_with(condition: Callable[[Situation, Draw], Any], attempt: Attempt = TWICE) -> Attempt:
    seen = TRIAL.sighting(law_that_forbids(condition), attempt)
    assert seen is not None
    return smallest(TRIAL, seen).attempt


def test_nothing_is_left_if_nothing_matters() -> None:
    found = smallest_with(lambda *_: True)
    assert found.situation.objects == found.other.objects == ()
    assert found.choices == ()
    assert found.situation.pod == Pod(metadata=pod("web").metadata)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (lambda it: "app" in it.pod.labels, pod("web", containers=[], labels={"app": "a"})),
        (lambda it: it.pod.priority > 1, pod("web", containers=[], priority=2)),
        (lambda it: it.pod.spec.tolerations[1:], None),
    ],
    ids=["a label", "a number", "two of something"],
)
def test_what_matters_is_left(condition: Callable[[Situation], Any], expected: Pod | None) -> None:
    found = smallest_with(lambda it, _: condition(it)).situation
    assert condition(found)
    assert found.objects == ()
    assert expected is None or found.pod == expected


def test_a_node_takes_its_pods_with_it() -> None:
    found = smallest_with(lambda it, _: any(each.node_name for each in it.pods)).situation
    assert [it.key for it in found.objects] == ["n1", "default/cache"]
    assert found.pods[0].node_name == "n1"


def test_names_become_plain() -> None:
    found = smallest_with(lambda it, _: len(it.nodes) > 1).situation
    assert [it.name for it in found.nodes] == ["n1", "n2"]


def test_the_other_situation_and_the_choices_become_smaller_too() -> None:
    found = smallest_with(lambda _, draw: draw.other.pods and draw.choose(range(10)) == 9)
    assert found.situation.objects == ()
    assert [it.key for it in found.other.objects] == ["n1", "default/cache"]
    assert len(found.choices) == 1


def test_what_is_there_in_pairs_goes_in_pairs() -> None:
    pods = [pod(f"team/p{number}", node_name="worker-1") for number in range(6)]
    even = evolve(BUSY, objects=[*BUSY.nodes, *pods])
    found = smallest_with(lambda it, _: it.pods and len(it.pods) % 2 == 0, Attempt(even, even))
    assert len(found.situation.pods) == 2


def test_two_situations_that_have_to_be_of_one_size_shrink_together() -> None:
    def differ(it: Situation, draw: Draw) -> bool:
        return len(it.objects) == len(draw.other.objects) > 0 and it.objects != draw.other.objects

    other = evolve(BUSY, objects=[node(f"n{number}") for number in range(len(BUSY.objects))])
    found = smallest_with(differ, Attempt(BUSY, other))
    assert len(found.situation.objects) == len(found.other.objects) == 1


def test_the_other_situation_becomes_one_that_hardly_differs() -> None:
    def differ(it: Situation, draw: Draw) -> bool:
        mine, others = (sorted(each.kind for each in them.objects) for them in (it, draw.other))
        return mine == others and it.objects != draw.other.objects

    turned = evolve(BUSY, objects=[node("a"), Service(), pod("x"), node("b"), pod("y")])
    found = smallest_with(differ, Attempt(BUSY, turned))
    assert len(found.situation.objects) == len(found.other.objects) == 1


def test_a_number_in_a_text_and_pods_become_fewer_together() -> None:
    def is_reached(it: Situation, _draw: Draw) -> bool:
        return (it.pod.labels.get("limit"), len(it.pods)) in {("7", 3), ("1", 2)}

    pods = [pod(f"team/p{number}", node_name="worker-1") for number in range(3)]
    limited = Situation(pod("web", labels={"limit": "7"}), [node("worker-1"), *pods])
    assert len(smallest_with(is_reached, Attempt(limited, limited)).situation.pods) == 2


def test_a_law_that_would_have_to_draw_more_is_not_broken() -> None:
    def check(rule: Any, situation: Situation, draw: Draw, /) -> None:
        if situation.objects:
            raise law.broken(rule, situation, "there is something")
        draw(st.integers())
        raise AssertionError

    law = Law("none", "", check)
    seen = TRIAL.sighting(law, Attempt(BUSY, BUSY))
    assert seen is not None
    assert len(smallest(TRIAL, seen).attempt.situation.objects) == 1


def test_another_mistake_is_not_taken_for_the_same() -> None:
    def check(rule: Any, situation: Situation, _draw: Draw, /) -> None:
        if not situation.objects:
            raise law.broken(rule, situation, "there is nothing")
        raise law.broken(rule, situation, "there is something")

    law = Law("none", "", check)
    seen = TRIAL.sighting(law, Attempt(BUSY, BUSY))
    assert seen is not None
    assert len(smallest(TRIAL, seen).attempt.situation.objects) == 1


@settings(max_examples=8)
@given(situations())
def test_it_comes_to_an_end(situation: Situation) -> None:
    condition = law_that_forbids(lambda it, _: it.pod.key == situation.pod.key)
    seen = TRIAL.sighting(condition, Attempt(situation, situation, (1, 2, 3)))
    assert isinstance(seen, Sighting)
    again = smallest(TRIAL, smallest(TRIAL, seen))
    assert again.attempt == smallest(TRIAL, seen).attempt
