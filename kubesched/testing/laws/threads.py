"""A rule may be asked from several threads at the same time."""

from typing import Final

from kubesched.testing.laws.interleaving import interleaved, lines_of
from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.question import Question, first_difference, told
from kubesched.testing.situation import Situation


def _may_be_asked_from_threads(rule: Rule, situation: Situation, draw: Draw, /) -> None:
    snapshot = situation.snapshot()
    ask = Question.of(rule, situation.pod, snapshot).answers
    answers, lines = ask(), lines_of(ask)
    if not lines:
        return
    other = draw.other
    ask_other = Question.of(rule, other.pod, other.snapshot()).answers
    line = draw.choose(range(len(lines)))
    found = first_difference(answers, interleaved(ask, line, ask_other))
    if found is not None:
        raise THREADS.broken(
            rule,
            situation,
            f"its answer about node {found[0]} is: {told(found[1])}; and if another thread asks "
            f"about other nodes before {lines[line]}: {told(found[2])}",
            between=other,
        )


THREADS: Final = Law(
    "threads",
    "a rule answers the same while other threads ask it.",
    _may_be_asked_from_threads,
)
