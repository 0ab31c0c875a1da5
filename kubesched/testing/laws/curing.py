"""What a predicate says about eviction agrees with what it reads, and with what it answers later.

A refusal of which no reason is resolvable keeps the scheduler from looking for victims on that
node; one that is resolvable makes it look, on every node, for every pod.
"""

from collections.abc import Iterator
from typing import Any, Final

from kubesched.framework import PredicateSpec
from kubesched.state import CLUSTER_FACETS, Facet, NodeInfo
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.question import Answer, Question, nodes_of, told
from kubesched.testing.situation import Situation

CHANGED_BY_EVICTION: Final = frozenset(
    {Facet.PODS, Facet.REQUESTED, Facet.PORTS, Facet.DISKS, Facet.CLUSTER_PODS}
)
"""The facets that an eviction changes."""


def _agrees_with_eviction(rule: PredicateSpec[Any], situation: Situation, _draw: Draw, /) -> None:
    question = Question.of(rule, situation.pod, situation.snapshot())
    for node in nodes_of(question.snapshot):
        answer = question.answer(node)
        says = f"about node {node.name} it says that {told(answer)} and calls that"
        if is_resolvable(answer) and not rule.reads & CHANGED_BY_EVICTION:
            cure = _cure(question, node)
            but = (
                "but it reads nothing that changes when pods are evicted"
                if cure is None
                else f"and it does fit when {cure} evicted; but it declares nothing of the kind"
            )
            raise CURING.broken(rule, situation, f"{says} resolvable, {but}")
        if is_unresolvable(answer) and not _asks_the_cluster(rule):
            cure = _cure(question, node)
            if cure is not None:
                raise CURING.broken(
                    rule, situation, f"{says} not resolvable, but it fits when {cure} evicted"
                )


def _asks_the_cluster(rule: PredicateSpec[Any]) -> bool:
    """Tell whether an eviction may change more than the node that a rule is asked about."""
    return rule.prepare is not None and bool(rule.reads & CLUSTER_FACETS)


def _cure(question: Question, node: NodeInfo) -> str | None:
    """Return whose eviction makes the pod fit, None if nobody's does."""
    cures = (gone(node, left) for left in _left_by_eviction(node) if question.answer(left) == ())
    return next(cures, None)


def is_resolvable(answer: Answer) -> bool:
    """Tell whether an answer is a refusal that lets the scheduler look for victims."""
    return is_refusal(answer) and all(reason.resolvable for reason in answer)


def is_unresolvable(answer: Answer) -> bool:
    """Tell whether an answer is a refusal that keeps the scheduler from looking for victims."""
    return is_refusal(answer) and not is_resolvable(answer)


def is_refusal(answer: Answer) -> bool:
    """Tell whether an answer has reasons."""
    return isinstance(answer, tuple) and bool(answer)


def _left_by_eviction(node: NodeInfo) -> Iterator[NodeInfo]:
    """Go over what is left of a node when all its pods have gone, or one of them."""
    if node.pods:
        yield node.clone_without(node.pods)
        for key, pod in node.pods.items():
            yield node.clone_without({key: pod})


def gone(before: NodeInfo, after: NodeInfo) -> str:
    """Tell which pods have gone."""
    keys = [key for key in before.pods if key not in after.pods]
    return f"{' and '.join(keys)} {'is' if len(keys) == 1 else 'are'}"


CURING: Final = Law(
    "curing",
    "a refusal is called resolvable only if evicting pods could cure it, and always if it does.",
    _agrees_with_eviction,
)
