"""A predicate answers with `FITS`, or with reasons, whatever it is asked."""

from typing import Any, Final

from attrs import evolve

from kubesched.errors import KubeschedError, SpecError
from kubesched.framework import FITS, Fit, PredicateSpec, Reason
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.question import Question, Raised, nodes_of
from kubesched.testing.situation import Situation


def _always_answers(rule: PredicateSpec[Any], situation: Situation, _draw: Draw, /) -> None:
    for each in (situation, with_a_lost_pod(situation)):
        question = Question.of(rule, each.pod, each.snapshot())
        for node in nodes_of(question.snapshot):
            answer = question.raw_answer(node)
            if isinstance(answer, Raised) and not says_why(answer.error):
                raise ANSWERS.broken(
                    rule, each, f"a question about node {node.name} raises {answer.says}"
                ) from answer.error
            fault = _fault_of(answer)
            if fault is not None:
                raise ANSWERS.broken(rule, each, f"its answer about node {node.name} is {fault}")


def with_a_lost_pod(situation: Situation) -> Situation:
    """Return a situation with one more pod, on a node of which nothing has been heard.

    So it is when a pod is seen before its node, or after it. The pod is like the one that is asked
    about.
    """
    pod = situation.pod
    renamed = evolve(pod, metadata=evolve(pod.metadata, name="lost")).bound_to("unknown")
    if renamed.key in {pod.key, *(each.key for each in situation.pods)}:
        return situation
    return evolve(situation, objects=[*situation.objects, renamed])


def says_why(error: Exception) -> bool:
    """Tell whether an error is raised on purpose, to say why a question cannot be answered."""
    return isinstance(error, KubeschedError) and not isinstance(error, SpecError)


def _fault_of(answer: Any) -> str | None:
    if isinstance(answer, Raised) or answer is FITS:
        return None
    if not isinstance(answer, Fit):
        return f"{answer!r}, expected FITS or Fit(reason, …)"
    if not answer.reasons:
        return "a Fit without reasons, which lets the pod pass: expected FITS or Fit(reason, …)"
    reasons: tuple[Any, ...] = answer.reasons
    for reason in reasons:
        text: Any = reason.text if isinstance(reason, Reason) else None
        if not isinstance(text, str) or not text:
            return f"a Fit with {reason!r}, expected a Reason with a text"
    return None


ANSWERS: Final = Law(
    "answers",
    "a predicate answers with FITS or with reasons, or raises a KubeschedError that says why not.",
    _always_answers,
)
