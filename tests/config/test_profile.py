"""Profiles: rules by name, as one value."""

import pytest

from kubesched.config import (
    CLUSTER_AUTOSCALER_PROVIDER,
    DEFAULT_PROVIDER,
    FeatureGates,
    Profile,
    provider,
    stock_registry,
)
from kubesched.errors import UnknownNameError
from kubesched.framework import FITS, Fit, Options, PredicateSpec, PrioritySpec
from kubesched.model import Pod
from kubesched.state import NodeInfo


def anywhere(_pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
    return FITS


def one(_pod: Pod, _meta: None, _node: NodeInfo, /) -> int:
    return 1


@pytest.mark.parametrize("name", [DEFAULT_PROVIDER, CLUSTER_AUTOSCALER_PROVIDER])
@pytest.mark.parametrize(
    "gates",
    [
        None,
        FeatureGates(taint_nodes_by_condition=False),
        FeatureGates(resource_limits_priority_function=True),
    ],
    ids=["default gates", "conditions count", "limits count"],
)
def test_a_providers_profile_has_its_rules_and_weights(
    name: str, gates: FeatureGates | None
) -> None:
    profile, named = Profile.from_provider(name, gates), provider(name, gates)
    assert {spec.name for spec in profile.predicates} == named.predicates
    assert {spec.name: spec.weight for spec in profile.priorities} == named.priorities


def test_its_rules_are_the_registered_ones_in_their_order() -> None:
    registry = stock_registry()
    profile = Profile.default()
    assert all(registry.predicate(spec.name) == spec for spec in profile.predicates)
    orders = [spec.order for spec in profile.predicates]
    assert orders == sorted(orders)


def test_the_default_is_that_of_the_default_provider() -> None:
    gates = FeatureGates(taint_nodes_by_condition=False)
    assert Profile.default() == Profile.from_provider(DEFAULT_PROVIDER)
    assert Profile.default(gates) == Profile.from_provider(DEFAULT_PROVIDER, gates)
    assert Profile.default().options == Options()


def test_there_is_no_other_provider() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'DefaultProvider'"):
        Profile.from_provider("DefaultProvide")


def test_a_change_gives_another_profile() -> None:
    anywhere_spec, one_spec = PredicateSpec("Anywhere", anywhere), PrioritySpec("One", one)
    profile = Profile.default()
    changed = (
        profile.with_predicate(anywhere_spec)
        .with_priority(one_spec)
        .without("ImageLocalityPriority")
        .with_options(percentage_of_nodes_to_score=100)
    )
    assert type(changed) is Profile
    assert changed.predicates == (*profile.predicates, anywhere_spec)
    assert one_spec in changed.priorities
    assert "ImageLocalityPriority" not in {spec.name for spec in changed.priorities}
    assert changed.options == Options(percentage_of_nodes_to_score=100)
    assert profile == Profile.default()


def test_a_profile_may_be_made_by_hand() -> None:
    registry = stock_registry()
    by_hand = Profile(
        [registry.predicate("PodFitsResources"), registry.predicate("HostName")],
        [registry.priority("EqualPriority").weighted(3)],
        Options(always_check_all_predicates=True),
    )
    assert [spec.name for spec in by_hand.predicates] == ["HostName", "PodFitsResources"]
    assert by_hand == Profile().with_predicate(registry.predicate("HostName")).with_predicate(
        registry.predicate("PodFitsResources")
    ).with_priority(registry.priority("EqualPriority").weighted(3)).with_options(
        always_check_all_predicates=True
    )
