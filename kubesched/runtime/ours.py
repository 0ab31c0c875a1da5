"""Whose pods are whose, and which of them are scheduled at all."""

from typing import Final

from kubesched.errors import SchedulingError
from kubesched.model import Pod

DEFAULT_SCHEDULER: Final = "default-scheduler"
"""The scheduler that places a pod which names none."""


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
