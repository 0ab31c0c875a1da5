"""Pods that differ in name, age and status alone get the same answers.

They are of one class: an answer that was given for one of them may be remembered for the next one.
"""

from collections.abc import Iterator
from typing import Final

from attrs import evolve

from kubesched.model import Pod
from kubesched.state import Facet
from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.question import Question, first_difference, told
from kubesched.testing.situation import Situation


def _treats_alike(rule: Rule, situation: Situation, draw: Draw, /) -> None:
    if rule.reads == frozenset(Facet):
        return  # then it is asked every time
    snapshot = situation.snapshot()
    answers = Question.of(rule, situation.pod, snapshot).answers()
    others = situation.pods
    for pod in _pods_alike(situation.pod, draw):
        if any(it.key == pod.key or it.uid == pod.uid != "" for it in others):
            continue  # it would be one of them
        found = first_difference(answers, Question.of(rule, pod, snapshot).answers())
        if found is not None:
            raise LIKENESS.broken(
                rule,
                situation,
                f"its answer about node {found[0]} is: {told(found[1])}; "
                f"and for a pod that is like it but for name, age and status: {told(found[2])}",
                after=evolve(situation, pod=pod),
            )


def _pods_alike(pod: Pod, draw: Draw) -> Iterator[Pod]:
    """Go over pods of the same class."""
    meta, other = pod.metadata, draw.other.pod
    numbered = (f"{pod.name}-{number}" for number in range(3))
    for name in (*numbered, other.name, draw.choose(draw.words.node_names)):
        yield evolve(pod, metadata=evolve(meta, name=name))
    for uid in (other.uid, *(f"uid-{number}" for number in range(3))):
        yield evolve(pod, metadata=evolve(meta, uid=uid))
    yield evolve(pod, metadata=evolve(meta, creation_timestamp=other.metadata.creation_timestamp))
    yield evolve(pod, status=other.status)


LIKENESS: Final = Law(
    "likeness",
    "pods that differ in name, age and status alone get the same answers.",
    _treats_alike,
)
