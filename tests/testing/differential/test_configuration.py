"""From a recorded scheduler's configuration to one of ours, and back."""

import pytest

from kubesched.config import FeatureGates, Profile, stock_registry
from kubesched.testing.differential import ScenarioConfig, as_configured
from kubesched.testing.differential.configuration import ALWAYS_ASKED, config_of
from tests.testing.differential.worlds import closed_racks

DEFAULT = Profile.default()


@pytest.mark.parametrize(
    ("config", "rules"),
    [
        pytest.param(ScenarioConfig(), DEFAULT, id="nothing said"),
        pytest.param(
            ScenarioConfig(provider="ClusterAutoscalerProvider"),
            Profile.from_provider("ClusterAutoscalerProvider"),
            id="a provider",
        ),
        pytest.param(
            ScenarioConfig(policy={"priorities": []}),
            Profile.from_policy({"priorities": []}),
            id="a policy",
        ),
        pytest.param(
            ScenarioConfig(feature_gates={"PodPriority": False}),
            Profile.default(FeatureGates(pod_priority=False)),
            id="a gate",
        ),
        pytest.param(
            ScenarioConfig(always_check_all_predicates=True),
            DEFAULT.with_options(always_check_all_predicates=True),
            id="every predicate",
        ),
        pytest.param(
            ScenarioConfig(disable_preemption=True),
            DEFAULT.with_options(disable_preemption=True),
            id="nobody leaves",
        ),
    ],
)
def test_a_config_says_who_decides_and_all_nodes_are_looked_at(
    config: ScenarioConfig, rules: Profile
) -> None:
    made = as_configured(config).rules
    assert made.options == rules.with_options(percentage_of_nodes_to_score=100).options
    assert [spec.name for spec in made.predicates] == [spec.name for spec in rules.predicates]
    assert [(spec.name, spec.weight) for spec in made.priorities] == [
        (spec.name, spec.weight) for spec in rules.priorities
    ]


def test_predicates_that_never_run_can_be_asked_by_themselves() -> None:
    odd = {"name": "Mine", "argument": {"labelsPresence": {"labels": ["rack"], "presence": True}}}
    decider = as_configured(ScenarioConfig(policy={"predicates": [odd]}))
    assert "Mine" not in [spec.name for spec in decider.rules.predicates]
    assert {"Mine", *ALWAYS_ASKED} <= decider.alone.keys()


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(DEFAULT, id="the default"),
        pytest.param(DEFAULT.without("ImageLocalityPriority"), id="one less"),
        pytest.param(
            DEFAULT.with_options(always_check_all_predicates=True), id="every predicate asked"
        ),
        pytest.param(
            DEFAULT.with_options(percentage_of_nodes_to_score=7, disable_preemption=True),
            id="other options",
        ),
        pytest.param(Profile.default(FeatureGates(pod_priority=False)), id="a gate off"),
        pytest.param(Profile.from_names([], {"MostRequestedPriority": 7}), id="a weight"),
        pytest.param(DEFAULT.with_predicate(closed_racks("r7")), id="somebody's own"),
    ],
)
def test_stock_rules_and_those_of_a_registry_come_back(rules: Profile) -> None:
    registry = stock_registry().extended(closed_racks("r7"))
    made = as_configured(config_of(rules), registry).rules
    assert made.options == rules.options
    assert [spec.name for spec in made.predicates] == [spec.name for spec in rules.predicates]
    assert [(spec.name, spec.weight) for spec in made.priorities] == [
        (spec.name, spec.weight) for spec in rules.priorities
    ]
