"""The rules that exist, by name."""

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import field, frozen

from kubesched.errors import DuplicateNameError, UnknownNameError
from kubesched.framework.contract import MAX_SCORE
from kubesched.framework.specs import PredicateSpec, PrioritySpec
from kubesched.model.frozen import frozen_map

S = TypeVar("S")


@frozen
class Registry:
    """Predicates and priorities by name; a value, so extending it gives another one.

    Attributes:
        predicates: the predicates.
        priorities: the priorities.
        max_score: the highest score after a priority's reduce.

    >>> from kubesched.framework import FITS
    >>> anywhere = PredicateSpec("Anywhere", lambda pod, meta, node: FITS)
    >>> registry = Registry().extended(anywhere)
    >>> registry.predicate("Anywhere") is anywhere
    True
    >>> registry.predicate("Anywere")
    Traceback (most recent call last):
        ...
    kubesched.errors.UnknownNameError: predicate 'Anywere' is not registered; did you mean ...
    """

    predicates: Mapping[str, PredicateSpec[Any]] = field(factory=dict, converter=frozen_map)
    priorities: Mapping[str, PrioritySpec[Any]] = field(factory=dict, converter=frozen_map)
    max_score: int = MAX_SCORE

    def extended(self, *specs: PredicateSpec[Any] | PrioritySpec[Any]) -> "Registry":
        """Return a registry with these rules as well.

        Raises:
            DuplicateNameError: a predicate or a priority of that name is there already.
        """
        predicates, priorities = dict(self.predicates), dict(self.priorities)
        for spec in specs:
            if isinstance(spec, PredicateSpec):
                _register("predicate", spec.name, spec, predicates)
            else:
                _register("priority", spec.name, spec, priorities)
        return Registry(predicates, priorities, self.max_score)

    def predicate(self, name: str) -> PredicateSpec[Any]:
        """Return the predicate of this name.

        Raises:
            UnknownNameError: there is none.
        """
        return _look_up("predicate", name, self.predicates)

    def priority(self, name: str) -> PrioritySpec[Any]:
        """Return the priority of this name.

        Raises:
            UnknownNameError: there is none.
        """
        return _look_up("priority", name, self.priorities)


def _register(kind: str, name: str, spec: S, known: dict[str, S]) -> None:
    if name in known:
        raise DuplicateNameError(kind, name)
    known[name] = spec


def _look_up(kind: str, name: str, known: Mapping[str, S]) -> S:
    if name not in known:
        raise UnknownNameError(kind, name, known)
    return known[name]
