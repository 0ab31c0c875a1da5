"""Writing into a pod's status how far scheduling has come.

Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (podConditionUpdater),
pkg/api/v1/pod/util.go (UpdatePodCondition) and pkg/scheduler/scheduler.go, for the reasons.
"""

from typing import Final, Protocol

from attrs import define, evolve

from kubesched.model import Pod, PodCondition
from kubesched.state import Cluster

POD_SCHEDULED: Final = "PodScheduled"
"""The type of the condition that says whether a pod has a node."""


class PodConditionUpdater(Protocol):
    """Writes a condition into a pod's status."""

    def update_condition(self, pod: Pod, condition: PodCondition, /) -> None:
        """Put the condition in the place of the pod's condition of the same type, if any.

        Raises:
            Exception: it cannot be written; scheduling goes on without.
        """
        ...


@define(eq=False)
class InMemoryPodConditionUpdater:
    """Writes conditions into the pods of a `Cluster`; it may be called from any thread.

    >>> from kubesched.builders import pod
    >>> cluster = Cluster.of([pod("web-1")])
    >>> web = cluster.pods["default/web-1"]
    >>> updater = InMemoryPodConditionUpdater(cluster)
    >>> updater.update_condition(web, not_scheduled("Unschedulable", "no nodes available"))
    >>> [each.reason for each in cluster.pods["default/web-1"].status.conditions]
    ['Unschedulable']
    """

    cluster: Cluster

    def update_condition(self, pod: Pod, condition: PodCondition, /) -> None:
        """Put the condition into the latest of the pod; nothing happens if that is gone."""
        self.cluster.change_pod(pod.metadata, lambda latest: with_condition(latest, condition))


def not_scheduled(reason: str, message: str = "") -> PodCondition:
    """Return the condition that a pod was not scheduled.

    Args:
        reason: where the attempt ended, by the original's word: Unschedulable, SchedulerError,
            VolumeBindingFailed or BindingRejected.
        message: what went wrong; the original gives none where binding failed.
    """
    return PodCondition(type=POD_SCHEDULED, status="False", reason=reason, message=message)


def with_condition(pod: Pod, condition: PodCondition) -> Pod:
    """Return the pod with a condition in the place of its condition of the same type, if any.

    As long as the status stays the same, so does the time of the last transition.

    Differs: no time is filled in, a cluster in memory knows none; so a condition that says the same
    again changes nothing.
    """
    known = {each.type: each for each in pod.status.conditions}
    before = known.get(condition.type)
    if before is not None and before.status == condition.status:
        condition = evolve(condition, last_transition_time=before.last_transition_time)
    known[condition.type] = condition
    return evolve(pod, status=evolve(pod.status, conditions=tuple(known.values())))
