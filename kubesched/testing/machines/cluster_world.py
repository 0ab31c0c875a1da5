"""A cluster beside its model, and what its listener was told and should have been."""

from collections.abc import Callable
from typing import TypeAlias

from attrs import define, field

from kubesched.errors import ClusterError
from kubesched.model import KubeObject
from kubesched.state import Change, Cluster
from kubesched.testing.machines.naive_cluster import NaiveCluster

Told: TypeAlias = tuple[str, KubeObject | None, KubeObject | None]
"""What happened, and the object before and after."""


@define
class World:
    """A cluster, its model, and its listener.

    Attributes:
        cluster: the cluster.
        model: the model.
        told: what the listener was told.
        expected: what it should have been told.
        odd: what the cluster allowed that the model does not, or the other way round.
    """

    cluster: Cluster = field(factory=Cluster)
    model: NaiveCluster = field(factory=NaiveCluster)
    told: list[Told] = field(factory=list)
    expected: list[Told] = field(factory=list)
    odd: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.cluster.subscribe(self._listen)

    def _listen(self, change: Change) -> None:
        self.told.append((change.action, change.before, change.after))

    def copy(self) -> "World":
        """Return another one that goes its own way."""
        return World(self.cluster.copy(), self.model.copy())

    def happens(
        self, *, allowed: bool, change: Callable[[], object], told: Told | None = None
    ) -> None:
        """Make a change that the model allows or does not.

        Args:
            allowed: whether the model does.
            change: makes the change.
            told: what the listener is to be told of it, if it is made.
        """
        try:
            change()
        except ClusterError as error:
            if allowed:
                self.odd.append(f"a change was refused: {error}")
        else:
            if not allowed:
                self.odd.append(f"a change was made that is not allowed: {told}")
        if allowed and told:
            self.expected.append(told)
