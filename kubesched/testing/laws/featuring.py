"""Situations with what a rule names: kinds of objects, and fields that are seldom set.

A model has hundreds of fields, and a cluster a dozen kinds of objects beside its nodes and pods. If
all of them came up alike, the one that a rule is about would hardly ever.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

import attrs
from attrs import evolve
from hypothesis import (
    given,
    seed as seeded,
    settings as Settings,  # noqa: N812 - it is a class
    strategies as st,
)

from kubesched import model
from kubesched.model import KubeObject, Pod
from kubesched.model.frozen import Model
from kubesched.state import FACET_OF_KIND
from kubesched.testing.harvest import texts_and_numbers
from kubesched.testing.laws.law import Rule
from kubesched.testing.laws.picking import Change, Picker
from kubesched.testing.reach import functions_of, names_in, reachable
from kubesched.testing.situation import Situation
from kubesched.testing.strategies.fields import REFERENCES, field_values
from kubesched.testing.strategies.models import models
from kubesched.testing.strategies.workloads import FINDERS, finder
from kubesched.testing.words import Words

T = TypeVar("T")

ROWS: Final = 6
IN_A_ROW: Final = 8
"""How many objects of a kind, or values of a field, are drawn, and how many of them at once."""


class Feature(NamedTuple):
    """A field of a model class."""

    kind: type[Any]
    field: str


def features_of(rule: Rule, words: Words, settings: Settings, seed: int) -> list[Picker]:
    """Return what puts kinds of objects and fields that a rule names into situations.

    Args:
        rule: the rule.
        words: what they are drawn from.
        settings: how Hypothesis draws them.
        seed: makes it repeatable.
    """
    kinds, features = kinds_named_by(rule), features_named_by(rule)
    texts = texts_and_numbers([rule])[0]
    objects = {kind: _some(models(kind, words=words), settings, seed) for kind in kinds}
    values = {each: _some(_values_of(each, texts, words), settings, seed) for each in features}
    return [
        *([_of_kinds(objects)] * 2 if objects else []),
        *([_of_features(values)] * 2 if values else []),
    ]


def _some(strategy: st.SearchStrategy[T], settings: Settings, seed: int) -> list[T]:
    """Draw some values beforehand, as to draw them one by one takes long."""
    drawn: list[T] = []

    @seeded(seed)
    @Settings(settings, max_examples=ROWS)
    @given(st.lists(strategy, min_size=IN_A_ROW, max_size=IN_A_ROW))
    def draw(values: list[T]) -> None:
        drawn.extend(values)

    draw()
    return drawn


def _of_kinds(objects: Mapping[type[KubeObject], Sequence[KubeObject]]) -> Picker:
    def pick(chance: Random) -> Change:
        it = chance.choice(objects[chance.choice([*objects])])
        return lambda situation: _with_more(situation, it)

    return pick


def _of_features(values: Mapping[Feature, Sequence[Any]]) -> Picker:
    def pick(chance: Random) -> Change:
        feature = chance.choice([*values])
        value, place = chance.choice(values[feature]), chance.choice(_PLACES)
        return lambda situation: _with(situation, feature, value, place)

    return pick


# -- what a rule names -----------------------------------------------------------------------------


def kinds_named_by(rule: Rule) -> tuple[type[KubeObject], ...]:
    """Return the kinds of objects, beside nodes and pods, that a rule's code names.

    >>> from kubesched.plugins.volume_binding import CHECK_VOLUME_BINDING
    >>> model.StorageClass in kinds_named_by(CHECK_VOLUME_BINDING)
    True
    """
    found = {id(it) for it in reachable(rule)}
    return tuple(kind for kind in FACET_OF_KIND if id(kind) in found)


def features_named_by(rule: Rule) -> tuple[Feature, ...]:
    """Return the fields of models that a rule's code names, or what it names tells of.

    >>> from kubesched.plugins.node_conditions import CHECK_NODE_UNSCHEDULABLE
    >>> [each.field for each in features_named_by(CHECK_NODE_UNSCHEDULABLE)]
    ['unschedulable', 'tolerations']
    """
    names = frozenset[str]().union(*map(names_in, functions_of(rule)))
    wanted = names.union(*(_TELLS_OF.get(name, ()) for name in names)) - _LEFT_OUT
    return tuple(each for each in _features_of(kinds_named_by(rule)) if each.field in wanted)


_TELLS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "allocatable": ("capacity",),
    "claim_keys": ("volumes",),
    "controller": ("owner_references",),
    "disks": ("volumes",),
    "host_ports": ("ports",),
    "is_terminating": ("deletion_timestamp",),
    "used_ports": ("ports",),
}
"""Names by which rules get at fields that are called something else."""

_DRAWN_ANYHOW: Final = frozenset(
    {"metadata", "spec", "status", "containers", "labels", "annotations", "selector"}
    | {"name", "namespace", "node_name", "key", "operator", "value"}
)
"""What is there in most situations, or what other objects refer to."""

_METHODS: Final = frozenset({*dir(dict), *dir(list), *dir(str)})
"""What is named in most code, and hardly ever means a field."""

_LEFT_OUT: Final = _DRAWN_ANYHOW | _METHODS


@cache
def _features_of(kinds: tuple[type[KubeObject], ...]) -> tuple[Feature, ...]:
    """Return all fields of nodes and pods, of objects of some kinds, and of all their parts."""
    waiting: list[type[Any]] = [model.Node, Pod, *kinds]
    for kind in waiting:
        parts = (part for each in attrs.fields(kind) for part in _classes_in(each.type))
        waiting += dict.fromkeys(part for part in parts if part not in waiting)
    return tuple(Feature(kind, each.name) for kind in waiting for each in attrs.fields(kind))


def _classes_in(kind: Any) -> Iterable[type[Any]]:
    """Go over the model classes that a type names."""
    if isinstance(kind, type) and issubclass(kind, Model):
        yield kind
    for part in getattr(kind, "__args__", ()):
        yield from _classes_in(part)


# -- putting it there ------------------------------------------------------------------------------


def _values_of(feature: Feature, texts: Sequence[str], words: Words) -> st.SearchStrategy[Any]:
    """Draw what a field may hold; a text is often one that stands in the rule's code."""
    kind = getattr(attrs.fields(feature.kind), feature.field).type
    usual = field_values(
        feature.field, kind, of_class=lambda it: models(it, words=words), words=words
    )
    is_free = kind is str and feature.field not in REFERENCES
    return st.sampled_from(texts) | usual if is_free and texts else usual


