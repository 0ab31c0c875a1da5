"""From how a recorded scheduler was set up to one of ours, and back as far as that goes."""

from collections.abc import Mapping
from typing import Any, Final

from kubesched.config import DEFAULT_PROVIDER, FeatureGates, Profile
from kubesched.config.policy import Basis, policy_rules, read_policy
from kubesched.errors import OptionError
from kubesched.framework import PredicateSpec, Registry, RuleSet
from kubesched.plugins import node_conditions, node_selection, ports, resources, taints
from kubesched.testing.differential.decider import Decider
from kubesched.testing.differential.recording import ScenarioConfig

ALWAYS_ASKED: Final[Mapping[str, PredicateSpec[Any]]] = {
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
"""The predicates that a recorded scheduler was asked by themselves whatever its configuration."""


def as_configured(config: ScenarioConfig, registry: Registry | None = None) -> Decider:
    """Return who decides as the scheduler of a recording that was set up like this.

    Of tied nodes the smallest name is taken.

    Args:
        config: how it was set up.
        registry: what its rules are looked up in, instead of the stock rules under its gates.

    Raises:
        PolicyError: the policy cannot be used.
        UnknownNameError: there is no such provider or feature gate.
        OptionError: it is of a later kube-scheduler.

    >>> decider = as_configured(ScenarioConfig(policy={"priorities": [], "predicates": []}))
    >>> [spec.name for spec in decider.rules.predicates]
    ['CheckNodeUnschedulable', 'PodToleratesNodeTaints']
    """
    if config.profile:
        raise OptionError("config.profile is of a later kube-scheduler (expected a policy)")
    gates = FeatureGates.named(config.feature_gates)
    profile = _profile(config, gates, registry)
    checks_all = profile.options.always_check_all_predicates or config.always_check_all_predicates
    rules = profile.with_options(
        always_check_all_predicates=checks_all,
        percentage_of_nodes_to_score=config.percentage_of_nodes_to_score,
        disable_preemption=config.disable_preemption,
    )
    return Decider(rules=rules, alone={**ALWAYS_ASKED, **_named(config, gates, registry, profile)})


def _profile(config: ScenarioConfig, gates: FeatureGates, registry: Registry | None) -> Profile:
    weight = config.hard_pod_affinity_symmetric_weight
    if config.policy is not None:
        return Profile.from_policy(
            config.policy,
            registry=registry,
            gates=gates,
            hard_pod_affinity_symmetric_weight=weight,
        )
    return Profile.from_provider(
        config.provider or DEFAULT_PROVIDER,
        gates,
        registry=registry,
        hard_pod_affinity_symmetric_weight=weight,
    )


def _named(
    config: ScenarioConfig, gates: FeatureGates, registry: Registry | None, profile: Profile
) -> Mapping[str, PredicateSpec[Any]]:
    """Return the predicates that are named, also those under a name that never runs."""
    if config.policy is None:
        return {spec.name: spec for spec in profile.predicates}
    basis = Basis.of(registry, gates, config.hard_pod_affinity_symmetric_weight)
    return policy_rules(read_policy(config.policy), basis).chosen.predicates


def config_of(rules: RuleSet) -> ScenarioConfig:
    """Return how a scheduler would be set up that decides by these rules.

    They are named in a Policy, as far as that goes: it knows neither somebody's own rules, which
    its scheduler has to have in its registry, nor with what arguments and under what gates some are
    made, nor extenders.
    """
    options = rules.options
    named = [{"name": spec.name} for spec in rules.predicates]
    weighed = [{"name": spec.name, "weight": spec.weight} for spec in rules.priorities]
    return ScenarioConfig(
        policy={"kind": "Policy", "apiVersion": "v1", "predicates": named, "priorities": weighed},
        always_check_all_predicates=options.always_check_all_predicates,
        percentage_of_nodes_to_score=options.percentage_of_nodes_to_score,
        disable_preemption=options.disable_preemption,
        feature_gates={} if options.pod_priority else {"PodPriority": False},
    )
