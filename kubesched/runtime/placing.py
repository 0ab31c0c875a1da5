"""Placing a pod that a node was found for: assume it, have it bound, take it back if that fails.

Source: kubernetes v1.12.2, pkg/scheduler/scheduler.go (assumeVolumes, assume, bindVolumes, bind).
"""

from contextlib import suppress
from functools import partial

from attrs import define, frozen

from kubesched.engine import Decision
from kubesched.errors import ClusterError
from kubesched.model import Pod
from kubesched.runtime.bindings import Bindings
from kubesched.runtime.clock import Clock
from kubesched.runtime.events import Event
from kubesched.runtime.failures import Failures
from kubesched.runtime.log_failure import log_failure
from kubesched.runtime.metrics import Metrics
from kubesched.runtime.outcome import Outcome, Result
from kubesched.runtime.queue import SchedulingQueue
from kubesched.runtime.reports import Reports
from kubesched.runtime.volumes import VolumeBinder
from kubesched.state import Cluster


@define(eq=False)
class Underway:
    """A pod between its decision and the end of its binding.

    Attributes:
        decision: the decision.
        cycle: the scheduling cycle in which it was made.
        started: the clock's time when the attempt began.
        outcome: what became of it, as soon as its binding is over.
    """

    decision: Decision
    cycle: int
    started: float
    outcome: Outcome | None = None


@frozen(eq=False)
class Placing:
    """Puts pods on nodes, as far as the cluster and whoever binds let it.

    Attributes:
        cluster: where pods are assumed.
        queue: forgets pods that have been.
        volume_binder: keeps their volumes for them; None if nobody looks at volumes.
        bindings: binds them.
        failures: what is done about those that could not be placed.
        reports: tells.
        metrics: counts.
        clock: tells the time.
    """

    cluster: Cluster
    queue: SchedulingQueue
    volume_binder: VolumeBinder | None
    bindings: Bindings
    failures: Failures
    reports: Reports
    metrics: Metrics
    clock: Clock

    def place(self, pod: Pod, underway: Underway) -> Outcome:
        """Assume a pod and its volumes on the node that was found, and have it bound.

        Returns:
            What became of it; that it is being bound, if others do that.
        """
        node, are_volumes_bound, step = underway.decision.node, True, "AssumePodVolumes"
        try:
            are_volumes_bound = self._assume_volumes(pod, node)
            step = "AssumePod"
            assumed = self._assume(pod, node)
        except Exception as error:  # noqa: BLE001 - it fails for this pod alone
            if step == "AssumePod":
                self._forget_volumes(pod)
            return self._not_assumed(pod, underway, error, f"{step} failed: {error}")
        self._leave_queue(pod)
        return self._bind(assumed, underway, are_volumes_bound=are_volumes_bound)

    # -- assuming ------------------------------------------------------------------------------

    def _assume_volumes(self, pod: Pod, node: str) -> bool:
        if self.volume_binder is None:
            return True
        with self.metrics.timing_volumes("assume", self.clock):
            return self.volume_binder.assume_pod_volumes(pod, node)

    def _assume(self, pod: Pod, node: str) -> Pod:
        """Assume a pod as it was tried; one that went meanwhile must not come back by that."""

        def assume(latest: Pod) -> Pod:
            self.cluster.assume(pod, node)
            return latest

        if self.cluster.change_pod(pod.metadata, assume) is None:
            raise ClusterError(pod.key, "the pod is not there")
        return pod.bound_to(node)

    def _not_assumed(self, pod: Pod, underway: Underway, error: Exception, message: str) -> Outcome:
        self.metrics.count_attempt("error")
        result, cycle = Result.SCHEDULER_ERROR, underway.cycle
        self.failures.put_back(pod, result, error, message=message, cycle=cycle)
        return Outcome(pod, result, decision=underway.decision, error=error)

    def _leave_queue(self, pod: Pod) -> None:
        """Have the queue forget a pod that has been assumed."""
        if self.queue.part_of(pod) is None:
            self.queue.withdraw_nomination(pod)
        else:  # it changed while it was being tried
            self.queue.delete(pod)

    # -- binding -------------------------------------------------------------------------------

    def _bind(self, assumed: Pod, underway: Underway, *, are_volumes_bound: bool) -> Outcome:
        begun = Outcome(assumed, Result.BINDING, assumed.node_name, underway.decision)
        if self.bindings.are_elsewhere:
            self.reports.outcome(begun)  # its end may come before anything else is done
        ended = partial(self._binding_ended, assumed, underway)
        self.bindings.start(assumed, ended, are_volumes_bound=are_volumes_bound)
        return begun if self.bindings.are_elsewhere else underway.outcome or begun

    def _binding_ended(
        self, assumed: Pod, underway: Underway, result: Result, error: Exception | None
    ) -> None:
        """Act on the end of a binding, on whatever thread that was found out."""
        now, node = self.clock.now(), assumed.node_name
        self.metrics.count_attempt("error" if error else "scheduled")
        if result is not Result.VOLUME_BINDING_FAILED:
            self.metrics.observe_end_to_end(now - underway.started)
        self.cluster.finish_binding(assumed, now)
        if error is None:
            self.reports.event(Event.scheduled(assumed, node))
            underway.outcome = Outcome(assumed, result, node, underway.decision)
        else:
            self._roll_back(assumed, result, error, underway.cycle)
            underway.outcome = Outcome(assumed, result, None, underway.decision, error)
        if self.bindings.are_elsewhere:
            self.reports.outcome(underway.outcome)

    def _roll_back(self, assumed: Pod, result: Result, error: Exception, cycle: int) -> None:
        """Take back that a pod was given a node."""
        with suppress(ClusterError):  # it is gone, or has been seen bound after all
            self.cluster.forget(assumed)
        self._forget_volumes(assumed)
        is_rejected = result is Result.BINDING_REJECTED
        message = f"Binding rejected: {error}" if is_rejected else str(error)
        self.failures.put_back(assumed, result, error, message=message, cycle=cycle)

    def _forget_volumes(self, pod: Pod) -> None:
        if self.volume_binder is not None:
            with log_failure("the volumes of pod %s could not be forgotten", pod):
                self.volume_binder.forget_pod_volumes(pod)
