"""A scheduler's own configuration file: where its rules come from, and some options.

Source: kubernetes v1.12.2, staging/src/k8s.io/kube-scheduler/config/v1alpha1/types.go,
pkg/scheduler/apis/config/v1alpha1/defaults.go, pkg/scheduler/apis/config/validation/validation.go,
pkg/scheduler/scheduler.go (New).
"""

from collections.abc import Iterator
from logging import getLogger
from typing import Final

from attrs import NOTHING, field, frozen

from kubesched.config.adjusting import DEFAULT_HARD_WEIGHT
from kubesched.config.documents import only_document
from kubesched.config.errors import ConfigurationError
from kubesched.config.gates import FeatureGates
from kubesched.config.policy import PolicySource
from kubesched.config.profile import Profile
from kubesched.config.providers import DEFAULT_PROVIDER
from kubesched.framework import Options, Registry
from kubesched.manifests import Place, Problem, Source
from kubesched.manifests.fault import Fault
from kubesched.model.pod import DEFAULT_SCHEDULER

_KIND: Final = "KubeSchedulerConfiguration"
_API_VERSION: Final = "kubescheduler.config.k8s.io/v1alpha1"
_HIGHEST: Final = 100
_ELSEWHERE: Final = frozenset(
    {
        "bindTimeoutSeconds",
        "clientConnection",
        "enableContentionProfiling",
        "enableProfiling",
        "failureDomains",
        "healthzBindAddress",
        "leaderElection",
        "metricsBindAddress",
    }
)
_LOGGER: Final = getLogger("kubesched.config")


@frozen(kw_only=True)
class SchedulerConfiguration:
    """What a `KubeSchedulerConfiguration` says about the algorithm.

    Attributes:
        scheduler_name: whose pods are scheduled.
        provider: the provider whose rules decide, if there is no Policy.
        policy_file: the path of a Policy; empty if there is none.
        policy_config_map: the config map that holds a Policy, `namespace/name`; empty if there is
            none.
        hard_pod_affinity_symmetric_weight: what required pod affinity of placed pods counts for in
            InterPodAffinityPriority, 1..100.
        options: the options that it sets.

    >>> SchedulerConfiguration(provider="ClusterAutoscalerProvider").profile().priorities[0].name
    'MostRequestedPriority'
    """

    scheduler_name: str = DEFAULT_SCHEDULER
    provider: str = DEFAULT_PROVIDER
    policy_file: str = ""
    policy_config_map: str = ""
    hard_pod_affinity_symmetric_weight: int = DEFAULT_HARD_WEIGHT
    options: Options = field(factory=Options)

    def profile(
        self,
        *,
        policy: PolicySource | None = None,
        registry: Registry | None = None,
        gates: FeatureGates | None = None,
    ) -> Profile:
        """Return the rules and the options.

        Args:
            policy: the Policy, if it is in a config map: nobody else could fetch that.
            registry: what names are looked up in, instead of the stock rules under the gates.
            gates: the feature gates.

        Raises:
            ConfigurationError: the Policy is in a config map, and was not given.
            UnknownNameError: there is no such provider.
            PolicyError: the Policy cannot be used.
            MissingExtraError: what reads YAML or speaks to extenders is not installed.
        """
        source, weight = self._policy(policy), self.hard_pod_affinity_symmetric_weight
        if source is None:
            profile = Profile.from_provider(
                self.provider,
                gates,
                registry=registry,
                hard_pod_affinity_symmetric_weight=weight,
            )
        else:
            profile = Profile.from_policy(
                source,
                registry=registry,
                gates=gates,
                hard_pod_affinity_symmetric_weight=weight,
            )
        return profile.with_options(
            percentage_of_nodes_to_score=self.options.percentage_of_nodes_to_score,
            disable_preemption=self.options.disable_preemption,
        )

    def _policy(self, given: PolicySource | None) -> PolicySource | None:
        if self.policy_file:
            return self.policy_file
        if self.policy_config_map and given is None:
            why = f"is {self.policy_config_map}, which is not at hand"
            raise ConfigurationError([Place().problem(why, "algorithmSource.policy.configMap")])
        return given if self.policy_config_map else None


