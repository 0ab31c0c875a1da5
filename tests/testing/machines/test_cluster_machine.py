"""A predicate that is not honest about what it reads is found out in a cluster's life."""

from typing import Any

import hypothesis
import pytest
from hypothesis.stateful import run_state_machine_as_test

from kubesched.config import Profile
from kubesched.framework import PredicateSpec, Registry, RuleSet, all_of
from kubesched.testing.broken import LawBrokenError
from kubesched.testing.machines.both_ways import own_rules
from kubesched.testing.machines.cluster_machine import ClusterMachine
from kubesched.testing.machines.running import default_settings
from tests.testing.machines import dishonest_rules as rules

FEW = hypothesis.settings(default_settings(), max_examples=5, stateful_step_count=20)
SURE = hypothesis.settings(default_settings(), derandomize=True, max_examples=1000)
UNSHRUNK = hypothesis.settings(SURE, phases=[hypothesis.Phase.generate])


def machine(*specs: PredicateSpec[Any]) -> type[ClusterMachine]:
    class WithRules(ClusterMachine):
        def make_profile(self) -> RuleSet:
            return Profile([*Profile.default().predicates, *specs])

    return WithRules


@pytest.mark.parametrize("spec", [rules.RACK_IS_OPEN, rules.HAS_COMPANY], ids=lambda it: it.name)
def test_reads_that_are_not_declared_show(spec: PredicateSpec[Any]) -> None:
    with pytest.raises(LawBrokenError) as caught:
        run_state_machine_as_test(machine(spec), settings=UNSHRUNK)
    assert caught.value.law == "remembered"
    assert caught.value.rule in {spec.name, "a rule"}
    assert "it was remembered that pod" in str(caught.value)


def test_what_is_made_of_own_rules_is_ones_own() -> None:
    both = all_of("Both", rules.RACK_IS_OPEN, rules.HONEST_COMPANY, order=1000)
    assert own_rules(Profile.default().with_predicate(both)) == [both]


def test_honest_rules_are_not_accused() -> None:
    honest = machine(rules.HONEST_RACK, rules.HONEST_COMPANY, rules.HONEST_SERVICE)
    run_state_machine_as_test(honest, settings=FEW)


class WithRegistry(ClusterMachine):
    """All rules of a registry, of which one is not honest."""

    def make_profile(self) -> Registry:
        return Registry({spec.name: spec for spec in (rules.RACK_IS_OPEN, rules.HONEST_COMPANY)})


def test_a_registry_can_be_plugged_in() -> None:
    with pytest.raises(LawBrokenError) as caught:
        run_state_machine_as_test(WithRegistry, settings=UNSHRUNK)
    assert caught.value.rule in {"RackIsOpen", "RackIsOpen, HasCompany"}
