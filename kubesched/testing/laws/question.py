"""A rule that has been prepared for a pod, and what it answers."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import frozen

from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Skip, meta_of
from kubesched.model import Pod
from kubesched.state import NodeInfo, Snapshot
from kubesched.testing.laws.law import Rule


@frozen
class Raised:
    """What a rule raised instead of an answer; two are equal if they say the same.

    Attributes:
        error: the exception.
        says: its type and text.
    """

    error: Exception
    says: str

    @classmethod
    def of(cls, error: Exception) -> "Raised":
        """Return it for an exception."""
        return cls(error, f"{type(error).__name__}: {error}")

    def __eq__(self, other: object) -> bool:
        """Tell whether both say the same."""
        return isinstance(other, Raised) and self.says == other.says

    def __hash__(self) -> int:
        """Hash what it says."""
        return hash(self.says)


Answer: TypeAlias = Any
"""Reasons for a predicate, a score for a priority, or `Raised`; anything, if the rule is broken."""


@frozen(eq=False)
class Question:
    """A rule and a pod, with what was prepared.

    Attributes:
        rule: the rule.
        pod: the pod.
        snapshot: the cluster that it was prepared for.
        meta: what was prepared, or what was raised instead.
    """

    rule: Rule
    pod: Pod
    snapshot: Snapshot
    meta: Any

    @classmethod
    def of(cls, rule: Rule, pod: Pod, snapshot: Snapshot) -> "Question":
        """Let a rule prepare for a pod."""
        try:
            meta = meta_of(rule, pod, snapshot)
        except Exception as error:  # noqa: BLE001 - it is what the rule answers
            meta = Raised.of(error)
        return cls(rule, pod, snapshot, meta)

    def raw_answer(self, node: NodeInfo) -> object:
        """Return what the rule returns or raises for a node, whatever that is."""
        if isinstance(self.meta, (Raised, Skip)):
            return self._without_asking()
        try:
            return self._asked(self.pod, self.meta, node)
        except Exception as error:  # noqa: BLE001 - as above
            return Raised.of(error)

    def answer(self, node: NodeInfo) -> Answer:
        """Return what the rule says of a node: its reasons, if it answers as it should."""
        answer = self.raw_answer(node)
        return answer.reasons if isinstance(answer, Fit) else answer

    def answers(self) -> Mapping[str, Answer]:
        """Return what the rule says of each node that there is, by name."""
        return {node.name: self.answer(node) for node in nodes_of(self.snapshot)}

    @property
    def _asked(self) -> Any:
        return self.rule.check if isinstance(self.rule, PredicateSpec) else self.rule.map

    def _without_asking(self) -> object:
        if self.meta is not SKIP:
            return self.meta
        return FITS if isinstance(self.rule, PredicateSpec) else 0


def nodes_of(snapshot: Snapshot) -> list[NodeInfo]:
    """Return the nodes that there are; a name that pods only claim to be on is none."""
    return [info for info in snapshot.node_infos.values() if info.node is not None]


def agree_on_images(one: Snapshot, other: Snapshot) -> bool:
    """Tell whether the nodes hold the same images in both.

    Of nodes that disagree on how large an image is, a cluster believes the first one.
    """
    return all(info.images == other.node_infos[info.name].images for info in nodes_of(one))


def told(answer: Answer) -> str:
    """Say in words what a rule answers.

    >>> told(()), told(7)
    ('it fits', '7')
    """
    match answer:
        case ():
            return "it fits"
        case tuple():
            return f"it is refused ({', '.join(str(reason) for reason in answer)})"
        case Raised():
            return f"it raises {answer.says}"
        case _:
            return repr(answer)


def first_difference(
    before: Mapping[str, Answer], after: Mapping[str, Answer]
) -> tuple[str, Answer, Answer] | None:
    """Return the first node about which answers differ, and both answers; None if there is none."""
    return next(
        (
            (name, answer, after[name])
            for name, answer in before.items()
            if name in after and not same(answer, after[name])
        ),
        None,
    )


def same(one: Answer, other: Answer) -> bool:
    """Tell whether two answers are the same; the order of reasons does not matter."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return sorted(map(repr, one)) == sorted(map(repr, other))
    return type(one) is type(other) and bool(one == other)
