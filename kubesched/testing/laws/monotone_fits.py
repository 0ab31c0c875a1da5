"""Laws that a predicate may promise: what makes a pod easier to place never gets it refused.

One that wants pods to be together does not keep the one about removed pods; one that treats pods
without requests differently does not keep the one about requests.
"""

from collections.abc import Callable
from typing import Any, Final

from attrs import evolve

from kubesched.framework import PredicateSpec
from kubesched.testing.laws.curing import is_refusal
from kubesched.testing.laws.easing import (
    with_more_requests,
    with_more_room,
    with_one_more_toleration,
    without_a_pod,
)
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.margins import asking, just_refused, with_just_too_little
from kubesched.testing.laws.question import Answer, Question, told
from kubesched.testing.situation import Situation

TRIES: Final = 4
"""Changes that are tried, one after the other."""


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
            situation = _just_too_small(rule, situation, node, draw)
        for _ in range(TRIES):
            changed = change(situation, node, draw)
            compare(rule, situation, changed, node)
            if eases:
                compare(rule, *_at_the_margin(rule, situation, changed, node, draw), node)
            situation = changed

    def compare(
        rule: PredicateSpec[Any], situation: Situation, changed: Situation, node: str
    ) -> None:
        before, after = (_answer(rule, each, node) for each in (situation, changed))
        harder, easier = (before, after) if eases else (after, before)
        if harder == () and is_refusal(easier):
            seen = f"about node {node} it said: {told(before)}; and then: {told(after)}"
            raise law.broken(rule, situation, seen, after=changed)

    law = Law(name, says, check)
    return law


def _just_too_small(
    rule: PredicateSpec[Any], situation: Situation, node: str, draw: Draw
) -> Situation:
    """Return a situation in which the pod is just refused, where there is one."""
    there = next(each for each in situation.nodes if each.name == node).status.allocatable
    if not there:
        return situation
    resource = draw.choose([*there])
    return with_just_too_little(rule, situation, node, resource) or situation


def _at_the_margin(
    rule: PredicateSpec[Any], situation: Situation, changed: Situation, node: str, draw: Draw
) -> tuple[Situation, Situation]:
    """Return both situations with the pod asking for just too much in the second of them."""
    resources = _resources(situation, changed, node)
    if not resources or not situation.pod.spec.containers:
        return situation, changed
    resource = draw.choose(resources)
    amount = just_refused(rule, changed, node, resource)
    if amount is None:
        return situation, changed
    before, after = (
        evolve(each, pod=asking(each.pod, resource, amount)) for each in (situation, changed)
    )
    return before, after


def _resources(situation: Situation, changed: Situation, node: str) -> list[str]:
    """Return the resources of which a node has another amount than before, or all that it has."""
    before, after = (
        each.status.allocatable
        for it in (situation, changed)
        for each in it.nodes
        if each.name == node
    )
    return [name for name in after if after[name] != before.get(name)] or [*after]


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
