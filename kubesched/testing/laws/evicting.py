"""A law that a predicate may promise: a resolvable refusal is cured by evicting everybody."""

from typing import Any, Final

from kubesched.framework import PredicateSpec
from kubesched.testing.laws.curing import is_refusal, is_resolvable
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.question import Question, nodes_of, told
from kubesched.testing.situation import Situation


def _is_cured_by_evicting_all(
    rule: PredicateSpec[Any], situation: Situation, _draw: Draw, /
) -> None:
    question = Question.of(rule, situation.pod, situation.snapshot())
    for node in nodes_of(question.snapshot):
        answer = question.answer(node)
        if not is_refusal(answer):
            continue
        emptied = node.clone_without(node.pods)
        then = Question.of(rule, situation.pod, question.snapshot.with_node(emptied))
        later = then.answer(emptied)
        if (later == ()) != is_resolvable(answer):
            kind = "resolvable" if is_resolvable(answer) else "not resolvable"
            raise EVICTION.broken(
                rule,
                situation,
                f"about node {node.name} it says that {told(answer)} and calls that {kind}; "
                f"but without its pods, {told(later)}",
            )


EVICTION: Final = Law(
    "eviction",
    "a refusal is called resolvable if evicting all pods of the node cures it, and only then.",
    _is_cured_by_evicting_all,
)
