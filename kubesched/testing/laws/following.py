"""What was prepared holds, or follows, when pods of a node come and go.

That is how the scheduler finds out whom to evict: it takes pods off a node, puts some back, and
asks each time.
"""

from typing import Any, Final

from attrs import evolve, frozen

from kubesched.framework import SKIP, FollowsPods, PredicateSpec
from kubesched.model import Node, Pod
from kubesched.state import Facet, NodeInfo
from kubesched.testing.laws.changing import a_node, new_pods
from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.picture import Pictured, difference, picture
from kubesched.testing.laws.question import Question, Raised, first_difference, told
from kubesched.testing.situation import Situation


@frozen
class _WhatIf:
    """A question about a node that has got other pods."""

    question: Question
    node: NodeInfo
    steps: tuple[str, ...] = ()
    come: tuple[Pod, ...] = ()

    def __str__(self) -> str:
        """Tell what has come about."""
        return f"when {' and then '.join(self.steps)}"

    def toggled(self, pod: Pod) -> "_WhatIf":
        """Return what it is with one pod less, or one more, on the node."""
        node = self.node.clone()
        comes = pod.key not in node.pods
        (node.add_pod if comes else node.remove_pod)(pod)
        step = f"pod {pod.key} {'comes to' if comes else 'leaves'} node {node.name}"
        meta = _followed(self.question, "add_pod" if comes else "remove_pod", pod, node)
        question = evolve(self.question, meta=meta, snapshot=self.question.snapshot.with_node(node))
        come = (*self.come, pod) if comes else self.come
        return _WhatIf(question, node, (*self.steps, step), come)


def _followed(question: Question, how: str, pod: Pod, node: NodeInfo) -> Any:
    """Return what becomes of what was prepared, as the scheduler sees it."""
    meta, rule = question.meta, question.rule
    if isinstance(meta, FollowsPods):
        try:
            return getattr(meta, how)(pod, node)
        except Exception as error:  # noqa: BLE001 - it is what the rule answers
            return Raised.of(error)
    if meta is not SKIP and Facet.CLUSTER_PODS in rule.reads:
        return Question.of(rule, question.pod, question.snapshot.with_node(node)).meta
    return meta


def _follows_pods(rule: Rule, situation: Situation, draw: Draw, /) -> None:
    question = Question.of(rule, situation.pod, situation.snapshot())
    if not situation.nodes or not _is_asked_what_if(question):
        return
    node = a_node(situation, draw)
    what_if = _WhatIf(question, question.snapshot.node_infos[node.name])
    for pod in _who_comes_and_goes(situation, draw, node):
        before = picture(what_if.question.meta)
        after = what_if.toggled(pod)
        seen = _change_in_place(before, what_if.question.meta)
        seen = seen or _fault_of_meta(what_if.question.meta, after.question.meta)
        seen = seen or _difference_from_fresh(after.question)
        if seen is not None:
            come = {it.key: it for it in after.come if it not in situation.objects}.values()
            raise FOLLOWING.broken(
                rule,
                situation,
                f"{after}, {seen}",
                after=evolve(situation, objects=[*situation.objects, *come]) if come else None,
            )
        what_if = after


def _who_comes_and_goes(situation: Situation, draw: Draw, node: Node) -> list[Pod]:
    """Return the pods that come to a node, then those that leave, then those that come back.

    So do the pods for which room is kept, and those that might be evicted.
    """
    there = [pod for pod in situation.pods if pod.node_name == node.name and not pod.is_terminated]
    strangers = list(new_pods(situation, draw.other, node))
    new = strangers[: draw.choose(range(len(strangers) + 1))]
    return [*new, *there, *new, *there, *new]


def _is_asked_what_if(question: Question) -> bool:
    """Tell whether what was prepared matters when pods come and go."""
    rule, meta = question.rule, question.meta
    if rule.prepare is None or isinstance(meta, Raised):
        return False
    return isinstance(rule, PredicateSpec) or isinstance(meta, FollowsPods)


def _change_in_place(before: Pictured, meta: object) -> str | None:
    changed = difference(before, picture(meta), "what was prepared")
    return changed and f"it is changed in place, and is to stay while another is made: {changed}"


def _fault_of_meta(before: object, after: object) -> str | None:
    if isinstance(after, Raised) or type(after) is type(before):
        return None
    return f"what was prepared becomes {after!r}, where it was a {type(before).__name__}"


def _difference_from_fresh(question: Question) -> str | None:
    """Tell where the answers differ from those of a rule that prepares anew."""
    fresh = Question.of(question.rule, question.pod, question.snapshot)
    found = first_difference(question.answers(), fresh.answers())
    if found is None:
        return None
    return (
        f"its answer about node {found[0]} is: {told(found[1])}; "
        f"and if it prepares afresh: {told(found[2])}"
    )


FOLLOWING: Final = Law(
    "following",
    "what was prepared holds when pods of a node come and go, or follows them.",
    _follows_pods,
)
