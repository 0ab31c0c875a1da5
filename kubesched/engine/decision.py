"""What was decided for a pod, and on what evidence."""

from collections.abc import Mapping
from functools import cached_property

from attrs import field, frozen

from kubesched.engine.scoring import Scored
from kubesched.framework import Reason
from kubesched.model import Pod


@frozen(eq=False)
class Decision:
    """A node for a pod, with the evidence.

    Attributes:
        pod: the pod.
        node: the name of the node that it is to go to.
        feasible: the names of the nodes that fit, in the order in which they were found.
        refusals: why each node does not fit, by name; a node that was not looked at, because enough
            others fit, is in neither.
    """

    pod: Pod
    node: str
    feasible: tuple[str, ...]
    refusals: Mapping[str, tuple[Reason, ...]]
    _scored: Scored | None = field(default=None, repr=False)

    @cached_property
    def scores(self) -> Mapping[str, Mapping[str, int]]:
        """The score of each node by each priority (`scores[priority][node]`), 0..10, not weighted.

        Empty if only one node fits: it is taken without being scored.
        """
        if self._scored is None:
            return {}
        return {
            name: dict(zip(self.feasible, column, strict=True))
            for name, column in self._scored.columns.items()
        }

    @cached_property
    def totals(self) -> Mapping[str, int]:
        """The weighted sum of each node's scores; empty if only one node fits."""
        if self._scored is None:
            return {}
        return dict(zip(self.feasible, self._scored.totals, strict=True))

    @property
    def score(self) -> int | None:
        """The total of the node that was taken; None if it was the only one that fits."""
        return self.totals.get(self.node)

    @property
    def top(self) -> tuple[str, ...]:
        """The names of the nodes that share the highest total, sorted; empty without scores."""
        if not self.totals:
            return ()
        highest = max(self.totals.values())
        return tuple(sorted(name for name, total in self.totals.items() if total == highest))
