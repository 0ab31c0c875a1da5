"""Laws about what a score is."""

from typing import Any, Final

from attrs import frozen

from kubesched.framework import MAX_SCORE, PrioritySpec
from kubesched.testing.laws.answers import says_why, with_a_lost_pod
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.question import Raised, nodes_of, told
from kubesched.testing.laws.scoring import (
    all_and_some,
    asked,
    final_scores,
    is_whole_number,
    listed,
)
from kubesched.testing.situation import Situation


def _is_a_whole_number(rule: PrioritySpec[Any], situation: Situation, _draw: Draw, /) -> None:
    for each in (situation, with_a_lost_pod(situation)):
        question = asked(rule, each)
        for node in nodes_of(question.snapshot):
            score = question.answer(node)
            if isinstance(score, Raised):
                if not says_why(score.error):
                    seen = f"a question about node {node.name} raises {score.says}"
                    raise SCORES.broken(rule, each, seen) from score.error
            elif not is_whole_number(score):
                raise SCORES.broken(rule, each, f"node {node.name} gets {told(score)}")


SCORES: Final = Law(
    "scores",
    "the map gives every node an integer, or raises a KubeschedError that says why not.",
    _is_a_whole_number,
)


@frozen
class _IsWithin:
    """Checks that scores are within 0..highest."""

    highest: int

    def __call__(self, rule: PrioritySpec[Any], situation: Situation, draw: Draw, /) -> None:
        question = asked(rule, situation)
        for nodes in all_and_some(question, draw):
            scores = final_scores(question, nodes) or ()  # else it is another law's concern
            for node, score in zip(nodes, scores, strict=False):
                if not 0 <= score <= self.highest:
                    among = "" if len(nodes) == 1 else f" among ({listed(nodes, scores)})"
                    seen = f"node {node.name} scores {score!r}{among}"
                    raise score_range(self.highest).broken(rule, situation, seen)


def score_range(highest: int = MAX_SCORE) -> Law:
    """Return the law that scores, after a reduce if there is one, are within 0..highest.

    >>> score_range(100).says
    'scores lie between 0 and 100, after the reduce if there is one.'
    """
    says = f"scores lie between 0 and {highest}, after the reduce if there is one."
    return Law("range", says, _IsWithin(highest))


SCORE_RANGE: Final = score_range()
"""The law for the stock scores, 0..10."""
