"""How the scheduler is set up whose answers are compared; none of it may change an answer."""

from attrs import field, frozen

from kubesched.engine import EquivalenceCache, FirstByName, GenericScheduler, Workers
from kubesched.framework import RuleSet
from kubesched.state import Cluster


@frozen
class Setting:
    """Who does the work, and whether verdicts are remembered."""

    workers: Workers = field(factory=lambda: Workers(1))
    remembers: bool = False

    def scheduler(self, cluster: Cluster, rules: RuleSet) -> GenericScheduler:
        """Return a scheduler that is set up so; of tied nodes it takes the first by name."""
        cache = EquivalenceCache() if self.remembers else None
        return GenericScheduler(
            cluster, rules, select=FirstByName(), workers=self.workers, equivalence_cache=cache
        )
