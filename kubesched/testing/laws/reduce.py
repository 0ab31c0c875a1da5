"""Laws about a priority's reduce."""

from collections.abc import Sequence
from typing import Any, Final

from kubesched.framework import PrioritySpec
from kubesched.testing.laws.answers import says_why
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.picture import picture
from kubesched.testing.laws.purity import copied, first_change, pictures
from kubesched.testing.laws.question import Question, Raised, nodes_of
from kubesched.testing.laws.scoring import (
    all_and_some,
    are_one_each,
    asked,
    listed,
    mapped,
    reduced,
)
from kubesched.testing.situation import Situation

# Where the map already breaks a law, the laws here have nothing to say.


def _gives_each_a_score(rule: PrioritySpec[Any], situation: Situation, draw: Draw, /) -> None:
    if rule.reduce is None:
        return
    question = asked(rule, situation)
    for nodes in all_and_some(question, draw):
        scores = mapped(question, nodes)
        seen = scores and _fault_of(reduced(question, nodes, scores), len(nodes))
        if scores and seen:
            told = f"the reduce of ({listed(nodes, scores)}) {seen}"
            raise ONE_SCORE_EACH.broken(rule, situation, told)


def _fault_of(scores: object, number: int) -> str | None:
    if isinstance(scores, Raised):
        return None if says_why(scores.error) else f"raises {scores.says}"
    if not isinstance(scores, Sequence):
        return f"returns {scores!r}, which is no sequence"
    if len(scores) != number:
        return f"returns {scores!r}, for {number} node{'s' if number > 1 else ''}"
    return None if are_one_each(scores, number) else f"returns {scores!r}, not all integers"


ONE_SCORE_EACH: Final = Law(
    "one score each",
    "the reduce gives an integer to every node that it is handed, be it one node or all.",
    _gives_each_a_score,
)


def _leaves_all_as_it_is(rule: PrioritySpec[Any], situation: Situation, _draw: Draw, /) -> None:
    if rule.reduce is None or not situation.nodes:
        return
    given = copied(situation)  # else what is changed here would be so for all other laws
    question = asked(rule, given)
    nodes = nodes_of(question.snapshot)
    scores = mapped(question, nodes)
    if scores is not None:
        before = _pictures(given, question, nodes, scores)
        reduced(question, nodes, scores)
        seen = first_change(before, _pictures(given, question, nodes, scores))
        if seen is not None:
            raise REDUCE_PURITY.broken(rule, situation, seen)


def _pictures(
    situation: Situation, question: Question, nodes: list[Any], scores: list[int]
) -> dict[str, Any]:
    return {
        "scores": picture(scores),
        "nodes": picture([node.name for node in nodes]),
        "meta": picture(question.meta),
        **pictures(situation, question.snapshot),
    }


REDUCE_PURITY: Final = Law(
    "pure reduce", "the reduce changes nothing that it is given.", _leaves_all_as_it_is
)
