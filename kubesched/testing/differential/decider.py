"""Who decides, where one scheduler is compared with another."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from typing import Any, TypeAlias

from attrs import evolve, frozen

from kubesched.engine import FirstByName, GenericScheduler
from kubesched.errors import OptionError
from kubesched.framework import Options, PredicateSpec, Registry, RuleSet
from kubesched.runtime import Scheduler
from kubesched.state import Cluster

MakeScheduler: TypeAlias = Callable[[Cluster, RuleSet], GenericScheduler]
"""Makes a scheduler that decides about a cluster by rules."""


def first_by_name(cluster: Cluster, rules: RuleSet) -> GenericScheduler:
    """Return a scheduler that takes the smallest name among tied nodes."""
    return GenericScheduler(cluster, rules, select=FirstByName(), workers=1)


@frozen(kw_only=True, eq=False)
class Decider:
    """Rules, and what sort of scheduler decides by them.

    Attributes:
        rules: the rules.
        alone: the predicates that can be asked by themselves, by what they are called.
        make: makes the scheduler.
    """

    rules: RuleSet
    alone: Mapping[str, PredicateSpec[Any]]
    make: MakeScheduler = first_by_name

    @classmethod
    def of(cls, by: "DecidesBy") -> "Decider":
        """Return who decides by rules, or as a scheduler does that is left as it is.

        Raises:
            OptionError: it is nothing that could decide.
        """
        match by:
            case Decider():
                return by
            case RuleSet():
                return cls._by_rules(by)
            case Registry():
                everything = Options(always_check_all_predicates=True)
                rules = RuleSet(by.predicates.values(), by.priorities.values(), everything)
                return cls._by_rules(rules)
            case GenericScheduler() | Scheduler():
                return evolve(cls._by_rules(by.profile), make=partial(_like, by))
        raise OptionError(f"{by!r} decides nothing (expected a profile, registry or scheduler)")

    @classmethod
    def _by_rules(cls, rules: RuleSet) -> "Decider":
        return cls(rules=rules, alone={spec.name: spec for spec in rules.predicates})

    def scheduler(self, cluster: Cluster) -> GenericScheduler:
        """Return a scheduler that decides about a cluster, and has not decided yet."""
        return self.make(cluster, self.rules)


DecidesBy: TypeAlias = RuleSet | Registry | GenericScheduler | Scheduler | Decider
"""Who decides: rules such as a profile's, all rules of a registry, or somebody's own scheduler."""


def _like(model: GenericScheduler | Scheduler, cluster: Cluster, _: RuleSet) -> GenericScheduler:
    """Return a scheduler that is set up like another one, and shares nothing that changes."""
    select, cache = deepcopy(model.select), model.equivalence_cache
    fresh = None if cache is None else evolve(cache)
    if isinstance(model, GenericScheduler):
        return evolve(model, cluster=cluster, select=select, equivalence_cache=fresh, observe=None)
    return GenericScheduler(
        cluster, model.profile, select=select, workers=model.workers, equivalence_cache=fresh
    )
