"""From an attempt in which a law is broken to the smallest one.

Hypothesis could do this, too. But it has to draw everything anew for each step, which takes far
longer than to try the law, and it stops at what the strategies draw; here every field that does not
matter is left out.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, islice
from typing import Any, Final

from attrs import Attribute, evolve, fields

from kubesched.model import KubeObject, Node, Pod
from kubesched.model.frozen import Model
from kubesched.quantity import Quantity
from kubesched.testing.laws.attempts import Attempt, Sighting, Trial
from kubesched.testing.laws.emptiness import empty
from kubesched.testing.laws.naming import plainer
from kubesched.testing.situation import Situation

MOST_TRIES: Final = 3000
_FIRST_CHOICES: Final = 10
MOST_IN_PAIRS: Final = 12
MANY: Final = 3
"""So many nodes, or pods beside the one that is asked about, nobody takes in at a glance."""


def smallest(trial: Trial, seen: Sighting) -> Sighting:
    """Return the smallest attempt that shows the same mistake.

    It leaves out objects, then parts of them, and takes what is simpler for the rest, as long as
    the rule breaks the same law in the same way.
    """
    origin, tries, start = seen.origin, 0, 0
    while tries < MOST_TRIES:
        steps = chain(_smaller(seen.attempt), _smaller_by_two(seen.attempt))
        for place, attempt in enumerate(islice(steps, MOST_TRIES)):
            if place < start:
                continue  # it did not help before the last step, and seldom does after it
            tries += 1
            found = trial.sighting(seen.law, attempt)
            if found is not None and found.origin == origin:
                seen, start = found, place
                break
        else:
            if not start:
                break
            start = 0
    return seen


def _smaller(attempt: Attempt) -> Iterator[Attempt]:
    """Go over the attempts that are smaller by one thing, the largest things first."""
    situation, other, choices = attempt.situation, attempt.other, attempt.choices
    yield from (evolve(attempt, choices=choices[:count]) for count in range(len(choices)))
    if other != _NOTHING:
        yield evolve(attempt, other=_NOTHING)
    for less in _with_less_objects(situation):
        yield from (evolve(attempt, situation=less, choices=few) for few in _fewer(choices))
    for two in combinations(situation.pods[:MOST_IN_PAIRS], 2):  # what is even may have to stay so
        rest = (it for it in situation.objects if not any(it is gone for gone in two))
        yield evolve(attempt, situation=Situation(situation.pod, rest))
    for pod in situation.pods:  # laws let pods of the other situation come
        left = Situation(situation.pod, (it for it in situation.objects if it is not pod))
        moved = evolve(attempt, situation=left, other=_alone(pod))
        yield from (evolve(moved, choices=few) for few in (choices, (0, 1), (0, 2)))
    yield from (evolve(attempt, other=like) for like in _as_the_first_one(situation, other))
    for place in range(min(len(situation.objects), len(other.objects))):
        both = (_without(each, place) for each in (situation, other))
        yield evolve(attempt, situation=next(both), other=next(both))
    yield from (evolve(attempt, other=_alone(pod)) for pod in other.pods)
    yield from (evolve(attempt, other=less) for less in _with_less_objects(other))
    yield from (evolve(attempt, situation=less) for less in _with_simpler_objects(situation))
    yield from (evolve(attempt, other=less) for less in _with_simpler_objects(other))
    yield from (evolve(attempt, choices=less) for less in _one_simpler(choices))
    yield from (evolve(attempt, situation=less) for less in plainer(situation))
    yield from (evolve(attempt, other=less) for less in plainer(other))


def _smaller_by_two(attempt: Attempt) -> Iterator[Attempt]:
    """Go over the attempts with a pod less and something else simpler, if there are many pods."""
    situation = attempt.situation
    if len(situation.pods) < MANY:
        return
    for less in _with_less_objects(situation):
        if len(less.pods) < len(situation.pods):
            simpler = _with_simpler_objects(less)
            yield from (evolve(attempt, situation=each) for each in simpler)


def _as_the_first_one(situation: Situation, other: Situation) -> Iterator[Situation]:
    """Go over situations that differ from the first one in one thing, unless the other does."""
    unlike = [it for it in other.objects if it not in situation.objects]
    if len(unlike) > 1:
        yield from _with_simpler_objects(situation)


def _without(situation: Situation, place: int) -> Situation:
    objects = situation.objects
    return evolve(situation, objects=(*objects[:place], *objects[place + 1 :]))


_NOTHING: Final = Situation(Pod())


def _alone(pod: Pod) -> Situation:
    return Situation(pod.bound_to(""))


def _fewer(choices: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return choices to go with less objects: the first of three may be the second of two."""
    return [
        choices,
        *[(first, *choices[1:]) for first in range(_FIRST_CHOICES) if choices[:1] != (first,)],
    ]


def _with_less_objects(situation: Situation) -> Iterator[Situation]:
    """Go over the situations without one of the objects; with a node its pods go, too."""
    for gone in situation.objects:
        yield Situation(situation.pod, (it for it in situation.objects if not _goes_with(it, gone)))


def _goes_with(it: KubeObject, gone: KubeObject) -> bool:
    is_on_it = isinstance(gone, Node) and isinstance(it, Pod) and it.node_name == gone.name
    return it is gone or is_on_it


def _with_simpler_objects(situation: Situation) -> Iterator[Situation]:
    for pod in _simpler(situation.pod):
        yield evolve(situation, pod=pod)
    for objects in _one_simpler(situation.objects):
        yield evolve(situation, objects=objects)


def _simpler(it: Any) -> Iterator[Any]:
    """Go over what is simpler than a value by one thing."""
    match it:
        case Model():
            yield from _simpler_models(it)
        case tuple():
            yield from (it[:place] + it[place + 1 :] for place in range(len(it)))
            yield from _one_simpler(it)
        case Mapping():
            yield from ({k: v for k, v in it.items() if k != key} for key in it)
            yield from ({**it, key: less} for key, value in it.items() for less in _simpler(value))
        case Quantity():
            simple = map(Quantity, _SIMPLE_AMOUNTS)
            yield from simple if it not in {Quantity(each) for each in _SIMPLE_AMOUNTS} else ()
        case str():
            yield from ["1"] if it.isdecimal() and it not in "01" else []
            yield from ["a"] if len(it) > 1 else []
        case bool():
            return
        case int():
            yield from (less for less in (0, 1, it // 2) if abs(less) < abs(it))


_SIMPLE_AMOUNTS: Final = (1, 0)


def _one_simpler(them: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Go over the tuples in which one thing is simpler."""
    for place, it in enumerate(them):
        for less in _simpler(it):
            yield (*them[:place], less, *them[place + 1 :])


def _simpler_models(it: Any) -> Iterator[Any]:
    kind: Any = type(it)
    unset = empty(kind)
    for attribute in fields(kind):
        name, value = attribute.name, getattr(it, attribute.name)
        if value == getattr(unset, name) or (isinstance(value, str) and _is_needed(attribute)):
            continue
        if name not in _HOLD_NAMES:
            yield evolve(it, **{name: getattr(unset, name)})
        if not isinstance(value, str):
            yield from (evolve(it, **{name: less}) for less in _simpler(value))


def _is_needed(attribute: "Attribute[Any]") -> bool:
    """Tell whether a text is left as it is: others may refer to it, or nobody can do without."""
    return attribute.name in _NAMES or bool(attribute.metadata.get("keep"))


_NAMES: Final = frozenset({"name", "namespace", "node_name"})

_HOLD_NAMES: Final = frozenset({"metadata", "spec"})
