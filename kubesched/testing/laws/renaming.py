"""A law that a predicate may promise: labels that it does not know may be called anything."""

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve, fields

from kubesched.model import FrozenMap
from kubesched.model.frozen import Model
from kubesched.testing.harvest import texts_and_numbers
from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.question import Question, first_difference, told
from kubesched.testing.situation import Situation

_HOLD_KEYS: Final = frozenset({"labels", "match_labels", "node_selector", "selector"})
"""Fields that hold labels by their keys."""

_ARE_KEYS: Final = frozenset({"key", "topology_key"})
"""Fields that are the key of a label; those of taints are renamed with their tolerations."""

DOMAINS: Final = ("a.example.org", "z.example.org")
"""What labels begin with then, as it may be the first or the last one that counts."""


def renamed(situation: Situation, names: Mapping[str, str]) -> Situation:
    """Return a situation in which the keys of labels are others, wherever they stand.

    >>> from kubesched.builders import node, pod
    >>> web = pod("web", labels={"app": "a"}, node_selector={"app": "a"})
    >>> renamed(Situation(web), {"app": "b"}).pod.spec.node_selector
    {'b': 'a'}
    """
    return Situation(
        _renamed(situation.pod, names), [_renamed(it, names) for it in situation.objects]
    )


def _renamed(it: Any, names: Mapping[str, str]) -> Any:
    match it:
        case Model():
            return _renamed_model(it, names)
        case tuple():
            return tuple(_renamed(each, names) for each in it)
        case _:
            return it


def _renamed_model(it: Any, names: Mapping[str, str]) -> Any:
    changes: dict[str, Any] = {}
    for attribute in fields(type(it)):
        name, value = attribute.name, getattr(it, attribute.name)
        if name in _HOLD_KEYS and isinstance(value, FrozenMap):
            changes[name] = {names.get(key, key): part for key, part in value.items()}
        elif name in _ARE_KEYS:
            changes[name] = names.get(value, value)
        else:
            changes[name] = _renamed(value, names)
    return evolve(it, **changes)


def _does_not_know_other_labels(rule: Rule, situation: Situation, draw: Draw, /) -> None:
    known = set(texts_and_numbers([rule])[0])
    own = [key for key in draw.words.keys if key not in known and "kubernetes.io" not in key]
    answers = Question.of(rule, situation.pod, situation.snapshot()).answers()
    for domain in DOMAINS:
        other = renamed(situation, {key: f"{domain}/{key.replace('/', '-')}" for key in own})
        found = first_difference(answers, Question.of(rule, other.pod, other.snapshot()).answers())
        if found is not None:
            raise UNKNOWN_LABELS.broken(
                rule,
                situation,
                f"its answer about node {found[0]} is: {told(found[1])}; and with other names for "
                f"labels that are not in its code: {told(found[2])}",
                after=other,
            )


UNKNOWN_LABELS: Final = Law(
    "unknown labels",
    "what labels are called does not matter, if they are not in a rule's code.",
    _does_not_know_other_labels,
)
