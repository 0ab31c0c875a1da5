"""The stock sets of rules."""

import pytest

from kubesched.config import (
    CLUSTER_AUTOSCALER_PROVIDER,
    DEFAULT_PROVIDER,
    FeatureGates,
    mandatory_predicates,
    provider,
    stock_registry,
)
from kubesched.errors import UnknownNameError

PROVIDERS = [DEFAULT_PROVIDER, CLUSTER_AUTOSCALER_PROVIDER]
GATES = [
    FeatureGates(taint_nodes_by_condition=by_taints, resource_limits_priority_function=limits)
    for by_taints in (True, False)
    for limits in (True, False)
]
INSIDE_GENERAL = {"HostName", "PodFitsHostPorts", "MatchNodeSelector", "PodFitsResources"}

each_provider = pytest.mark.parametrize("name", PROVIDERS)
all_gates = pytest.mark.parametrize("gates", GATES, ids=repr)


@each_provider
@all_gates
def test_every_rule_of_a_provider_is_registered(name: str, gates: FeatureGates) -> None:
    named, registry = provider(name, gates), stock_registry(gates)
    assert named.predicates <= registry.predicates.keys()
    assert named.priorities.keys() <= registry.priorities.keys()


@each_provider
@all_gates
def test_what_is_mandatory_is_part_of_every_provider(name: str, gates: FeatureGates) -> None:
    assert mandatory_predicates(gates) <= provider(name, gates).predicates


@all_gates
def test_providers_have_the_same_predicates(gates: FeatureGates) -> None:
    default, autoscaler = (provider(name, gates).predicates for name in PROVIDERS)
    assert default == autoscaler
    assert "GeneralPredicates" in default
    assert not default & INSIDE_GENERAL


@all_gates
def test_the_autoscalers_provider_fills_nodes_where_the_default_spreads(
    gates: FeatureGates,
) -> None:
    default, autoscaler = (provider(name, gates).priorities.items() for name in PROVIDERS)
    assert default - autoscaler == {("LeastRequestedPriority", 1)}
    assert autoscaler - default == {("MostRequestedPriority", 1)}


@each_provider
def test_avoided_nodes_outweigh_all_else(name: str) -> None:
    weights = dict(provider(name).priorities)
    assert weights.pop("NodePreferAvoidPodsPriority") == 10_000
    assert set(weights.values()) == {1}


@each_provider
def test_the_limits_priority_joins_behind_its_gate(name: str) -> None:
    gates = FeatureGates(resource_limits_priority_function=True)
    joined = provider(name, gates).priorities.items() - provider(name).priorities.items()
    assert joined == {("ResourceLimitsPriority", 1)}


def test_taints_stand_in_for_conditions() -> None:
    by_taints, by_conditions = (
        provider(DEFAULT_PROVIDER, FeatureGates(taint_nodes_by_condition=on)).predicates
        for on in (True, False)
    )
    pressures = {f"CheckNode{what}Pressure" for what in ("Memory", "Disk", "PID")}
    assert by_taints - by_conditions == {"CheckNodeUnschedulable"}
    assert by_conditions - by_taints == {"CheckNodeCondition", *pressures}
    assert provider(DEFAULT_PROVIDER).predicates == by_taints


def test_what_is_mandatory_depends_on_the_gate() -> None:
    by_conditions = FeatureGates(taint_nodes_by_condition=False)
    assert mandatory_predicates() == {"CheckNodeUnschedulable", "PodToleratesNodeTaints"}
    assert mandatory_predicates(by_conditions) == {"CheckNodeCondition"}


def test_there_is_no_other_provider() -> None:
    with pytest.raises(UnknownNameError) as caught:
        provider("DefaultProvidre")
    assert str(caught.value) == (
        "algorithm provider 'DefaultProvidre' is not registered; did you mean 'DefaultProvider'?"
    )
    assert caught.value.known == ("ClusterAutoscalerProvider", "DefaultProvider")
