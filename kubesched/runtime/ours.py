"""Whose pods are whose, and which of them are scheduled at all."""

from collections.abc import Callable

from attrs import evolve, frozen

from kubesched.errors import SchedulingError
from kubesched.model import Pod
from kubesched.model.pod import DEFAULT_SCHEDULER
from kubesched.state import Cluster


class DeletedPodError(SchedulingError):
    """A pod that is being deleted is not scheduled any more."""

    def __init__(self, pod: Pod) -> None:
        """Say so in the original's words."""
        super().__init__(f"skip schedule deleting pod: {pod.key}")
        self.pod = pod


def is_for(pod: Pod, scheduler_name: str) -> bool:
    """Tell whether a pod waits for the scheduler of this name."""
    waits = not pod.node_name and not pod.is_terminated
    return waits and (pod.spec.scheduler_name or DEFAULT_SCHEDULER) == scheduler_name


@frozen(eq=False)
class OurPods:
    """The pods of a cluster that wait for one scheduler.

    Attributes:
        cluster: the cluster.
        scheduler_name: the scheduler's name.
    """

    cluster: Cluster
    scheduler_name: str

    def __contains__(self, pod: Pod) -> bool:
        """Tell whether a pod, as it is given, waits for the scheduler."""
        return is_for(pod, self.scheduler_name)

    def latest(self, pod: Pod) -> Pod | None:
        """Return the pod of this key as it is now, if it waits for the scheduler; O(1)."""
        latest = self.cluster.pending.get(pod.key)
        return latest if latest is not None and latest in self else None

    def if_it_waits(self, pod: Pod, act: Callable[[Pod], object]) -> None:
        """Act on a pod as it is now, if it still waits; it cannot change meanwhile; O(1)."""

        def unchanged(latest: Pod) -> Pod:
            if latest in self and not self.cluster.is_assumed(latest):
                act(latest)
            return latest

        self.cluster.change_pod(pod.metadata, unchanged)

    def nomination_of(self, pod: Pod) -> str:
        """Return the node that a pod of ours is nominated to, as far as the cluster knows."""
        latest = self.latest(pod)
        return "" if latest is None else latest.status.nominated_node_name

    def change_nomination(self, pod: Pod, before: str, after: str) -> None:
        """Have the cluster hold a pod as nominated to another node, if it still is where it was.

        Whoever feeds the cluster tells it, too, but later; the next decision is not to miss it.
        """

        def renominated(latest: Pod) -> Pod:
            if latest not in self or latest.status.nominated_node_name != before:
                return latest
            return evolve(latest, status=evolve(latest.status, nominated_node_name=after))

        self.cluster.change_pod(pod.metadata, renominated)
