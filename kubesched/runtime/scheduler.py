"""The loop: take the next pod, decide, act on the decision, take the next.

What happens to a pod::

        pop ──► skipped: gone, being deleted, placed already
         │
         ▼          no node, or no answer
      schedule ───────────────────────────────► put back ──► make room, if that helps
         │                                         ▲
         ▼             failure                     │
    assume volumes ────────────────────────────────┤
         │                                         │
         ▼             failure                     │
    assume the pod ────────────────────────────────┤
         │                                         │
         ▼             failure, or out of time     │
    bind volumes ─────── forget the pod ───────────┤
         │                                         │
         ▼             failure, or out of time     │
    bind the pod ─────── forget the pod ───────────┘
         │
         ▼
       bound

The last two steps may run on other threads. Whatever is outside and fails, fails for one pod.

Source: kubernetes v1.12.2, pkg/scheduler/scheduler.go (scheduleOne, schedule, preempt, assume,
assumeVolumes, bindVolumes, bind), pkg/scheduler/factory/factory.go (MakeDefaultErrorFunc).
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from logging import getLogger
from threading import Event as StopEvent, Thread
from typing import Any, Final

from attrs import Factory, define, field

from kubesched.engine import (
    Decision,
    EquivalenceCache,
    FitError,
    GenericScheduler,
    HostSelector,
    Preemption,
    RoundRobin,
    Workers,
)
from kubesched.errors import ClusterError
from kubesched.framework import RuleSet
from kubesched.model import Pod
from kubesched.plugins.volume_binding import CHECK_VOLUME_BINDING
from kubesched.runtime.binder import Binder, InMemoryBinder
from kubesched.runtime.bindings import BIND_TIMEOUT, Bindings
from kubesched.runtime.clock import Clock, RealClock
from kubesched.runtime.conditions import (
    InMemoryPodConditionUpdater,
    PodConditionUpdater,
    not_scheduled,
)
from kubesched.runtime.events import Event, EventRecorder, InMemoryEventRecorder
from kubesched.runtime.metrics import Metrics
from kubesched.runtime.ours import DEFAULT_SCHEDULER, DeletedPodError, is_for
from kubesched.runtime.outcome import Outcome, Result
from kubesched.runtime.preemptor import InMemoryPodPreemptor, PodPreemptor
from kubesched.runtime.queue import PriorityQueue, QueuedPod, SchedulingQueue, tell_queue
from kubesched.runtime.volumes import InMemoryVolumeBinder, VolumeBinder
from kubesched.state import Change, Cluster

_LOGGER: Final = getLogger("kubesched.runtime")

_KEEPS_TIME_EVERY: Final = 1.0
"""Seconds. Source: kubernetes v1.12.2, pkg/scheduler/cache/cache.go, cleanAssumedPeriod."""


@define(eq=False)
class _Underway:
    """A pod between its decision and the end of its binding."""

    decision: Decision
    cycle: int
    started: float
    assumed_at: float = 0.0
    outcome: Outcome | None = None  # known as soon as its binding is over


def _on_cluster(make: Callable[[Cluster], Any]) -> Any:
    """Return what makes a field's default of the scheduler's cluster."""
    return Factory(lambda scheduler: make(scheduler.cluster), takes_self=True)


def _by_clock(make: Callable[[Clock], Any]) -> Any:
    """Return what makes a field's default of the scheduler's clock."""
    return Factory(lambda scheduler: make(scheduler.clock), takes_self=True)


@define(eq=False)
class Scheduler:
    """Schedules the pods of a cluster that wait for a scheduler of its name.

    It listens to the cluster: pods that come, change and go are queued, and what may help a pod
    that found no place has it tried again. Several schedulers of different names may share one
    cluster; each sees the others' assumed pods.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.config import Profile
    >>> cluster = Cluster.of([node("worker-1", cpu=2), pod("web-1", cpu=1)])
    >>> scheduler = Scheduler(cluster, Profile.default())
    >>> [(str(outcome.pod), str(outcome.result)) for outcome in scheduler.run_until_idle()]
    [('default/web-1', 'Bound')]

    Attributes:
        cluster: the cluster.
        profile: the rules.
        name: whose pods are scheduled.
        clock: tells the time.
        binder: binds pods; it acts on the cluster itself if nothing is given, as do all of these.
        volume_binder: gives pods the volumes that they wait for.
        conditions: writes into a pod's status why it has no node.
        preemptor: evicts pods, and nominates those that they make room for.
        recorder: takes note of events.
        queue: where pods wait; one of three parts if nothing is given.
        select: picks among nodes that are equally good.
        workers: threads that may help to decide.
        equivalence_cache: remembers verdicts, if given.
        binding_threads: how many pods are bound at once, elsewhere; 0 binds before the next pod.
            Or the pool that binds them; it stays open.
        bind_timeout: seconds after which a binding is given up.
        metrics: counts.
        observer: called with every outcome, also of bindings that end elsewhere: first with one
            that says that it has begun, and then, on whatever thread, with one that says how.
    """

    cluster: Cluster
    profile: RuleSet
    name: str = field(default=DEFAULT_SCHEDULER, kw_only=True)
    clock: Clock = field(factory=RealClock, kw_only=True)
    binder: Binder = field(default=_on_cluster(InMemoryBinder), kw_only=True)
    volume_binder: VolumeBinder = field(default=_on_cluster(InMemoryVolumeBinder), kw_only=True)
    conditions: PodConditionUpdater = field(
        default=_on_cluster(InMemoryPodConditionUpdater), kw_only=True
    )
    preemptor: PodPreemptor = field(default=_on_cluster(InMemoryPodPreemptor), kw_only=True)
    recorder: EventRecorder = field(default=_by_clock(InMemoryEventRecorder), kw_only=True)
    queue: SchedulingQueue = field(default=_by_clock(PriorityQueue), kw_only=True)
    select: HostSelector = field(factory=RoundRobin, kw_only=True)
    workers: Workers | int = field(factory=Workers, kw_only=True)
    equivalence_cache: EquivalenceCache | None = field(default=None, kw_only=True)
    binding_threads: Executor | int = field(default=0, kw_only=True)
    bind_timeout: float = field(default=BIND_TIMEOUT, kw_only=True)
    metrics: Metrics = field(factory=Metrics, kw_only=True)
    observer: Callable[[Outcome], object] | None = field(default=None, kw_only=True)
    _algorithm: GenericScheduler = field(init=False)
    _bindings: Bindings = field(init=False)
    _unsubscribe: Callable[[], None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._algorithm = GenericScheduler(
            self.cluster,
            self.profile,
            select=self.select,
            workers=self.workers,
            equivalence_cache=self.equivalence_cache,
        )
        self._bindings = Bindings(
            self.binder,
            self.volume_binder,
            self.clock,
            extenders=self.profile.extenders,
            timeout=self.bind_timeout,
            threads=self.binding_threads,
        )
        if self.equivalence_cache is not None:
            self.metrics.include_cache(self.equivalence_cache)
        self._unsubscribe = self.cluster.subscribe(self._hear)
        for pod in self.cluster.pending.values():
            self._if_it_waits(pod, self.queue.add)

    # -- running -------------------------------------------------------------------------------

    def schedule_one(self, *, block: bool = True) -> Outcome | None:
        """Take the next pod and do all that can be done about it now.

        Args:
            block: whether to wait for a pod while none is to be tried.

        Returns:
            What became of it; None if there was none, or the queue is closed.
        """
        self.keep_time()
        queued = self.queue.pop(block=block)
        if queued is None:
            return None
        outcome = self._attempt(queued)
        if outcome.result is not Result.BINDING:
            self._observe(outcome)
        return outcome

    def run_until_idle(self) -> Iterator[Outcome]:
        """Schedule until no pod is to be tried now, and tell what became of each.

        Those that wait for time to pass or for something to change go on waiting.
        """
        while (outcome := self.schedule_one(block=False)) is not None:
            yield outcome

    def run(self, stop: StopEvent) -> None:
        """Schedule until `stop` is set; for a thread of its own.

        Then no more pods are taken, and bindings under way may finish: those that have not when
        the time for bindings is over are forgotten. Its queue is closed: it runs once.
        """
        keeper = Thread(target=self._keep_time_until, args=(stop,), daemon=True)
        keeper.start()
        try:
            while not stop.is_set() and self.schedule_one() is not None:
                pass
        finally:
            stop.set()
            keeper.join()
            self.close()

    def close(self) -> None:
        """Take no more pods, let bindings under way finish, and stop listening to the cluster."""
        self.queue.close()
        self._bindings.close(self.bind_timeout)
        self._unsubscribe()

    def keep_time(self) -> None:
        """Do what time alone makes due: overdue bindings and assumed pods are given up.

        `schedule_one` does so, too, and `run` every second; somebody who waits long between pods
        may want to call it.
        """
        self._bindings.give_up_overdue()
        for expired in self.cluster.expire(self.clock.now()):
            _LOGGER.warning("pod %s was never seen bound to %s", expired.key, expired.node_name)

    # -- one pod -------------------------------------------------------------------------------

    def _attempt(self, queued: QueuedPod) -> Outcome:
        pod, started = self.cluster.pending.get(queued.pod.key), self.clock.now()
        if pod is None or not self._is_ours(pod):
            return Outcome(queued.pod, Result.SKIPPED)
        if pod.is_terminating:
            error = DeletedPodError(pod)
            self._record(Event.failed_scheduling(pod, str(error)))
            return Outcome(pod, Result.SKIPPED, error=error)
        try:
            decision = self._algorithm.schedule(pod)
        except Exception as error:  # noqa: BLE001 - whatever a rule or an extender does, the loop goes on
            return self._unschedulable(pod, error, queued.cycle)
        finally:
            self.metrics.observe_algorithm(self.clock.now() - started)
        return self._place(pod, decision, _Underway(decision, queued.cycle, started))

    def _unschedulable(self, pod: Pod, error: Exception, cycle: int) -> Outcome:
        is_refused = isinstance(error, FitError)
        self.metrics.count_attempt("unschedulable" if is_refused else "error")
        self._fail(
            pod, Result.UNSCHEDULABLE, error, Event.failed_scheduling(pod, str(error)), cycle
        )
        preemption = self._make_room(pod, error) if isinstance(error, FitError) else None
        return Outcome(pod, Result.UNSCHEDULABLE, error=error, preemption=preemption)

    def _place(self, pod: Pod, decision: Decision, underway: _Underway) -> Outcome:
        """Assume a pod and its volumes, and have it bound."""
        node, looks_at_volumes = decision.node, CHECK_VOLUME_BINDING in self.profile.predicates
        what = "AssumePodVolumes"
        try:
            are_bound = not looks_at_volumes or self.volume_binder.assume_pod_volumes(pod, node)
            what = "AssumePod"
            assumed = self._assume(pod, node)
        except Exception as error:  # noqa: BLE001 - it fails for this pod alone
            if what == "AssumePod":
                self._forget_volumes(pod)
            self.metrics.count_attempt("error")
            event = Event.failed_scheduling(pod, f"{what} failed: {error}")
            self._fail(pod, Result.SCHEDULER_ERROR, error, event, underway.cycle)
            return Outcome(pod, Result.SCHEDULER_ERROR, decision=decision, error=error)
        self._leave_queue(pod)
        underway.assumed_at = self.clock.now()
        ended = partial(self._binding_ended, assumed, underway)
        begun = Outcome(pod, Result.BINDING, node, decision)
        if self._binds_elsewhere:
            self._observe(begun)  # its end may come before anything else is done
        self._bindings.start(assumed, ended, are_volumes_bound=are_bound)
        return begun if self._binds_elsewhere else underway.outcome or begun

    def _assume(self, pod: Pod, node: str) -> Pod:
        """Assume a pod as it was tried; one that went meanwhile must not come back by that."""

        def assume(latest: Pod) -> Pod:
            self.cluster.assume(pod, node)
            return latest

        if self.cluster.change_pod(pod.metadata, assume) is None:
            raise ClusterError(pod.key, "the pod is not there")
        return pod.bound_to(node)

    def _leave_queue(self, pod: Pod) -> None:
        """Have the queue forget a pod that has been assumed."""
        if self.queue.part_of(pod) is None:
            self.queue.withdraw_nomination(pod)
        else:  # it changed while it was being tried
            self.queue.delete(pod)

    def _binding_ended(
        self, assumed: Pod, underway: _Underway, result: Result, error: Exception | None
    ) -> None:
        """Act on the end of a binding, on whatever thread that was found out."""
        now = self.clock.now()
        self.metrics.observe_step("binding", now - underway.assumed_at)
        self.metrics.observe_end_to_end(now - underway.started)
        self.metrics.count_attempt("error" if error else "scheduled")
        self.cluster.finish_binding(assumed, now)
        if error is None:
            self._record(Event.scheduled(assumed, assumed.node_name))
            outcome = Outcome(assumed, result, assumed.node_name, underway.decision)
        else:
            self._roll_back(assumed, result, error, underway.cycle)
            outcome = Outcome(assumed, result, decision=underway.decision, error=error)
        underway.outcome = outcome
        if self._binds_elsewhere:
            self._observe(outcome)

    def _roll_back(self, assumed: Pod, result: Result, error: Exception, cycle: int) -> None:
        """Take back that a pod was given a node."""
        with suppress(ClusterError):  # it is gone, or has been seen bound after all
            self.cluster.forget(assumed)
        self._forget_volumes(assumed)
        if result is Result.BINDING_REJECTED:
            event = Event.normal(assumed, "FailedScheduling", f"Binding rejected: {error}")
        else:
            event = Event.failed_scheduling(assumed, str(error))
        self._fail(assumed, result, error, event, cycle)

    def _fail(self, pod: Pod, result: Result, error: Exception, event: Event, cycle: int) -> None:
        """Have a pod wait again, and tell why."""
        _LOGGER.info("pod %s: %s: %s", pod.key, result, error, extra={"pod": pod.key})
        self._if_it_waits(pod, lambda latest: self.queue.add_unschedulable(latest, cycle))
        self._record(event)
        try:
            self.conditions.update_condition(pod, not_scheduled(result.value, str(error)))
        except Exception:
            _LOGGER.exception("the condition of pod %s could not be updated", pod.key)

    def _if_it_waits(self, pod: Pod, act: Callable[[Pod], object]) -> None:
        """Act on a pod as it is now, if it still waits for us; it cannot change meanwhile."""

        def unchanged(latest: Pod) -> Pod:
            if self._is_ours(latest) and not self.cluster.is_assumed(latest):
                act(latest)
            return latest

        self.cluster.change_pod(pod.metadata, unchanged)

    # -- making room ---------------------------------------------------------------------------

    def _make_room(self, pod: Pod, error: FitError) -> Preemption | None:
        """Find out who would have to leave, and have them leave."""
        options, started = self.profile.options, self.clock.now()
        if options.disable_preemption or not options.pod_priority:
            return None
        try:
            preemption = self._algorithm.preempt(self.preemptor.updated_pod(pod), error)
            self._evict(preemption)
        except Exception:
            _LOGGER.exception("no room could be made for pod %s", pod.key)
            return None
        finally:
            self.metrics.observe_step("preemption_evaluation", self.clock.now() - started)
        return preemption

    def _evict(self, preemption: Preemption) -> None:
        """Nominate a pod to its node, and delete those who have to leave it."""
        pod, node = preemption.pod, preemption.node
        self.metrics.count_preemption(len(preemption.victims))
        if node is not None:
            self._nominate(pod, node)
            for victim in preemption.victims:
                self.preemptor.delete_pod(victim)
                self._record(Event.preempted(victim, pod, node))
        for each in preemption.withdrawn:
            self._withdraw_nomination(each)

    def _nominate(self, pod: Pod, node: str) -> None:
        self._if_it_waits(pod, lambda latest: self.queue.nominate(latest, node))
        try:
            self.preemptor.set_nominated_node(pod, node)
        except Exception:
            self.queue.withdraw_nomination(pod)
            raise

    def _withdraw_nomination(self, pod: Pod) -> None:
        self.queue.withdraw_nomination(pod)
        try:
            self.preemptor.remove_nominated_node(pod)
        except Exception:
            _LOGGER.exception("the nomination of pod %s could not be withdrawn", pod.key)

    # -- the outside ---------------------------------------------------------------------------

    @property
    def _binds_elsewhere(self) -> bool:
        return self.binding_threads != 0

    def _is_ours(self, pod: Pod) -> bool:
        return is_for(pod, self.name)

    def _hear(self, change: Change) -> None:
        tell_queue(self.queue, change, is_ours=self._is_ours)

    def _keep_time_until(self, stop: StopEvent) -> None:
        """Keep time while the loop waits for a pod, and let it go in the end."""
        try:
            while not stop.wait(_KEEPS_TIME_EVERY):
                self.keep_time()
        finally:
            self.queue.close()

    def _forget_volumes(self, pod: Pod) -> None:
        try:
            self.volume_binder.forget_pod_volumes(pod)
        except Exception:
            _LOGGER.exception("the volumes of pod %s could not be forgotten", pod.key)

    def _record(self, event: Event) -> None:
        try:
            self.recorder.record(event)
        except Exception:
            _LOGGER.exception("an event could not be recorded: %s", event.message)

    def _observe(self, outcome: Outcome) -> None:
        if self.observer is None:
            return
        try:
            self.observer(outcome)
        except Exception:
            _LOGGER.exception("the observer failed on pod %s", outcome.pod.key)
