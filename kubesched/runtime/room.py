"""Making room for a pod that fits nowhere: what preemption finds out is acted on.

Source: kubernetes v1.12.2, pkg/scheduler/scheduler.go, preempt.
"""

from logging import getLogger
from typing import Final

from attrs import frozen

from kubesched.engine import FitError, GenericScheduler, Preemption
from kubesched.model import Pod
from kubesched.runtime.events import Event
from kubesched.runtime.log_failure import log_failure
from kubesched.runtime.metrics import Metrics
from kubesched.runtime.ours import OurPods
from kubesched.runtime.preemptor import PodPreemptor
from kubesched.runtime.queue import SchedulingQueue
from kubesched.runtime.reports import Reports

_LOGGER: Final = getLogger("kubesched.runtime")


@frozen(eq=False)
class RoomMaker:
    """Finds out who would have to leave for a pod, and has them leave.

    Attributes:
        algorithm: finds out.
        preemptor: evicts and nominates.
        ours: the pods that may be nominated.
        queue: keeps the nominations that the cluster does not know yet.
        reports: tells the victims.
        metrics: counts.
    """

    algorithm: GenericScheduler
    preemptor: PodPreemptor
    ours: OurPods
    queue: SchedulingQueue
    reports: Reports
    metrics: Metrics

    def make_room(self, pod: Pod, error: FitError) -> Preemption | None:
        """Make room for a pod, or try to.

        Returns:
            Who had to leave, and for which node; None if that could not be found out or done to its
            end, which is in the log.
        """
        try:
            preemption = self.algorithm.preempt(self.preemptor.updated_pod(pod), error)
            self.metrics.set_victims(len(preemption.victims))
            self._act_on(preemption)
        except Exception:
            _LOGGER.exception("no room could be made for pod %s", pod.key, extra={"pod": pod.key})
            return None
        return preemption

    def _act_on(self, preemption: Preemption) -> None:
        pod, node = preemption.pod, preemption.node
        if node is not None:
            self._nominate(pod, node)
            for victim in preemption.victims:
                self.preemptor.delete_pod(victim)
                self.reports.event(Event.preempted(victim, pod, node))
        for each in preemption.withdrawn:
            self._withdraw_nomination(each)

    def _nominate(self, pod: Pod, node: str) -> None:
        """Promise a node to a pod; that is known here at once, so that the next pod finds it so."""
        before = self.ours.nomination_of(pod)
        self.ours.if_it_waits(pod, lambda latest: self.queue.nominate(latest, node))
        self.ours.change_nomination(pod, before, node)
        try:
            self.preemptor.set_nominated_node(pod, node)
        except Exception:
            self.queue.withdraw_nomination(pod)
            self.ours.change_nomination(pod, node, before)
            raise

    def _withdraw_nomination(self, pod: Pod) -> None:
        self.queue.withdraw_nomination(pod)
        with log_failure("the nomination of pod %s could not be withdrawn", pod):
            self.preemptor.remove_nominated_node(pod)
