"""A rule gives the same answer whatever the order of labels, annotations, requests.

Sets of texts go in another order in every process; within one it cannot be changed. So run your
tests with several values of PYTHONHASHSEED as well.
"""

from typing import Final

from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.question import Question, first_difference, told
from kubesched.testing.laws.reordering import reordered_situation
from kubesched.testing.situation import Situation


def _knows_no_order(rule: Rule, situation: Situation, _draw: Draw, /) -> None:
    other = reordered_situation(situation)
    before = Question.of(rule, situation.pod, situation.snapshot()).answers()
    after = Question.of(rule, other.pod, other.snapshot()).answers()
    found = first_difference(before, after)
    if found is not None:
        raise ORDER.broken(
            rule,
            situation,
            f"its answer about node {found[0]} is: {told(found[1])}; "
            "and with the entries of every mapping (labels, annotations, requests …) the other way "
            f"round: {told(found[2])}",
        )


ORDER: Final = Law(
    "order",
    "the order of labels, annotations, requests and other mappings does not matter.",
    _knows_no_order,
)
