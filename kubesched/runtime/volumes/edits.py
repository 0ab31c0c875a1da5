"""Several changes of the cluster, of which all are made or none."""

from collections.abc import Iterable

from attrs import frozen

from kubesched.errors import ClusterError
from kubesched.model import KubeObject
from kubesched.state import Cluster


@frozen
class Edit:
    """What is to become of an object; there is no `before` if it is to be added."""

    before: KubeObject | None
    after: KubeObject

    def make(self, cluster: Cluster) -> None:
        """Make the change, if there is any.

        Raises:
            ClusterError: the object is no longer what it was when the change was thought out.
        """
        if self.before is None:
            cluster.add(self.after)
            return
        if cluster.of_kind(type(self.before)).get(self.before.key) is not self.before:
            raise ClusterError(self.before.key, f"the {self.before.kind} has changed meanwhile")
        if self.after != self.before:
            cluster.update(self.after)

    def take_back(self, cluster: Cluster) -> None:
        """Make the change undone."""
        if self.before is None:
            cluster.remove(self.after)
        elif self.after != self.before:
            cluster.update(self.before)


def make_all(edits: Iterable[Edit], cluster: Cluster) -> None:
    """Make all changes, in their order.

    Raises:
        ClusterError: one cannot be made; those before it have been taken back.
    """
    done: list[Edit] = []
    try:
        for edit in edits:
            edit.make(cluster)
            done.append(edit)
    except ClusterError:
        for edit in reversed(done):
            edit.take_back(cluster)
        raise
