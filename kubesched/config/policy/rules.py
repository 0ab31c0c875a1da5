"""From a Policy to everything that a profile needs, or to all that is wrong with it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from kubesched.config.adjusting import DEFAULT_HARD_WEIGHT, ignoring_resources, with_hard_weight
from kubesched.config.errors import PolicyError
from kubesched.config.gates import FeatureGates
from kubesched.config.policy.checks import faults_of, faults_of_hard_weight
from kubesched.config.policy.choosing import Chosen, chosen
from kubesched.config.policy.model import Policy
from kubesched.config.policy.reading import Written
from kubesched.config.providers import DEFAULT_PROVIDER, provider
from kubesched.config.registries import stock_registry
from kubesched.framework import Extender, Options, Registry
from kubesched.manifests import Problem
from kubesched.manifests.fault import Fault
from kubesched.plugins.http_extender import ExtenderConfig, http_extender

_SINGULAR: Final = {
    "predicates": "predicate",
    "priorities": "priority",
    "extenders": "extender",
}
_ENTRY: Final = re.compile(rf"({'|'.join(_SINGULAR)})\[(\d+)\]")


@frozen(kw_only=True)
class Basis:
    """What a Policy's names are looked up in, and what holds where it says nothing.

    Attributes:
        registry: the rules that there are.
        gates: the feature gates.
        hard_weight: `hardPodAffinitySymmetricWeight`.
    """

    registry: Registry
    gates: FeatureGates
    hard_weight: int = DEFAULT_HARD_WEIGHT

    @classmethod
    def of(cls, registry: Registry | None, gates: FeatureGates | None, hard_weight: int) -> "Basis":
        """Return what was given, or else the stock rules and the gates' defaults."""
        gates = gates or FeatureGates()
        registry = stock_registry(gates) if registry is None else registry
        return cls(registry=registry, gates=gates, hard_weight=hard_weight)

    def weights(self, priorities: Iterable[str] | Mapping[str, int]) -> Mapping[str, int]:
        """Return the priorities with their weights, found out where there are none."""
        if isinstance(priorities, Mapping):
            return priorities
        stock, known = provider(DEFAULT_PROVIDER, self.gates).priorities, self.registry.priorities
        return {
            name: stock.get(name) or (known[name].weight if name in known else 1)
            for name in priorities
        }

    def adjusted(self, policy: Policy) -> Registry:
        """Return the rules that there are under a Policy's settings."""
        weight = policy.hard_pod_affinity_symmetric_weight or self.hard_weight
        if next(faults_of_hard_weight(weight), None):
            weight = DEFAULT_HARD_WEIGHT
        ignored = (
            resource.name
            for extender in policy.extenders
            for resource in extender.managed_resources
            if resource.ignored_by_scheduler
        )
        return ignoring_resources(with_hard_weight(self.registry, weight), ignored)


@frozen(kw_only=True)
class PolicyRules:
    """What a Policy comes to.

    Attributes:
        chosen: the rules that it names.
        options: the options that it sets.
        extenders: its extenders.
    """

    chosen: Chosen
    options: Options
    extenders: tuple[Extender, ...] = ()


def policy_rules(written: Written, basis: Basis) -> PolicyRules:
    """Find the rules of a Policy.

    Raises:
        PolicyError: with everything that is wrong with it.
        MissingExtraError: it has extenders, and the HTTP client is not installed.
    """
    policy, found = written.policy, list(faults_of(written.policy))
    if not policy.hard_pod_affinity_symmetric_weight:
        found.extend(faults_of_hard_weight(basis.hard_weight))
    named = chosen(policy, basis.adjusted(policy), basis.gates, found)
    faults = _together(written.faults, found)
    if faults:
        raise PolicyError(_problem(written, fault) for fault in faults)
    options = Options(
        always_check_all_predicates=policy.always_check_all_predicates,
        pod_priority=basis.gates.pod_priority,
    )
    return PolicyRules(
        chosen=named, options=options, extenders=tuple(map(http_extender, policy.extenders))
    )


# -- what is wrong, in words -----------------------------------------------------------------------


def _together(unfit: Sequence[Fault], found: Sequence[Fault]) -> list[Fault]:
    """Return all faults in the order of the fields.

    What does not fit its field comes first, and stands alone: the rest is about defaults there.
    """
    first: dict[str, Fault] = {}
    for fault in unfit:
        first.setdefault(fault.path, fault)
    others = (each for each in found if not any(_meet(each.path, path) for path in first))
    return sorted([*first.values(), *dict.fromkeys(others)], key=_rank)


def _meet(one: str, other: str) -> bool:
    """Tell whether two paths are the same, or one leads to what the other stands in."""
    shorter, longer = sorted((one, other), key=len)
    return longer == shorter or longer.startswith((f"{shorter}.", f"{shorter}["))


def _rank(fault: Fault) -> tuple[int, int]:
    entry = _ENTRY.match(fault.path)
    if entry is None:
        return len(_SINGULAR), 0
    return [*_SINGULAR].index(entry[1]), int(entry[2])


def _problem(written: Written, fault: Fault) -> Problem:
    place = written.place
    about = ", ".join(filter(None, (place.object, _subject(written.policy, fault.path))))
    return evolve(place, object=about).problem(fault.why, fault.path, fault.value)


def _subject(policy: Policy, path: str) -> str:
    """Name the entry that a path leads into, as in "priority EqualPriority"."""
    entry = _ENTRY.match(path)
    if entry is None:
        return ""
    it = getattr(policy, entry[1])[int(entry[2])]
    name = it.url_prefix if isinstance(it, ExtenderConfig) else it.name
    return f"{_SINGULAR[entry[1]]} {name}".rstrip()
