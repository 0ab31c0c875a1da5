"""Laws that a predicate may promise: what makes a pod easier to place never gets it refused.

One that wants pods to be together does not keep the one about removed pods; one that treats pods
without requests differently does not keep the one about requests.
"""

from collections.abc import Callable
from typing import Any, Final

from kubesched.framework import PredicateSpec
from kubesched.testing.laws.curing import is_refusal
from kubesched.testing.laws.easing import (
    TRIES,
    with_more_requests,
    with_more_room,
    with_one_more_toleration,
    without_a_pod,
)
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.margins import at_the_margin, with_just_too_little
from kubesched.testing.laws.question import Answer, Question, told
from kubesched.testing.situation import Situation


def _law(
    name: str,
    says: str,
    change: Callable[[Situation, str, Draw], Situation],
    *,
    eases: bool = True,
) -> Law:
    """Return the law that a change does not make a pod fit worse, or better if it does not ease."""

    def check(rule: PredicateSpec[Any], situation: Situation, draw: Draw, /) -> None:
        if not situation.nodes:
            return
        node = draw.choose(situation.nodes).name
        if not eases:
            situation = with_just_too_little(rule, situation, node, draw)
        before = _answer(rule, situation, node)
        for _ in range(TRIES):
            changed = change(situation, node, draw)
            after = _answer(rule, changed, node)
            compare(rule, node, (situation, before), (changed, after))
            pair = at_the_margin(rule, situation, changed, node, draw) if eases else None
            if pair is not None:
                compare(rule, node, *((each, _answer(rule, each, node)) for each in pair))
            situation, before = changed, after

    def compare(
        rule: PredicateSpec[Any],
        node: str,
        first: tuple[Situation, Answer],
        then: tuple[Situation, Answer],
    ) -> None:
        (situation, before), (changed, after) = first, then
        harder, easier = (before, after) if eases else (after, before)
        if harder == () and is_refusal(easier):
            seen = f"about node {node} it said: {told(before)}; and then: {told(after)}"
            raise law.broken(rule, situation, seen, after=changed)

    law = Law(name, says, check)
    return law


def _answer(rule: PredicateSpec[Any], situation: Situation, node: str) -> Answer:
    snapshot = situation.snapshot()
    return Question.of(rule, situation.pod, snapshot).answers().get(node)


FITS_WITH_FREE_RESOURCES: Final = _law(
    "monotone in free resources",
    "a pod that fits a node also fits it if it has more of a resource.",
    with_more_room,
)
FITS_WITH_LESS_REQUESTS: Final = _law(
    "monotone in requests",
    "a pod that does not fit a node does not fit it if it asks for more.",
    with_more_requests,
    eases=False,
)
FITS_WITH_TOLERATIONS: Final = _law(
    "monotone in tolerations",
    "a pod that fits a node also fits it if it tolerates more.",
    lambda situation, _node, draw: with_one_more_toleration(situation, draw),
)
FITS_WITHOUT_PODS: Final = _law(
    "monotone in removed pods",
    "a pod that fits a node also fits it if one of its pods is gone.",
    without_a_pod,
)
