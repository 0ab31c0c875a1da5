"""A node scores the same wherever it stands among the others.

The engine hands a reduce the nodes that fit, in the order in which it has come upon them, and that
is another one each time.
"""

from collections.abc import Iterable
from typing import Any, Final

from kubesched.framework import PrioritySpec
from kubesched.model import Node
from kubesched.testing.laws.law import Draw, Law
from kubesched.testing.laws.question import Question, agree_on_images, nodes_of
from kubesched.testing.laws.scoring import asked, final_scores, shuffled
from kubesched.testing.situation import Situation


def _knows_no_order_of_nodes(rule: PrioritySpec[Any], situation: Situation, draw: Draw, /) -> None:
    if len(situation.nodes) < 2:  # noqa: PLR2004 - one node has no order
        return
    question = asked(rule, situation)
    first = _scores_by_name(question)
    for order in (situation.nodes[::-1], shuffled(situation.nodes, draw)):
        other = asked(rule, _with_nodes(situation, order))
        then = _scores_by_name(other)
        is_same_cluster = agree_on_images(question.snapshot, other.snapshot)
        if first and then and first != then and is_same_cluster:
            seen = f"they score {_told(first)}, and in another order {_told(then)}"
            raise NODE_ORDER.broken(rule, situation, seen)


def _with_nodes(situation: Situation, nodes: Iterable[Node]) -> Situation:
    others = (each for each in situation.objects if not isinstance(each, Node))
    return Situation(situation.pod, (*nodes, *others))


def _scores_by_name(question: Question) -> dict[str, int]:
    """Return the scores of all nodes; none if they break another law."""
    nodes = nodes_of(question.snapshot)
    scores = final_scores(question, nodes)
    if scores is None:
        return {}
    return {node.name: score for node, score in zip(nodes, scores, strict=True)}


def _told(scores: dict[str, int]) -> str:
    return f"({', '.join(f'{name}: {score}' for name, score in scores.items())})"


NODE_ORDER: Final = Law(
    "node order",
    "a node scores the same wherever it stands among the others.",
    _knows_no_order_of_nodes,
)