def read_configuration(source: Source) -> SchedulerConfiguration:
    """Read a scheduler's configuration.

    What does not concern the algorithm is passed over, and the log says so.

    Args:
        source: plain data, the path of a JSON or YAML file, `-` for standard input, or an open
            stream.

    Raises:
        ConfigurationError: with everything that is wrong with it.
        MissingExtraError: it is YAML, and PyYAML is not installed.

    >>> configuration = read_configuration(
    ...     {
    ...         "apiVersion": "kubescheduler.config.k8s.io/v1alpha1",
    ...         "kind": "KubeSchedulerConfiguration",
    ...         "algorithmSource": {"policy": {"file": {"path": "policy.json"}}},
    ...     }
    ... )
    >>> configuration.policy_file
    'policy.json'
    """
    problems: list[Problem] = []
    document = only_document(source, _KIND, problems)
    if document is None:
        raise ConfigurationError(problems)
    for name in sorted(_ELSEWHERE & document.wire.keys()):
        _LOGGER.warning("%s: %s does not concern the algorithm", document.place, name)
    read = document.read(_Written, "kind", "apiVersion", *_ELSEWHERE)
    faults = [
        *document.stated("kind", _KIND, required=True),
        *document.stated("apiVersion", _API_VERSION, required=True),
        *read.faults,
        *_faults_of(read.value),
    ]
    if faults:
        raise ConfigurationError(
            document.place.problem(why, path, value) for path, value, why in faults
        )
    return _meaning_of(read.value)


# -- as it is written ------------------------------------------------------------------------------


@frozen(kw_only=True)
class _File:
    path: str = ""


@frozen(kw_only=True)
class _ConfigMap:
    namespace: str = "kube-system"
    name: str = ""


@frozen(kw_only=True)
class _Policy:
    file: _File | None = None
    config_map: _ConfigMap | None = None


@frozen(kw_only=True)
class _Algorithm:
    policy: _Policy | None = None
    provider: str = ""


@frozen(kw_only=True)
class _Written:
    scheduler_name: str = ""
    algorithm_source: _Algorithm = field(factory=_Algorithm)
    hard_pod_affinity_symmetric_weight: int = 0
    percentage_of_nodes_to_score: int = 0
    disable_preemption: bool = False


def _faults_of(written: _Written) -> Iterator[Fault]:
    bounded = {
        "hardPodAffinitySymmetricWeight": written.hard_pod_affinity_symmetric_weight,
        "percentageOfNodesToScore": written.percentage_of_nodes_to_score,
    }
    for path, value in bounded.items():
        if not 0 <= value <= _HIGHEST:
            yield Fault(path, value, f"is out of range (expected 0 to {_HIGHEST})")
    policy = written.algorithm_source.policy or _Policy()
    if policy.file and not policy.file.path:
        yield Fault("algorithmSource.policy.file.path", NOTHING, "is missing")
    if policy.config_map and not policy.config_map.name:
        yield Fault("algorithmSource.policy.configMap.name", NOTHING, "is missing")


def _meaning_of(written: _Written) -> SchedulerConfiguration:
    """Fill in what 0 and nothing stand for; a provider comes before a file, a file before a map."""
    source, stock = written.algorithm_source, SchedulerConfiguration()
    policy = (not source.provider and source.policy) or _Policy()
    config_map = None if policy.file else policy.config_map
    return SchedulerConfiguration(
        scheduler_name=written.scheduler_name or stock.scheduler_name,
        provider=source.provider or stock.provider,
        policy_file=policy.file.path if policy.file else "",
        policy_config_map=f"{config_map.namespace}/{config_map.name}" if config_map else "",
        hard_pod_affinity_symmetric_weight=written.hard_pod_affinity_symmetric_weight
        or stock.hard_pod_affinity_symmetric_weight,
        options=Options(
            percentage_of_nodes_to_score=written.percentage_of_nodes_to_score
            or stock.options.percentage_of_nodes_to_score,
            disable_preemption=written.disable_preemption,
        ),
    )
