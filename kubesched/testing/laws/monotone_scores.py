"""Laws that a priority may promise: what makes a pod easier to place never lowers a score.

A priority that fills nodes up does not keep them. One that compares nodes with each other may keep
those about a change of one node, and not those about the pod, which changes all scores at once.
"""

from collections.abc import Callable
from operator import gt, lt
from typing import Any, Final

from kubesched.framework import PrioritySpec
from kubesched.testing.laws.easing import (
    TRIES,
    with_larger_requests,
    with_more_room,
    with_one_more_toleration,
    without_a_pod,
)
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.question import Answer, Question
from kubesched.testing.laws.scoring import is_whole_number, whole
from kubesched.testing.situation import Situation


def _law(
    name: str,
    says: str,
    change: Callable[[Situation, str, Draw], Situation],
    is_wrong: Callable[[int, int], bool],
) -> Law:
    """Return the law that a score does not change in the wrong way, by its `(after, before)`."""

    def check(rule: PrioritySpec[Any], situation: Situation, draw: Draw, /) -> None:
        if not situation.nodes:
            return
        node = draw.choose(situation.nodes).name
        before = _score_of(node, rule, situation)
        for _ in range(TRIES):
            changed = change(situation, node, draw)
            after = _score_of(node, rule, changed)
            if _are_scores(before, after) and is_wrong(after, before):
                seen = f"node {node} scores {before}, and then {after}"
                raise law.broken(rule, situation, seen, after=changed)
            situation, before = changed, after

    law = Law(name, says, check)
    return law


def _score_of(node: str, rule: PrioritySpec[Any], situation: Situation) -> Answer:
    snapshot = situation.snapshot()
    question = Question.of(whole(rule), situation.pod, snapshot)
    return question.answer(snapshot.node_infos[node])


def _are_scores(*answers: object) -> bool:
    return all(map(is_whole_number, answers))


MONOTONE_IN_FREE_RESOURCES: Final = _law(
    "monotone in free resources",
    "a node does not score lower for having more of a resource.",
    with_more_room,
    lt,
)
MONOTONE_IN_REQUESTS: Final = _law(
    "monotone in requests",
    "no node scores higher for a pod that asks for more.",
    lambda situation, _node, draw: with_larger_requests(situation, draw),
    gt,
)
MONOTONE_IN_TOLERATIONS: Final = _law(
    "monotone in tolerations",
    "no node scores lower for a pod that tolerates more.",
    lambda situation, _node, draw: with_one_more_toleration(situation, draw),
    lt,
)
MONOTONE_IN_REMOVED_PODS: Final = _law(
    "monotone in removed pods",
    "a node does not score lower for having one pod less.",
    without_a_pod,
    lt,
)
