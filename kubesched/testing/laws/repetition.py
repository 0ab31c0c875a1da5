"""A rule gives the same answer again, whatever it was asked in between."""

from typing import Final

from attrs import evolve

from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.namesakes import with_names_of
from kubesched.testing.laws.question import Question, first_difference, nodes_of, told
from kubesched.testing.situation import Situation


def _answers_the_same_again(rule: Rule, situation: Situation, draw: Draw, /) -> None:
    snapshot = situation.snapshot()
    first = Question.of(rule, situation.pod, snapshot)
    answers = first.answers()
    nodes = nodes_of(snapshot) * 3
    again = {info.name: first.answer(info) for info in reversed(nodes)}
    found = first_difference(answers, again)
    if found is not None:
        raise REPETITION.broken(
            rule,
            situation,
            f"its answer about node {found[0]} was at first: {told(found[1])}; "
            f"and when it was asked again: {told(found[2])}",
        )
    other = with_names_of(situation, draw.other)
    for pod in (evolve(other.pod, metadata=situation.pod.metadata), other.pod):
        draw.forget()  # else an answer that is remembered wrongly would be the same again
        Question.of(rule, pod, other.snapshot()).answers()
        found = first_difference(answers, Question.of(rule, situation.pod, snapshot).answers())
        if found is not None:
            raise REPETITION.broken(
                rule,
                situation,
                f"its answer about node {found[0]} was at first: {told(found[1])}; "
                f"and after questions about another pod and other nodes: {told(found[2])}",
                between=evolve(other, pod=pod),
            )


REPETITION: Final = Law(
    "repetition",
    "asked the same again, a rule answers the same.",
    _answers_the_same_again,
)
