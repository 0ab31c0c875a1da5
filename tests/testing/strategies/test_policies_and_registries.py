"""Policies, profiles and registries that are drawn can be used."""

from contextlib import suppress
from typing import Any

from hypothesis import given, settings

from kubesched.config import FeatureGates, Profile, stock_registry
from kubesched.engine import GenericScheduler
from kubesched.errors import SchedulingError
from kubesched.framework import FITS, PredicateSpec, PrioritySpec, Registry
from kubesched.model import Pod
from kubesched.state import Cluster
from kubesched.testing import clusters, feature_gates, pods, policies, profiles, registries
from tests.testing.finding import comes_up

ANYWHERE = PredicateSpec("Anywhere", lambda _pod, _meta, _node: FITS)
NOWHERE_BETTER = PrioritySpec("NowhereBetter", lambda _pod, _meta, _node: 0)
OWN = (ANYWHERE, NOWHERE_BETTER)


@settings(max_examples=60)
@given(policies())
def test_a_policy_can_be_used(policy: dict[str, Any]) -> None:
    profile = Profile.from_policy(policy)
    named = {entry["name"] for entry in policy.get("priorities", ())}
    assert named <= {spec.name for spec in profile.priorities}


def test_a_policy_with_an_argument_comes_up() -> None:
    def has_argument(policy: dict[str, Any]) -> bool:
        entries = [*policy.get("predicates", ()), *policy.get("priorities", ())]
        return any("argument" in entry for entry in entries)

    comes_up(policies(), has_argument, within=100)


def test_a_policy_names_the_rules_of_the_registry() -> None:
    registry = Registry().extended(*OWN)
    policy = comes_up(policies(registry=registry), lambda it: it.get("predicates"))
    names = {entry["name"] for entry in policy["predicates"]}
    assert names <= {"Anywhere", "CheckNodeLabelPresence", "CheckServiceAffinity"}


@settings(max_examples=20)
@given(policies(registry=Registry()))
def test_a_registry_without_rules_is_no_obstacle(policy: dict[str, Any]) -> None:
    Profile.from_policy(policy, registry=Registry())


@settings(max_examples=40)
@given(profiles(), clusters(), pods())
def test_a_profile_decides(profile: Profile, cluster: Cluster, pod: Pod) -> None:
    scheduler = GenericScheduler(cluster, profile)
    with suppress(SchedulingError):
        assert scheduler.schedule(pod).node in cluster.nodes


@settings(max_examples=40)
@given(registries(own=OWN))
def test_a_registry_has_stock_rules_and_ones_own(registry: Registry) -> None:
    stock = stock_registry()
    known = {*stock.predicates, "Anywhere", "CheckNodeMemoryPressure"}
    assert len({*stock.predicates} - {*registry.predicates}) <= 4
    assert {*registry.predicates} & known
    assert registry.predicates.get("Anywhere") in {None, ANYWHERE}
    assert registry.priorities.get("NowhereBetter") in {None, NOWHERE_BETTER}


def test_ones_own_rules_are_there_and_are_not() -> None:
    comes_up(registries(own=OWN), lambda it: "Anywhere" in it.predicates, within=100)
    comes_up(registries(own=OWN), lambda it: "Anywhere" not in it.predicates, within=100)


@settings(max_examples=20)
@given(feature_gates())
def test_there_is_a_registry_for_any_gates(gates: FeatureGates) -> None:
    assert stock_registry(gates).predicates
