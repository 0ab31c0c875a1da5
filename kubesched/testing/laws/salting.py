"""Situations in which what a rule speaks of stands where it may look for it.

A label drawn from a dozen keys and values seldom is the one label that a rule is about; and an
annotation may hold a list, or JSON, that no one would hit upon.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from random import Random
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from kubesched.model import KubeObject, Node, Pod
from kubesched.selectors import faults_of_label_value, faults_of_qualified_name
from kubesched.testing.harvest import separators, texts_and_numbers
from kubesched.testing.laws.law import Rule
from kubesched.testing.laws.listening import Asked
from kubesched.testing.laws.picking import Change, Picker
from kubesched.testing.reach import functions_of, names_in
from kubesched.testing.situation import Situation
from kubesched.testing.words import Words

MOST_SALTS: Final = 24
MOST_AT_ONCE: Final = 4

Labels: TypeAlias = Mapping[str, str]


@frozen
class Salt:
    """What is put onto objects, where, and onto those of which kind; None takes a key away.

    Called with a situation, it returns what becomes of it.
    """

    labels: Mapping[str, str | None]
    annotations: Mapping[str, str | None]
    place: str
    kind: type[KubeObject] = KubeObject

    def __call__(self, situation: Situation) -> Situation:
        objects: list[Any] = [situation.pod, *situation.objects]
        here = [number for number, it in enumerate(objects) if isinstance(it, self.kind)]
        for number in _PLACES[self.place](here, objects):
            objects[number] = _put(objects[number], self)
        return Situation(objects[0], objects[1:])


def salts_of(rule: Rule, words: Words, asked: Sequence[Asked] = ()) -> list[Picker]:
    """Return what puts labels and annotations that a rule speaks of into situations.

    Of the texts in its code those that stand side by side are taken for a key and a value.

    Args:
        rule: the rule.
        words: what else may be a value.
        asked: what the rule is known to ask for.
    """
    texts = texts_and_numbers([rule])[0]
    odd = (*_put_together(rule, texts), *_ODD)
    return [
        *(_of_spoken(labels) for labels in (_whole(texts), _single(texts)) if labels),
        *([_of_notes(texts, (*texts, *odd))] if texts else []),
        *([_of_two_values(asked, texts, words.values)] if texts else []),
        *([_of_asked(asked, texts, words.values, odd)] * _OFTEN if asked else []),
    ]


_OFTEN: Final = 5
_HOW_MANY: Final = (1, 1, 1, 2, 3)


# -- what there is ---------------------------------------------------------------------------------


def _of_spoken(salts: Sequence[Labels]) -> Picker:
    def pick(chance: Random) -> Change:
        labels = chance.choice(salts)
        return Salt(labels, labels, chance.choice(_SOMEWHERE))

    return pick


def _whole(texts: Sequence[str]) -> list[Labels]:
    """Return all pairs at once, from the first text on, and from the second."""
    rows = [[*zip(texts[at::2], texts[at + 1 :: 2], strict=False)] for at in (0, 1)]
    pairs = [dict(pair for pair in row if _is_valid(*pair)) for row in rows]
    return [labels for labels in pairs if len(labels) > 1]


def _single(texts: Sequence[str]) -> list[Labels]:
    """Return a key and a value each, or two keys that begin alike."""
    alone = [{text: "a"} for text in texts]
    together = [{one: "a", other: "b"} for one, other in pairwise(texts) if one[:-1] == other[:-1]]
    paired = [pair for one, other in pairwise(texts) for pair in ({one: other}, {other: one})]
    salts: list[Labels] = [*together, *paired, *alone]
    valid = (salt for salt in salts if all(_is_valid(*pair) for pair in salt.items()))
    return [*islice(valid, MOST_SALTS)]


def _is_valid(key: str, value: str) -> bool:
    return not faults_of_qualified_name(key) and not faults_of_label_value(value)


def _of_notes(texts: Sequence[str], notes: Sequence[str]) -> Picker:
    """Choose annotations, which may hold any text."""
    keys = [text for text in texts if not faults_of_qualified_name(text)] or ["example.com/note"]

    def pick(chance: Random) -> Change:
        some = chance.sample(keys, min(chance.choice(_HOW_MANY), len(keys)))
        held = {key: chance.choice(notes) for key in some}
        return Salt({}, held, chance.choice(_SOMEWHERE))

    return pick


def _of_two_values(asked: Sequence[Asked], texts: Sequence[str], values: Sequence[str]) -> Picker:
    """Choose two values for many keys at once, so that what is compared is often the same."""
    keys = [text for text in texts if not faults_of_qualified_name(text)]
    of_labels = dict.fromkeys(key for _kind, field, key in asked if field == "labels")
    all_values = [*values, *(text for text in texts if not faults_of_label_value(text))]

    def pick(chance: Random) -> Change:
        two = chance.choices(all_values, k=2)
        some = chance.sample(keys, min(MOST_AT_ONCE, len(keys)))
        labels = {key: chance.choice(two) for key in (*of_labels, *some)}
        notes = {key: chance.choice(two) for key in some}
        return Salt(labels, notes, chance.choice(_SOMEWHERE))

    return pick


def _of_asked(
    asked: Sequence[Asked], texts: Sequence[str], values: Sequence[str], odd: Sequence[str]
) -> Picker:
    """Choose what a rule asks for, just where it does: what it speaks of, anything, nothing."""
    beside = {one: (two,) for one, two in pairwise(texts)}
    own = {"labels": [it for it in texts if not faults_of_label_value(it)], "annotations": texts}
    other = {"labels": (values,), "annotations": (values, odd, odd)}

    def pick(chance: Random) -> Change:
        kind, field, key = chance.choice(asked)
        spoken = own[field] or values
        next_to_it = [text for text in beside.get(key, ()) if text in spoken]
        some = chance.choice((next_to_it or spoken, spoken, spoken, *other[field], ("a", None)))
        held = {key: chance.choice(some)}
        place = chance.choice(_AMONG_PODS if kind is Pod else _AMONG_OTHERS)
        return Salt(held, {}, place, kind) if field == "labels" else Salt({}, held, place, kind)

    return pick


_ODD: Final = ("", "b,a", "{}", "é", "²", "-1", "0.5")


def _put_together(rule: Rule, texts: Sequence[str]) -> Iterable[str]:
    """Go over texts that a rule may take apart: lists, pairs, lists of pairs, JSON."""
    marks = separators([rule])
    lists = [mark for mark in marks if mark not in _OF_PAIRS]
    pairs = [mark for mark in marks if mark in _OF_PAIRS]
    yield from (f"b{mark}a" for mark in lists)
    yield from (f"app{mark}a" for mark in pairs)
    yield from (f"tier{of_pair}b{mark}app{of_pair}a" for of_pair in pairs for mark in lists)
    if any("loads" in names_in(function) for function in functions_of(rule)):
        yield from map(json.dumps, ({}, [], ["b", "a"], *({text: "a"} for text in texts[:4])))


_OF_PAIRS: Final = frozenset("=:")


# -- where it is put -------------------------------------------------------------------------------


def _of(
    kind: type[KubeObject], numbers: Sequence[int], objects: Sequence[KubeObject]
) -> Sequence[int]:
    return [number for number in _others(numbers) if isinstance(objects[number], kind)]


def _rest(numbers: Sequence[int], objects: Sequence[KubeObject]) -> Sequence[int]:
    return [number for number in numbers if not isinstance(objects[number], Node | Pod)]


def _others(numbers: Sequence[int]) -> Sequence[int]:
    return [number for number in numbers if number]


_PLACES: Final[Mapping[str, Callable[[Sequence[int], Sequence[KubeObject]], Sequence[int]]]] = {
    "everywhere": lambda numbers, _objects: numbers,
    "nodes": partial(_of, Node),
    "the pod": lambda numbers, _objects: numbers[:1] if numbers[:1] == [0] else (),
    "other pods": partial(_of, Pod),
    "the first": lambda numbers, _objects: _others(numbers)[:1],
    "the last": lambda numbers, _objects: _others(numbers)[-1:],
    "the rest": _rest,
}
"""By name: the numbers of the objects that are there, of some, the pod being number 0."""

_SOMEWHERE: Final = (*_PLACES, "everywhere", "the pod")
_AMONG_OTHERS: Final = ("everywhere", "the first", "the last")
_AMONG_PODS: Final = ("the pod", "other pods", *_AMONG_OTHERS)


def _put(it: Any, salt: Salt) -> Any:
    meta = it.metadata
    labels = _held(meta.labels, salt.labels)
    annotations = _held(meta.annotations, salt.annotations)
    return evolve(it, metadata=evolve(meta, labels=labels, annotations=annotations))


def _held(before: Labels, salt: Mapping[str, str | None]) -> Labels:
    return {key: text for key, text in {**before, **salt}.items() if text is not None}
