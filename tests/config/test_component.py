"""A scheduler's own configuration file."""

from collections.abc import Mapping
from io import StringIO
from typing import Any

import pytest

from kubesched.config import (
    CLUSTER_AUTOSCALER_PROVIDER,
    ConfigurationError,
    FeatureGates,
    PolicyError,
    Profile,
    SchedulerConfiguration,
    read_configuration,
)
from kubesched.framework import Options

KIND = {
    "apiVersion": "kubescheduler.config.k8s.io/v1alpha1",
    "kind": "KubeSchedulerConfiguration",
}
CONFIG_MAP = {"algorithmSource": {"policy": {"configMap": {"name": "rules"}}}}
NO_PRIORITIES: Mapping[str, Any] = {"predicates": [], "priorities": []}


def read(**fields: Any) -> SchedulerConfiguration:
    return read_configuration({**KIND, **fields})


@pytest.mark.parametrize(
    ("fields", "meaning"),
    [
        pytest.param({}, SchedulerConfiguration(), id="nothing said"),
        pytest.param(
            {"percentageOfNodesToScore": 0, "hardPodAffinitySymmetricWeight": 0},
            SchedulerConfiguration(),
            id="0 stands for the defaults",
        ),
        pytest.param(
            {"schedulerName": "packer", "hardPodAffinitySymmetricWeight": 9},
            SchedulerConfiguration(scheduler_name="packer", hard_pod_affinity_symmetric_weight=9),
            id="a name and a weight",
        ),
        pytest.param(
            {"percentageOfNodesToScore": 100, "disablePreemption": True},
            SchedulerConfiguration(
                options=Options(percentage_of_nodes_to_score=100, disable_preemption=True)
            ),
            id="options",
        ),
        pytest.param(
            {"algorithmSource": {"provider": CLUSTER_AUTOSCALER_PROVIDER}},
            SchedulerConfiguration(provider=CLUSTER_AUTOSCALER_PROVIDER),
            id="a provider",
        ),
        pytest.param(
            {"algorithmSource": {"policy": {"file": {"path": "p.json"}}}},
            SchedulerConfiguration(policy_file="p.json"),
            id="a file",
        ),
        pytest.param(
            CONFIG_MAP,
            SchedulerConfiguration(policy_config_map="kube-system/rules"),
            id="a config map",
        ),
        pytest.param(
            {
                "algorithmSource": {
                    "policy": {
                        "configMap": {"namespace": "shop", "name": "rules"},
                        "file": {"path": "p.json"},
                    }
                }
            },
            SchedulerConfiguration(policy_file="p.json"),
            id="a file comes before a config map",
        ),
        pytest.param(
            {
                "algorithmSource": {
                    "policy": {"file": {"path": "p.json"}},
                    "provider": "DefaultProvider",
                }
            },
            SchedulerConfiguration(),
            id="a provider comes before a file",
        ),
    ],
)
def test_what_a_configuration_means(
    fields: Mapping[str, Any], meaning: SchedulerConfiguration
) -> None:
    assert read(**fields) == meaning


def test_what_does_not_concern_the_algorithm_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    read(leaderElection={"leaderElect": True}, color="blue")
    assert [record.message for record in caplog.records] == [
        "KubeSchedulerConfiguration: leaderElection does not concern the algorithm",
        "KubeSchedulerConfiguration: the field color is unknown, and is ignored",
    ]


def test_its_profile_has_its_rules_and_its_options() -> None:
    profile = SchedulerConfiguration(
        provider=CLUSTER_AUTOSCALER_PROVIDER, options=Options(disable_preemption=True)
    ).profile(gates=FeatureGates(pod_priority=False))
    stock = Profile.from_provider(CLUSTER_AUTOSCALER_PROVIDER)
    assert [spec.name for spec in profile.priorities] == [spec.name for spec in stock.priorities]
    assert profile.options == Options(disable_preemption=True, pod_priority=False)


def test_its_policy_may_set_an_option_itself() -> None:
    configuration = read(**CONFIG_MAP, percentageOfNodesToScore=20)
    policy = {**NO_PRIORITIES, "alwaysCheckAllPredicates": True}
    assert configuration.profile(policy=policy).options == Options(
        percentage_of_nodes_to_score=20, always_check_all_predicates=True
    )


def test_the_weight_of_required_affinity_holds_for_its_policy() -> None:
    configuration = SchedulerConfiguration(
        policy_config_map="a/b", hard_pod_affinity_symmetric_weight=101
    )
    with pytest.raises(PolicyError, match="101 is out of range"):
        configuration.profile(policy={})


def test_a_policy_in_a_config_map_is_to_be_given() -> None:
    with pytest.raises(ConfigurationError, match="is kube-system/rules, which is not at hand"):
        read(**CONFIG_MAP).profile()
    assert read(**CONFIG_MAP).profile(policy=NO_PRIORITIES).priorities == ()


@pytest.mark.parametrize(
    ("wire", "told"),
    [
        pytest.param(
            {}, ["kind is missing", "apiVersion is missing"], id="nothing that says what it is"
        ),
        pytest.param(
            {**KIND, "apiVersion": "componentconfig/v1alpha1"},
            ["apiVersion: 'componentconfig/v1alpha1' is not 'kubescheduler"],
            id="another version",
        ),
        pytest.param(
            {
                **KIND,
                "schedulerName": 7,
                "percentageOfNodesToScore": 101,
                "hardPodAffinitySymmetricWeight": -1,
            },
            [
                "schedulerName: 7 is not a string",
                "hardPodAffinitySymmetricWeight: -1 is out of range (expected 0 to 100)",
                "percentageOfNodesToScore: 101 is out of range (expected 0 to 100)",
            ],
            id="several values",
        ),
        pytest.param(
            {**KIND, "algorithmSource": {"policy": {"file": {}, "configMap": {}}}},
            [
                "algorithmSource.policy.file.path is missing",
                "algorithmSource.policy.configMap.name is missing",
            ],
            id="sources without a name",
        ),
    ],
)
def test_all_that_is_wrong_is_told_together(wire: Mapping[str, Any], told: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(wire)
    assert len(caught.value.errors) == len(told)
    for error, text in zip(caught.value.errors, told, strict=True):
        assert str(error).startswith(f"KubeSchedulerConfiguration: {text}")


def test_a_text_that_is_no_configuration_is_told_of() -> None:
    with pytest.raises(ConfigurationError, match="holds nothing"):
        read_configuration(StringIO(""))
