"""Asking one extender, and looking at what it answers before anybody uses it.

An answer may be anything. Whatever is wrong with it, and whatever is raised instead of it, becomes
an `ExtenderError` of that extender.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from attrs import frozen

from kubesched.errors import ExtenderError
from kubesched.framework import (
    Extender,
    ExtenderBind,
    ExtenderFilter,
    ExtenderFilterResult,
    ExtenderPreempt,
    ExtenderPrioritize,
    Victims,
)
from kubesched.model import Binding, FrozenMap, Pod
from kubesched.state import NodeInfo, Snapshot

T = TypeVar("T")

_LONGEST: Final = 120


@frozen
class Verb:
    """One thing that an extender does, and how errors call it."""

    extender: Extender
    name: str

    def heard(self, ask: Callable[[], T]) -> T:
        """Return what is asked for.

        Raises:
            ExtenderError: the extender's own, or one that holds whatever else went wrong.
        """
        try:
            return ask()
        except ExtenderError:
            raise
        except Exception as error:
            what = f"raised {type(error).__name__}: {error}"
            raise self._error(what) from error

    def text(self, value: object) -> str:
        """Return a value that must be a text."""
        if not isinstance(value, str):
            raise self.odd(value, "a text")
        return value

    def integer(self, value: object) -> int:
        """Return a value that must be an integer."""
        if type(value) is not int:
            raise self.odd(value, "an integer")
        return value

    def mapping(self, value: object, expected: str) -> Mapping[object, object]:
        """Return a value that must be a mapping, as it is now."""
        if not isinstance(value, Mapping):
            raise self.odd(value, expected)
        return dict(value)

    def odd(self, value: object, expected: str) -> ExtenderError:
        """Return the error that says what was answered and what was expected."""
        shown = repr(value)
        shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
        return self._error(f"gave {shown}, expected {expected}")

    def _error(self, what: str) -> ExtenderError:
        name = self.extender.name
        return ExtenderError(name, f"{self.name} of extender {name!r} {what}")


def filtered(
    extender: Extender,
    keep: ExtenderFilter,
    pod: Pod,
    nodes: Sequence[NodeInfo],
    snapshot: Snapshot,
) -> tuple[list[NodeInfo], Mapping[str, str]]:
    """Return the nodes that an extender keeps, and what it has against nodes.

    Raises:
        ExtenderError: see above; so is a kept node that does not exist.
    """
    verb = Verb(extender, "filter")

    def ask() -> tuple[list[NodeInfo], Mapping[str, str]]:
        answer: object = keep(pod, tuple(nodes))
        if not isinstance(answer, ExtenderFilterResult):
            raise verb.odd(answer, "an ExtenderFilterResult")
        failed = {verb.text(name): verb.text(why) for name, why in answer.failed.items()}
        return [_known(verb, name, snapshot) for name in answer.kept], failed

    return verb.heard(ask)


def _known(verb: Verb, name: object, snapshot: Snapshot) -> NodeInfo:
    info = snapshot.node_infos.get(verb.text(name))
    if info is None or info.node is None:
        raise verb.odd(name, "the name of a node that exists")
    return info


def scored(
    extender: Extender, score: ExtenderPrioritize, pod: Pod, nodes: Sequence[NodeInfo]
) -> Mapping[str, int]:
    """Return an extender's scores by node name, not weighted.

    Raises:
        ExtenderError: see above; one odd score spoils all.
    """
    verb = Verb(extender, "prioritize")

    def ask() -> Mapping[str, int]:
        answer = verb.mapping(score(pod, tuple(nodes)), "a mapping of node names to scores")
        return {verb.text(name): verb.integer(score) for name, score in answer.items()}

    return verb.heard(ask)


def preempted(
    extender: Extender,
    choose: ExtenderPreempt,
    pod: Pod,
    candidates: Mapping[str, Victims],
    snapshot: Snapshot,
) -> Mapping[str, Victims]:
    """Return an extender's candidates, with the victims as the scheduler knows them.

    Raises:
        ExtenderError: see above; so is a victim that is not on the node.
    """
    verb = Verb(extender, "preempt")

    def ask() -> Mapping[str, Victims]:
        given = choose(pod, FrozenMap(candidates), snapshot.node_infos)
        answer = verb.mapping(given, "a mapping of node names to Victims")
        return FrozenMap(
            {
                verb.text(name): _victims(verb, verb.text(name), victims, snapshot)
                for name, victims in answer.items()
            }
        )

    return verb.heard(ask)


def _victims(verb: Verb, node: str, victims: object, snapshot: Snapshot) -> Victims:
    if not isinstance(victims, Victims):
        raise verb.odd(victims, "Victims")
    info = snapshot.node_infos.get(node)
    there = info.pods if info is not None and info.node is not None else {}
    pods = tuple(_placed(verb, there, victim, node) for victim in victims.pods)
    return Victims(pods, verb.integer(victims.num_pdb_violations))


def _placed(verb: Verb, there: Mapping[str, Pod], victim: object, node: str) -> Pod:
    placed = there.get(victim.key) if isinstance(victim, Pod) else None
    if placed is None:
        raise verb.odd(victim, f"a pod that is on node {node!r}")
    return placed


def bound(extender: Extender, bind: ExtenderBind, binding: Binding) -> None:
    """Let an extender bind a pod.

    Raises:
        ExtenderError: it could not.
    """
    Verb(extender, "bind").heard(lambda: bind(binding))
