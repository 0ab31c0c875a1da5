"""The scores that a priority gives nodes, as the engine works them out."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, TypeGuard, TypeVar, cast

from attrs import evolve, frozen

from kubesched.framework import SKIP, PrioritySpec, Skip, meta_of
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, Snapshot
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.question import Question, Raised, nodes_of
from kubesched.testing.situation import Situation

T = TypeVar("T")


def is_whole_number(score: object) -> TypeGuard[int]:
    """Tell whether the engine takes it for a score.

    >>> is_whole_number(7), is_whole_number(7.0)
    (True, False)
    """
    return isinstance(score, int)


def are_one_each(scores: object, number: int) -> TypeGuard[Sequence[int]]:
    """Tell whether the engine takes it for the scores of so many nodes."""
    is_long_enough = isinstance(scores, Sequence) and len(scores) == number
    return is_long_enough and all(map(is_whole_number, cast("Sequence[object]", scores)))


def asked(rule: PrioritySpec[Any], situation: Situation) -> Question:
    """Let a priority prepare in a situation."""
    return Question.of(rule, situation.pod, situation.snapshot())


def mapped(question: Question, nodes: Sequence[NodeInfo]) -> list[int] | None:
    """Return what a priority's map gives nodes; None if it raises, or gives no integers."""
    scores = [question.answer(node) for node in nodes]
    return scores if all(map(is_whole_number, scores)) else None


def reduced(question: Question, nodes: Sequence[NodeInfo], scores: Sequence[int]) -> object:
    """Return what a priority's reduce makes of scores; the scores themselves if it has none.

    That is `Raised` where it raises, and may be anything where it breaks a law.
    """
    reduce = question.rule.reduce if isinstance(question.rule, PrioritySpec) else None
    if reduce is None or question.meta is SKIP:
        return scores
    try:
        return reduce(question.pod, question.meta, nodes, scores)
    except Exception as error:  # noqa: BLE001 - it is what the rule answers
        return Raised.of(error)


def final_scores(question: Question, nodes: Sequence[NodeInfo]) -> Sequence[int] | None:
    """Return the scores that the engine adds up; None if it could make nothing of them."""
    scores = mapped(question, nodes)
    final = None if scores is None else reduced(question, nodes, scores)
    return final if are_one_each(final, len(nodes)) else None


def all_and_some(question: Question, draw: Draw) -> Iterator[list[NodeInfo]]:
    """Go over the nodes that may fit a pod: all, and some of them in any order.

    There is at least one, as the engine asks about no fewer.
    """
    nodes = nodes_of(question.snapshot)
    if nodes:
        yield nodes
        yield shuffled(nodes, draw)[: draw.choose(range(1, len(nodes) + 1))]


def shuffled(items: Sequence[T], draw: Draw) -> list[T]:
    """Return the items in an order that is chosen; shrinks to the one that they have."""
    left = [*items]
    return [left.pop(draw.choose(range(len(left)))) for _ in items]


def listed(nodes: Sequence[NodeInfo], scores: Sequence[Any]) -> str:
    """Write scores down with their nodes.

    >>> from kubesched.builders import node
    >>> listed([NodeInfo.of(node("n1")), NodeInfo.of(node("n2"))], [3, 10])
    'n1: 3, n2: 10'
    """
    return ", ".join(f"{node.name}: {score!r}" for node, score in zip(nodes, scores, strict=True))


# -- map and reduce as one -------------------------------------------------------------------------


@frozen(eq=False)
class _Field:
    """What a priority prepared, and all nodes that it is to be asked about."""

    meta: Any
    nodes: tuple[NodeInfo, ...]


def whole(rule: PrioritySpec[Any]) -> PrioritySpec[Any]:
    """Return a priority that needs no reduce: its map gives what this one's reduce makes of it.

    It stands for the engine that scores all nodes of a cluster. It reads everything, as a reduce
    may; O(nodes) a node.
    """
    if rule.reduce is None:
        return rule
    return evolve(
        rule,
        map=partial(_final_score, rule),
        reduce=None,
        prepare=partial(_prepare_field, rule),
        reads=frozenset(Facet),
    )


def _prepare_field(rule: PrioritySpec[Any], pod: Pod, snapshot: Snapshot, /) -> _Field | Skip:
    meta = meta_of(rule, pod, snapshot)
    return SKIP if meta is SKIP else _Field(meta, tuple(nodes_of(snapshot)))


def _final_score(rule: PrioritySpec[Any], pod: Pod, field: _Field, node: NodeInfo, /) -> int:
    assert rule.reduce is not None
    nodes = [node if each.name == node.name else each for each in field.nodes]
    scores = [rule.map(pod, field.meta, each) for each in nodes]
    return rule.reduce(pod, field.meta, nodes, scores)[nodes.index(node)]


def of_whole(law: Law) -> Law:
    """Return the law about a rule's answers as one about a priority's scores after its reduce."""

    def check(rule: PrioritySpec[Any], situation: Situation, draw: Draw, /) -> None:
        law.check(whole(rule), situation, draw)

    return evolve(law, check=check)
