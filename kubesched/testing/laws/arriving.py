"""A law that a predicate may promise: it does not matter who came first."""

from typing import Final

from attrs import evolve

from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.question import Question, agree_on_images, first_difference, told
from kubesched.testing.situation import Situation


def _does_not_ask_who_came_first(rule: Rule, situation: Situation, _draw: Draw, /) -> None:
    other = evolve(situation, objects=situation.objects[::-1])
    before, after = situation.snapshot(), other.snapshot()
    if not agree_on_images(before, after):
        return
    found = first_difference(
        Question.of(rule, situation.pod, before).answers(),
        Question.of(rule, situation.pod, after).answers(),
    )
    if found is not None:
        raise ARRIVAL.broken(
            rule,
            situation,
            f"its answer about node {found[0]} is: {told(found[1])}; "
            f"and had nodes, pods and all others come in the opposite order: {told(found[2])}",
        )


ARRIVAL: Final = Law(
    "arrival",
    "the order in which nodes, pods and other objects came does not matter.",
    _does_not_ask_who_came_first,
)
