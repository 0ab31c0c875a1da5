"""From providers and policies to rules, those that are not there yet included.

Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (CreateFromConfig),
pkg/scheduler/factory/plugins.go.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from attrs import frozen

from kubesched.config import (
    DEFAULT_PROVIDER,
    FeatureGates,
    Profile,
    mandatory_predicates,
    stock_registry,
)
from kubesched.framework import PredicateSpec, PrioritySpec, Registry, RuleSet
from kubesched.plugins.node_labels import check_node_label_presence, node_label
from kubesched.plugins.resources import ShapePoint, requested_to_capacity_ratio
from tests.conformance import original

S = TypeVar("S", PredicateSpec[Any], PrioritySpec[Any])


@frozen
class Missing:
    """A rule that cannot be asked, because the library does not have something yet."""

    what: str


Json: TypeAlias = Mapping[str, Any]
Predicates: TypeAlias = Mapping[str, PredicateSpec[Any] | Missing]
Priorities: TypeAlias = Mapping[str, PrioritySpec[Any] | Missing]

_FORMER_NAMES: Final = {"PodFitsPorts": "PodFitsHostPorts"}
"""Names that a policy may still use."""


@frozen
class Chosen:
    """The rules that a configuration names.

    Attributes:
        predicates: by name, also under names that never run.
        priorities: by name.
        rules: those of them that are there, to decide by.
    """

    predicates: Predicates
    priorities: Priorities
    rules: RuleSet


def by_provider(name: str, gates: FeatureGates) -> Chosen:
    """Return the rules of a provider."""
    registry, profile = stock_registry(gates), Profile.from_provider(name, gates)
    return Chosen(
        _stock(original.provider_predicates(gates), profile.predicates, registry.predicates),
        _stock(original.provider_priorities(name, gates), profile.priorities, registry.priorities),
        profile,
    )


def _stock(
    names: frozenset[str], chosen: Sequence[S], registered: Mapping[str, S]
) -> dict[str, S | Missing]:
    """Find a provider's rules; one that is registered is not missing, even if it was not chosen."""
    known = {**registered, **{spec.name: spec for spec in chosen}}
    return {name: known.get(name) or Missing(name) for name in sorted(names)}


def by_policy(policy: Json, gates: FeatureGates) -> Chosen:
    """Return the rules of a policy, with the default provider's where it says nothing."""
    default, registry = by_provider(DEFAULT_PROVIDER, gates), stock_registry(gates)
    predicates, priorities = default.predicates, default.priorities
    if "predicates" in policy:
        predicates = _predicates(policy["predicates"], registry, mandatory_predicates(gates))
    if "priorities" in policy:
        priorities = {each["name"]: _priority(each, registry) for each in policy["priorities"]}
    return Chosen(predicates, priorities, _rules(predicates, priorities))


def _predicates(
    entries: Sequence[Json], registry: Registry, mandatory: frozenset[str]
) -> Predicates:
    always = {name: registry.predicate(name) for name in sorted(mandatory)}
    return {**always, **{each["name"]: _predicate(each, registry) for each in entries}}


def _predicate(entry: Json, registry: Registry) -> PredicateSpec[Any] | Missing:
    name: str = entry["name"]
    match entry.get("argument"):
        case {"labelsPresence": {"labels": labels, **rest}}:
            presence = bool(rest.get("presence"))
            return check_node_label_presence(labels, presence=presence, name=name)
        case {"serviceAffinity": _}:
            return Missing("CheckServiceAffinity")
    return registry.predicates.get(_FORMER_NAMES.get(name, name)) or Missing(name)


def _priority(entry: Json, registry: Registry) -> PrioritySpec[Any] | Missing:
    name, weight = entry["name"], entry["weight"]
    match entry.get("argument"):
        case {"labelPreference": {"label": label, **rest}}:
            return node_label(name, label, presence=bool(rest.get("presence")), weight=weight)
        case {"requestedToCapacityRatioArguments": {"shape": shape}}:
            points = [ShapePoint(point["utilization"], point["score"]) for point in shape]
            return requested_to_capacity_ratio(points, name=name, weight=weight)
        case {"serviceAntiAffinity": _}:
            return Missing("ServiceAntiAffinity")
    spec = registry.priorities.get(name)
    return Missing(name) if spec is None else spec.weighted(weight)


def that_run(predicates: Predicates) -> Predicates:
    """Pick the predicates that run, in their order."""
    return {name: predicates[name] for name in original.PREDICATES_IN_ORDER if name in predicates}


def _rules(predicates: Predicates, priorities: Priorities) -> RuleSet:
    return RuleSet(
        [rule for rule in that_run(predicates).values() if isinstance(rule, PredicateSpec)],
        [rule for rule in priorities.values() if isinstance(rule, PrioritySpec)],
    )
