"""How the scheduler is set up whose answers are compared; none of it may change an answer."""

from contextlib import suppress
from typing import Final

from attrs import define, field, frozen

from kubesched.engine import (
    Decision,
    EquivalenceCache,
    FirstByName,
    GenericScheduler,
    Workers,
)
from kubesched.errors import SchedulingError
from kubesched.framework import RuleSet
from kubesched.model import Pod
from kubesched.state import Cluster, Snapshot

TIMES_TO_BE_REMEMBERED: Final = 2
"""The first pod of a class is not remembered, the second is."""


@define(eq=False)
class Rehearsed(GenericScheduler):
    """Decides about a pod again and again until it remembers it, and then once more."""

    def schedule(self, pod: Pod, snapshot: Snapshot | None = None) -> Decision:
        for _ in range(TIMES_TO_BE_REMEMBERED if self.equivalence_cache else 0):
            with suppress(SchedulingError):
                super().schedule(pod, snapshot)
        return super().schedule(pod, snapshot)


@frozen
class Setting:
    """Who does the work, and whether verdicts are remembered."""

    workers: Workers = field(factory=lambda: Workers(1))
    remembers: bool = False

    def scheduler(self, cluster: Cluster, rules: RuleSet) -> GenericScheduler:
        """Return a scheduler that is set up so; of tied nodes it takes the first by name."""
        return self._made(GenericScheduler, cluster, rules)

    def rehearsed(self, cluster: Cluster, rules: RuleSet) -> GenericScheduler:
        """Return the same, but what it says has been remembered if anything is."""
        return self._made(Rehearsed, cluster, rules)

    def _made(
        self, kind: type[GenericScheduler], cluster: Cluster, rules: RuleSet
    ) -> GenericScheduler:
        cache = EquivalenceCache() if self.remembers else None
        return kind(
            cluster, rules, select=FirstByName(), workers=self.workers, equivalence_cache=cache
        )
