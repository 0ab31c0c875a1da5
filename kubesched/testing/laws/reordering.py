"""The same objects with what has no order in another order."""

from typing import Any, TypeVar, cast

from attrs import evolve, fields

from kubesched.model import FrozenMap
from kubesched.model.frozen import Model
from kubesched.testing.situation import Situation

T = TypeVar("T")


def reordered(it: T) -> T:
    """Return an equal object whose mappings go the other way round, however deep; O(size).

    >>> from kubesched.builders import pod
    >>> list(reordered(pod("web", labels={"app": "web", "tier": "front"})).labels)
    ['tier', 'app']
    """
    return cast("T", _reordered(it))


def _reordered(it: Any) -> Any:
    match it:
        case FrozenMap():
            return FrozenMap((key, _reordered(value)) for key, value in reversed(it.items()))
        case tuple():
            return tuple(_reordered(each) for each in it)
        case Model():
            return _reordered_model(it)
        case _:
            return it


def _reordered_model(it: Any) -> Any:
    before = {each.name: getattr(it, each.name) for each in fields(type(it))}
    after = {name: _reordered(value) for name, value in before.items()}
    return evolve(it, **{name: it for name, it in after.items() if it is not before[name]})


def reordered_situation(situation: Situation) -> Situation:
    """Return a situation in which every object is reordered."""
    return Situation(reordered(situation.pod), tuple(reordered(each) for each in situation.objects))
