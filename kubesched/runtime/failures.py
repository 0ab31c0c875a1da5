"""Attempts that failed: the pod waits again, and its user is told why.

Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (MakeDefaultErrorFunc) and
pkg/scheduler/scheduler.go, which calls it `Error`.
"""

from logging import getLogger
from typing import Final

from attrs import frozen

from kubesched.model import Pod
from kubesched.runtime.events import Event
from kubesched.runtime.ours import OurPods
from kubesched.runtime.outcome import Result
from kubesched.runtime.queue import SchedulingQueue
from kubesched.runtime.reports import Reports

_LOGGER: Final = getLogger("kubesched.runtime")


@frozen(eq=False)
class Failures:
    """What is done about a pod whose attempt failed, wherever it did.

    Attributes:
        ours: the pods that may be in the queue.
        queue: where they wait.
        reports: tells why they do.
    """

    ours: OurPods
    queue: SchedulingQueue
    reports: Reports

    def put_back(
        self, pod: Pod, result: Result, error: Exception, *, message: str, cycle: int
    ) -> None:
        """Have a pod wait again, unless it has gone or been placed meanwhile, and tell why.

        Args:
            pod: the pod.
            result: how the attempt ended.
            error: what went wrong; its text stands in the pod's condition.
            message: the same for the event.
            cycle: the scheduling cycle in which the pod was tried.
        """
        _LOGGER.info(
            "pod %s: %s: %s",
            pod.key,
            result,
            error,
            extra={"pod": pod.key, "result": str(result), "cycle": cycle},
        )
        self.ours.if_it_waits(pod, lambda latest: self.queue.add_unschedulable(latest, cycle))
        self.reports.event(Event.failed_scheduling(pod, message))
        if self.ours.latest(pod) is not None:  # one that is bound after all has a node
            self.reports.condition(pod, result.value, str(error))
