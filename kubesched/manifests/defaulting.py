"""Filling in what an API server would, over a whole set of objects."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from kubesched.manifests.class_defaults import DefaultClasses
from kubesched.manifests.defaults import BY_KIND, namespaced
from kubesched.manifests.errors import ManifestError, Place, Problem
from kubesched.manifests.fault import Fault
from kubesched.manifests.identity import label_of
from kubesched.manifests.priority_defaults import PriorityClasses
from kubesched.manifests.toleration_defaults import tolerating
from kubesched.model import KubeObject, PersistentVolumeClaim, Pod

_Admit: TypeAlias = Callable[[KubeObject, list[Fault]], KubeObject]


def defaulted(objects: Sequence[KubeObject]) -> tuple[KubeObject, ...]:
    """Fill in each object, seeing all of them; ManifestError with all that stands against it."""
    problems: list[Problem] = []
    admit = _admission(objects)
    result = tuple(_defaulted(it, admit, problems) for it in objects)
    if problems:
        raise ManifestError(problems)
    return result


def _defaulted(it: KubeObject, admit: _Admit, problems: list[Problem]) -> KubeObject:
    found: list[Fault] = []
    admitted = admit(namespaced(it), found)
    result: KubeObject = BY_KIND.get(it.kind, _as_it_is)(admitted)
    place = Place(object=label_of(it))
    problems.extend(place.problem(why, path, value) for path, value, why in found)
    return result


def _as_it_is(it: KubeObject) -> KubeObject:
    return it


def _admission(objects: Sequence[KubeObject]) -> _Admit:
    priorities = PriorityClasses.among(objects)
    storage = DefaultClasses.among(objects)

    def admit(it: KubeObject, found: list[Fault]) -> KubeObject:
        match it:
            case Pod():
                return tolerating(priorities.applied(it, found))
            case PersistentVolumeClaim():
                return storage.applied(it, found)
            case _:
                return it

    return admit
