"""Rules by name, as one value."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from kubesched.config.adjusting import DEFAULT_HARD_WEIGHT
from kubesched.config.gates import FeatureGates
from kubesched.config.policy import (
    Basis,
    PolicyRules,
    PolicySource,
    named_policy,
    policy_rules,
    read_policy,
)
from kubesched.config.providers import DEFAULT_PROVIDER, provider
from kubesched.framework import Registry, RuleSet
from kubesched.plugins.volumes import attuned


@frozen
class Profile(RuleSet):
    """The rules that a scheduler decides by, and where they come from.

    By hand, `Profile(predicates, priorities, options)`, or from names. These are looked up in the
    stock registry or the one that is given; somebody's own rules are so as good as the stock ones.

    >>> profile = Profile.default().without("ImageLocalityPriority")
    >>> profile.with_options(percentage_of_nodes_to_score=100).predicates[0].name
    'CheckNodeUnschedulable'
    """

    @classmethod
    def default(cls, gates: FeatureGates | None = None) -> "Profile":
        """Return the rules of the default provider."""
        return cls.from_provider(DEFAULT_PROVIDER, gates)

    @classmethod
    def from_provider(
        cls,
        name: str,
        gates: FeatureGates | None = None,
        *,
        registry: Registry | None = None,
        hard_pod_affinity_symmetric_weight: int = DEFAULT_HARD_WEIGHT,
    ) -> "Profile":
        """Return the rules of a provider.

        Args:
            name: the provider.
            gates: the feature gates, which decide about some of its rules.
            registry: what the names are looked up in, instead of the stock rules under the gates.
            hard_pod_affinity_symmetric_weight: what required pod affinity of placed pods counts for
                in InterPodAffinityPriority, 1..100.

        Raises:
            UnknownNameError: there is no such provider.
            PolicyError: the weight is out of range, or the registry lacks one of the rules.
        """
        named = provider(name, gates)
        return cls.from_names(
            sorted(named.predicates),
            named.priorities,
            registry=registry,
            gates=gates,
            hard_pod_affinity_symmetric_weight=hard_pod_affinity_symmetric_weight,
        )

    @classmethod
    def from_names(
        cls,
        predicates: Iterable[str],
        priorities: Iterable[str] | Mapping[str, int],
        *,
        registry: Registry | None = None,
        gates: FeatureGates | None = None,
        hard_pod_affinity_symmetric_weight: int = DEFAULT_HARD_WEIGHT,
    ) -> "Profile":
        """Return the rules of these names, and the predicates that run in any case.

        Args:
            predicates: names, in any order.
            priorities: names, perhaps with weights; without, each has the weight that it has in the
                default provider, or else its own.
            registry: what the names are looked up in, instead of the stock rules under the gates.
            gates: the feature gates.
            hard_pod_affinity_symmetric_weight: as for `from_provider`.

        Raises:
            PolicyError: with all names that are not registered and all weights out of range.

        Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go, CreateFromKeys.

        >>> profile = Profile.from_names(["HostName"], {"EqualPriority": 2})
        >>> [spec.name for spec in profile.predicates]
        ['CheckNodeUnschedulable', 'HostName', 'PodToleratesNodeTaints']
        """
        basis = Basis.of(registry, gates, hard_pod_affinity_symmetric_weight)
        return cls._of(policy_rules(named_policy(predicates, basis.weights(priorities)), basis))

    @classmethod
    def from_policy(
        cls,
        source: PolicySource,
        *,
        registry: Registry | None = None,
        gates: FeatureGates | None = None,
        hard_pod_affinity_symmetric_weight: int = DEFAULT_HARD_WEIGHT,
    ) -> "Profile":
        """Return the rules of a Policy.

        Where it says nothing about predicates, or about priorities, those of the default provider
        hold; an empty list means none but the predicates that run in any case. A predicate under a
        name that has no place in the original's order is accepted and never runs; the log says so.
        Rules with an argument are made here, and take the place of what is registered under their
        name. Its extenders come along; they need the extra `http`.

        Args:
            source: plain data, the path of a JSON or YAML file, `-` for standard input, an open
                stream, or in any of these forms, or as an object with `data`, a config map that
                holds the text under `policy.cfg`.
            registry: what the names are looked up in, instead of the stock rules under the gates.
            gates: the feature gates.
            hard_pod_affinity_symmetric_weight: as for `from_provider`; what the Policy says holds.

        Raises:
            PolicyError: with everything that is wrong with it.
            MissingExtraError: what reads YAML or speaks to extenders is not installed.

        Differs: kind and apiVersion may be left out, and the text may be YAML.

        Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go, CreateFromConfig.

        >>> packing = {"name": "MostRequestedPriority", "weight": 2}
        >>> profile = Profile.from_policy({"predicates": [], "priorities": [packing]})
        >>> [(spec.name, spec.weight) for spec in profile.priorities]
        [('MostRequestedPriority', 2)]
        """
        basis = Basis.of(registry, gates, hard_pod_affinity_symmetric_weight)
        return cls._of(policy_rules(read_policy(source), basis))

    @classmethod
    def _of(cls, rules: PolicyRules) -> "Profile":
        rules.chosen.warn()
        priorities = rules.chosen.priorities.values()
        return attuned(cls(rules.chosen.running, priorities, rules.options, rules.extenders))
