"""Registries and profiles: which rules there are, and which decide."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from attrs import fields
from hypothesis import strategies as st

from kubesched.config import FeatureGates, Profile, stock_registry
from kubesched.framework import PredicateSpec, PrioritySpec, Registry
from kubesched.testing.strategies.drawing import refuse_odd_bounds, some
from kubesched.testing.strategies.policies import policies
from kubesched.testing.words import WORDS, Words

_PERCENTAGES = (100, 50, 0)


def feature_gates() -> st.SearchStrategy[FeatureGates]:
    """Draw feature gates; shrinks to all of them as they are by default.

    >>> from hypothesis import find
    >>> find(feature_gates(), lambda gates: not gates.pod_priority).volume_scheduling
    True
    """
    return st.builds(
        FeatureGates,
        **{
            gate.name: st.sampled_from([gate.default, not gate.default])
            for gate in fields(FeatureGates)
        },
    )


def registries(
    *, own: Iterable[PredicateSpec[Any] | PrioritySpec[Any]] = (), max_missing: int = 3
) -> st.SearchStrategy[Registry]:
    """Draw registries: the stock rules under some feature gates, less a few, and some of your own.

    Args:
        own: rules of your own; each is there or not.
        max_missing: how many of the stock rules are missing at most.

    >>> from hypothesis import find
    >>> small = find(registries(), lambda registry: "HostName" not in registry.predicates)
    >>> len(stock_registry().predicates) - len(small.predicates)
    1
    """
    refuse_odd_bounds(max_missing=max_missing)
    rules = {(type(rule), rule.name): rule for rule in own}
    stock = stock_registry()
    names = [*stock.predicates, *stock.priorities]
    return st.builds(
        _registry,
        gates=feature_gates(),
        missing=some(names, most=max_missing),
        own=some(rules.values(), most=len(rules)),
    )


@lru_cache(maxsize=256)
def _stock(gates: FeatureGates) -> Registry:
    return stock_registry(gates)


def _registry(
    *,
    gates: FeatureGates,
    missing: Iterable[str],
    own: Iterable[PredicateSpec[Any] | PrioritySpec[Any]],
) -> Registry:
    stock, gone = _stock(gates), frozenset(missing)
    predicates = (rule for name, rule in stock.predicates.items() if name not in gone)
    priorities = (rule for name, rule in stock.priorities.items() if name not in gone)
    return Registry().extended(*predicates, *priorities, *own)


def profiles(
    *, registry: Registry | None = None, max_rules: int = 4, words: Words = WORDS
) -> st.SearchStrategy[Profile]:
    """Draw profiles: some rules with weights, and options; the mandatory predicates are there.

    Args:
        registry: where rules are from; the stock rules if nothing is said.
        max_rules: how many predicates, and how many priorities, are named at most.
        words: what the arguments of rules are drawn from.

    >>> from hypothesis import find
    >>> smallest = find(profiles(), lambda profile: True)
    >>> [rule.name for rule in smallest.predicates], smallest.priorities
    (['CheckNodeUnschedulable', 'PodToleratesNodeTaints'], ())
    """
    known = stock_registry() if registry is None else registry

    def profile_of(policy: dict[str, Any], percentage_of_nodes_to_score: int) -> Profile:
        named = {"predicates": [], "priorities": [], **policy}
        profile = Profile.from_policy(named, registry=known)
        return profile.with_options(percentage_of_nodes_to_score=percentage_of_nodes_to_score)

    return st.builds(
        profile_of,
        policies(registry=known, max_rules=max_rules, words=words),
        percentage_of_nodes_to_score=st.sampled_from(_PERCENTAGES),
    )
