"""Rules by name, as one value."""

from attrs import frozen

from kubesched.config.gates import FeatureGates
from kubesched.config.providers import DEFAULT_PROVIDER, provider
from kubesched.config.registries import stock_registry
from kubesched.framework import RuleSet


@frozen
class Profile(RuleSet):
    """The rules that a scheduler decides by, and where they come from.

    By hand, `Profile(predicates, priorities, options)`, or from names:

    >>> profile = Profile.default().without("ImageLocalityPriority")
    >>> profile.with_options(percentage_of_nodes_to_score=100).predicates[0].name
    'CheckNodeUnschedulable'
    """

    @classmethod
    def default(cls, gates: FeatureGates | None = None) -> "Profile":
        """Return the rules of the default provider."""
        return cls.from_provider(DEFAULT_PROVIDER, gates)

    @classmethod
    def from_provider(cls, name: str, gates: FeatureGates | None = None) -> "Profile":
        """Return the rules of a provider.

        Raises:
            UnknownNameError: there is no such provider.
        """
        registry = stock_registry(gates)
        named = provider(name, gates)
        return cls(
            [registry.predicate(each) for each in sorted(named.predicates)],
            [registry.priority(each).weighted(weight) for each, weight in named.priorities.items()],
        )
