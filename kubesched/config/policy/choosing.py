"""From the names in a Policy to the rules that they stand for.

Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (CreateFromConfig, CreateFromKeys),
pkg/scheduler/factory/plugins.go (RegisterCustomFitPredicate, RegisterCustomPriorityFunction).
"""

from collections.abc import Iterable, Mapping
from logging import getLogger
from typing import Any, Final

from attrs import define, evolve, field, frozen

from kubesched.config.gates import FeatureGates
from kubesched.config.order import FORMER_NAMES, order_of
from kubesched.config.policy.arguments import NAME_THAT_RUNS, predicate_of, priority_of
from kubesched.config.policy.checks import given
from kubesched.config.policy.model import (
    Policy,
    PredicatePolicy,
    PriorityArgument,
    PriorityPolicy,
)
from kubesched.config.policy.unknown import why_unknown
from kubesched.config.providers import DEFAULT_PROVIDER, mandatory_predicates, provider
from kubesched.errors import OptionError
from kubesched.framework import WEIGHT_LIMIT, PredicateSpec, PrioritySpec, Registry
from kubesched.manifests.fault import Fault

_LOGGER: Final = getLogger("kubesched.config")
_BY_DEFAULT: Final = "default provider"


@frozen
class Chosen:
    """The rules that a Policy names.

    Attributes:
        predicates: by name, those that run and those that never do.
        never_run: the names of predicates that are accepted and never asked, and for each the name
            under which it would be.
        priorities: by name, with their weights.
    """

    predicates: Mapping[str, PredicateSpec[Any]]
    never_run: Mapping[str, str]
    priorities: Mapping[str, PrioritySpec[Any]]

    @property
    def running(self) -> list[PredicateSpec[Any]]:
        """The predicates that are asked."""
        return [spec for name, spec in self.predicates.items() if name not in self.never_run]

    def warn(self) -> None:
        """Say in the log which predicates never run."""
        for name, other in self.never_run.items():
            _LOGGER.warning(
                "predicate %r is accepted and never run; under the name %r it would be", name, other
            )


def chosen(policy: Policy, registry: Registry, gates: FeatureGates, found: list[Fault]) -> Chosen:
    """Find the rules of a Policy, and add those that there are not to what was found."""
    choosing = _Choosing(registry, gates, found)
    stock = provider(DEFAULT_PROVIDER, gates)
    choosing.add_mandatory(mandatory_predicates(gates))
    if policy.predicates is None:
        names = (PredicatePolicy(name=name) for name in sorted(stock.predicates))
        choosing.add_predicates(names, _BY_DEFAULT)
    else:
        choosing.add_predicates(policy.predicates)
    if policy.priorities is None:
        weights = stock.priorities.items()
        weighted = (PriorityPolicy(name=name, weight=weight) for name, weight in weights)
        choosing.add_priorities(weighted, _BY_DEFAULT)
    else:
        choosing.add_priorities(policy.priorities)
    return Chosen(choosing.predicates, choosing.never_run, choosing.priorities)


@define
class _Choosing:
    """What has been chosen so far.

    A rule that was made by an argument is known by its name to the entries that follow.
    """

    registry: Registry
    gates: FeatureGates
    found: list[Fault]
    predicates: dict[str, PredicateSpec[Any]] = field(factory=dict)
    never_run: dict[str, str] = field(factory=dict)
    priorities: dict[str, PrioritySpec[Any]] = field(factory=dict)

    def add_mandatory(self, names: Iterable[str]) -> None:
        """Add predicates that run in any case, as far as they are registered."""
        known = self.registry.predicates
        self.predicates.update((name, known[name]) for name in sorted(names) if name in known)

    def add_predicates(
        self, entries: Iterable[PredicatePolicy], path: str = "predicates[{}].name"
    ) -> None:
        """Add predicates by name; of those with the same name the last argument holds."""
        for index, entry in enumerate(entries):
            if entry.argument is not None:
                self._make_predicate(entry.name, given(entry.argument))
            elif entry.name not in self.predicates:
                self._look_up_predicate(entry.name, path.format(index))

    def _make_predicate(self, name: str, arguments: list[object]) -> None:
        if len(arguments) != 1 or not name:
            return
        spec, order = predicate_of(name, arguments[0]), order_of(name, self.registry)
        if order is None:
            self.never_run[name] = NAME_THAT_RUNS[type(arguments[0])]
        self.predicates[name] = spec if order is None else evolve(spec, order=order)

    def _look_up_predicate(self, name: str, path: str) -> None:
        known = self.registry.predicates
        if name in known:
            self.predicates[name] = known[name]
        elif FORMER_NAMES.get(name) in known:
            self.never_run[name] = FORMER_NAMES[name]
            self.predicates[name] = evolve(known[FORMER_NAMES[name]], name=name)
        elif name:
            why = why_unknown("predicate", name, known, self.gates)
            self.found.append(Fault(path, name, why))

    def add_priorities(
        self, entries: Iterable[PriorityPolicy], path: str = "priorities[{}].name"
    ) -> None:
        """Add priorities by name; of those with the same name the last weight holds."""
        for index, entry in enumerate(entries):
            spec = self._priority(entry, path.format(index))
            if spec is not None:
                self.priorities[entry.name] = spec

    def _priority(self, entry: PriorityPolicy, path: str) -> PrioritySpec[Any] | None:
        name, weight = entry.name, entry.weight or 0
        known = {**self.registry.priorities, **self.priorities}
        spec = known.get(name) if entry.argument is None else _made_of(entry.argument, name)
        if spec is None and entry.argument is None and name:
            why = why_unknown("priority", name, known, self.gates)
            self.found.append(Fault(path, name, why))
        return spec and spec.weighted(weight if 0 < weight < WEIGHT_LIMIT else 1)


def _made_of(argument: PriorityArgument, name: str) -> PrioritySpec[Any] | None:
    """Make a priority, unless its argument is at fault."""
    arguments = given(argument)
    if len(arguments) != 1 or not name:
        return None
    try:
        return priority_of(name, arguments[0])
    except OptionError:
        return None
