"""From a scenario's `config` to rules and options."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from attrs import frozen

from kubesched.config import DEFAULT_PROVIDER, FeatureGates, Profile
from kubesched.config.policy import Basis, policy_rules, read_policy
from kubesched.framework import PredicateSpec, PrioritySpec, RuleSet
from kubesched.plugins import node_conditions, node_selection, ports, resources, taints
from tests.conformance.recordings import Json

Predicates: TypeAlias = Mapping[str, PredicateSpec[Any]]

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

_HARD_WEIGHT: Final = "hardPodAffinitySymmetricWeight"


@frozen(kw_only=True)
class Configuration:
    """What a scenario's `config` comes to.

    Attributes:
        rules: the rules to decide by and the options.
        predicates: those that may be asked by themselves, also under names that never run.
    """

    rules: RuleSet
    predicates: Predicates

    def priority(self, name: str) -> PrioritySpec[Any]:
        """Return the priority of this name."""
        return next(spec for spec in self.rules.priorities if spec.name == name)

    @property
    def checks_all(self) -> bool:
        """Whether a node is asked every predicate even after a refusal."""
        return self.rules.options.always_check_all_predicates

    @property
    def has_pod_priority(self) -> bool:
        """Whether pods make room for more important ones."""
        return self.rules.options.pod_priority


def configured(config: Json) -> Configuration:
    """Work out what a `config` comes to.

    Raises:
        PolicyError: the policy cannot be used.
        UnknownNameError: there is no such provider.
    """
    gates, weight = FeatureGates.named(config.get("featureGates", {})), config.get(_HARD_WEIGHT, 1)
    if "policy" in config:
        policy = config["policy"]
        named = policy_rules(read_policy(policy), Basis.of(None, gates, weight)).chosen.predicates
        profile = Profile.from_policy(
            policy, gates=gates, hard_pod_affinity_symmetric_weight=weight
        )
    else:
        name = config.get("provider", DEFAULT_PROVIDER)
        profile = Profile.from_provider(name, gates, hard_pod_affinity_symmetric_weight=weight)
        named = {spec.name: spec for spec in profile.predicates}
    return Configuration(
        rules=_with_options(profile, config), predicates={**_ALWAYS_ASKED, **named}
    )


def _with_options(profile: Profile, config: Json) -> Profile:
    checks_all = profile.options.always_check_all_predicates
    return profile.with_options(
        percentage_of_nodes_to_score=100,
        always_check_all_predicates=checks_all or config.get("alwaysCheckAllPredicates", False),
    )
