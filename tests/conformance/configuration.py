"""From a scenario's `config` to rules and options."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import fields_dict, frozen

from kubesched.config import DEFAULT_PROVIDER, FeatureGates
from kubesched.framework import PredicateSpec, PrioritySpec, RuleSet
from kubesched.plugins import node_conditions, node_selection, ports, resources, taints
from tests.conformance import original
from tests.conformance.policies import (
    Chosen,
    Json,
    Missing,
    Predicates,
    Priorities,
    by_policy,
    by_provider,
    that_run,
)

_ALWAYS_ASKED: Final[Predicates] = {
    spec.name: spec
    for spec in (
        node_conditions.CHECK_NODE_CONDITION,
        node_conditions.CHECK_NODE_UNSCHEDULABLE,
        node_conditions.CHECK_NODE_MEMORY_PRESSURE,
        node_conditions.CHECK_NODE_PID_PRESSURE,
        node_conditions.CHECK_NODE_DISK_PRESSURE,
        node_selection.HOST_NAME,
        node_selection.MATCH_NODE_SELECTOR,
        ports.POD_FITS_HOST_PORTS,
        resources.POD_FITS_RESOURCES,
        taints.POD_TOLERATES_NODE_TAINTS,
        taints.POD_TOLERATES_NODE_NO_EXECUTE_TAINTS,
    )
}
"""The predicates in `each` whatever the configuration."""


@frozen(kw_only=True)
class Configuration:
    """What a scenario's `config` comes to.

    Attributes:
        rules: the rules to decide by, as far as they are there, and the options.
        predicates: those that may be asked by themselves.
        priorities: those that score.
        missing_predicates: what each predicate waits for that would run and cannot.
        missing_priorities: what each priority waits for that would score and cannot.
        has_pod_priority: the gate PodPriority, without which nobody is preempted.
    """

    rules: RuleSet
    predicates: Predicates
    priorities: Priorities
    missing_predicates: Mapping[str, str]
    missing_priorities: Mapping[str, str]
    has_pod_priority: bool

    def predicate(self, name: str) -> PredicateSpec[Any] | Missing:
        """Return the predicate that `each` calls so."""
        return self.predicates.get(name) or Missing(name)

    def priority(self, name: str) -> PrioritySpec[Any] | Missing:
        """Return the priority of this name."""
        return self.priorities.get(name) or Missing(name)

    @property
    def checks_all(self) -> bool:
        """Whether a node is asked every predicate even after a refusal."""
        return self.rules.options.always_check_all_predicates


def configured(config: Json) -> Configuration:
    """Work out what a `config` comes to that the original accepts."""
    chosen = _chosen(config)
    changed = dict(_rules_that_would_differ(config))
    predicates, priorities = _less(chosen.predicates, changed), _less(chosen.priorities, changed)
    return Configuration(
        rules=chosen.rules.with_options(
            percentage_of_nodes_to_score=100, always_check_all_predicates=_checks_all(config)
        ),
        predicates={**_ALWAYS_ASKED, **predicates},
        priorities=priorities,
        missing_predicates=_missing(that_run(predicates)),
        missing_priorities=_missing(priorities),
        has_pod_priority=config.get("featureGates", {}).get("PodPriority", True),
    )


def _chosen(config: Json) -> Chosen:
    gates = _gates(config)
    if "policy" in config:
        return by_policy(config["policy"], gates)
    return by_provider(config.get("provider", DEFAULT_PROVIDER), gates)


def _checks_all(config: Json) -> bool:
    either = (config, config.get("policy", {}))
    return any(each.get("alwaysCheckAllPredicates", False) for each in either)


def _gates(config: Json) -> FeatureGates:
    given = config.get("featureGates", {}).items()
    return FeatureGates(**{_snake(gate): on for gate, on in given if _is_known(gate)})


def _is_known(gate: str) -> bool:
    return _snake(gate) in fields_dict(FeatureGates)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _rules_that_would_differ(config: Json) -> Iterator[tuple[str, str]]:
    """Go over the rules that a setting changes which the library does not have yet."""
    for gate in config.get("featureGates", {}):
        if not _is_known(gate):
            yield from ((name, gate) for name in original.RULES_CHANGED_BY_GATE.get(gate, ()))
    weight = "hardPodAffinitySymmetricWeight"
    if any(each.get(weight, 1) != 1 for each in (config, config.get("policy", {}))):
        yield from ((name, weight) for name in original.RULES_CHANGED_BY_HARD_WEIGHT)


def _less(rules: Mapping[str, Any], changed: Mapping[str, str]) -> dict[str, Any]:
    """Return the rules, those missing that are there and would answer for another setting."""
    there = {name for name, rule in rules.items() if not isinstance(rule, Missing)}
    return {**rules, **{name: Missing(changed[name]) for name in there & changed.keys()}}


def _missing(rules: Mapping[str, Any]) -> dict[str, str]:
    return {name: rule.what for name, rule in rules.items() if isinstance(rule, Missing)}