def _with_more(situation: Situation, it: KubeObject) -> Situation:
    """Return a situation with an object, unless there is one; what finds pods finds its own."""
    new = _finding(it, situation.pod)
    if any((new.kind, new.key) == (each.kind, each.key) for each in situation.objects):
        return situation
    return evolve(situation, objects=[*situation.objects, new])


def _finding(it: KubeObject, pod: Pod) -> KubeObject:
    if type(it) not in FINDERS or not pod.labels:
        return it
    return finder(type(it), evolve(it.metadata, namespace=pod.namespace), pod.labels)


_PLACES: Final = ("everywhere", "everywhere", "the pod", "the others", "the first of them")


def _with(situation: Situation, feature: Feature, value: Any, place: str) -> Situation:
    """Return a situation in which objects have a field."""
    pod: Any = situation.pod
    objects: Sequence[Any] = situation.objects
    if place in {"everywhere", "the pod"}:
        pod = _set(pod, feature, value)
    if place in {"everywhere", "the others"}:
        objects = tuple(_set(it, feature, value) for it in objects)
    if place == "the first of them":
        objects = _first_set(objects, feature, value)
    if feature == _UID:
        pod, *objects = _told_apart([pod, *objects])
    return Situation(pod, objects)


_UID: Final = Feature(model.ObjectMeta, "uid")


def _told_apart(objects: Iterable[Any]) -> Iterator[Any]:
    """Go over objects of which no two have the same uid."""
    taken = set[str]()
    for number, it in enumerate(objects):
        is_taken = it.metadata.uid in taken
        own = _set(it, _UID, f"{it.metadata.uid}-{number}") if is_taken else it
        taken |= {own.metadata.uid} - {""}
        yield own


def _first_set(objects: Sequence[Any], feature: Feature, value: Any) -> Sequence[Any]:
    """Return objects of which the first that can have a field has it."""
    for place, it in enumerate(objects):
        changed = _set(it, feature, value)
        if changed is not it:
            return (*objects[:place], changed, *objects[place + 1 :])
    return objects


def _set(it: Any, feature: Feature, value: Any) -> Any:
    """Return a model of which every part that can have a field has it."""
    match it:
        case Model():
            return _set_in_model(it, feature, value)
        case tuple():
            new = tuple(_set(part, feature, value) for part in it)
            return it if all(a is b for a, b in zip(it, new, strict=True)) else new
        case _:
            return it


def _set_in_model(it: Any, feature: Feature, value: Any) -> Any:
    parts = {each.name: getattr(it, each.name) for each in attrs.fields(type(it))}
    changed = {name: _set(part, feature, value) for name, part in parts.items()}
    if type(it) is feature.kind:
        changed[feature.field] = value
    changes = {name: new for name, new in changed.items() if new is not parts[name]}
    return evolve(it, **changes) if changes else it
