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
from logging import getLogger
from threading import Event as StopEvent, Thread
from typing import Any, Final

from attrs import Factory, define, field

from kubesched.engine import (
    EquivalenceCache,
    FitError,
    GenericScheduler,
    HostSelector,
    Preemption,
    RoundRobin,
    Workers,
)
from kubesched.framework import RuleSet
from kubesched.model import Pod
from kubesched.model.pod import DEFAULT_SCHEDULER
from kubesched.plugins.volume_binding import CHECK_VOLUME_BINDING
from kubesched.runtime.binder import Binder, InMemoryBinder
from kubesched.runtime.bindings import BIND_TIMEOUT, Bindings
from kubesched.runtime.clock import Clock, RealClock
from kubesched.runtime.conditions import (
    InMemoryPodConditionUpdater,
    PodConditionUpdater,
)
from kubesched.runtime.events import Event, EventRecorder, InMemoryEventRecorder
from kubesched.runtime.failures import Failures
from kubesched.runtime.metrics import Metrics
from kubesched.runtime.ours import DeletedPodError, OurPods
from kubesched.runtime.outcome import Outcome, Result
from kubesched.runtime.placing import Placing, Underway
from kubesched.runtime.preemptor import InMemoryPodPreemptor, PodPreemptor
from kubesched.runtime.queue import PriorityQueue, QueuedPod, SchedulingQueue, tell_queue
from kubesched.runtime.reports import Reports
from kubesched.runtime.room import RoomMaker
from kubesched.runtime.volumes import InMemoryVolumeBinder, VolumeBinder
from kubesched.state import Change, Cluster

_LOGGER: Final = getLogger("kubesched.runtime")

_KEEPS_TIME_EVERY: Final = 1.0
"""Seconds. Source: kubernetes v1.12.2, pkg/scheduler/cache/cache.go, cleanAssumedPeriod."""


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

    Differs: pods are bound before the next is taken, unless `binding_threads` says otherwise; the
    original binds each on a thread of its own, and waits for none when it stops. An assumed pod
    that expires is tried again; in the original its room is free, and it is forgotten.

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
    _ours: OurPods = field(init=False)
    _reports: Reports = field(init=False)
    _failures: Failures = field(init=False)
    _algorithm: GenericScheduler = field(init=False)
    _bindings: Bindings = field(init=False)
    _room: RoomMaker = field(init=False)
    _placing: Placing = field(init=False)
    _unsubscribe: Callable[[], None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ours = OurPods(self.cluster, self.name)
        self._reports = Reports(self.recorder, self.conditions, self.observer)
        self._failures = Failures(self._ours, self.queue, self._reports)
        self._algorithm = self._make_algorithm()
        self._bindings = self._make_bindings()
        self._room = RoomMaker(
            self._algorithm, self.preemptor, self._ours, self.queue, self._reports, self.metrics
        )
        self._placing = self._make_placing()
        self._begin()

    def _make_algorithm(self) -> GenericScheduler:
        return GenericScheduler(
            self.cluster,
            self.profile,
            select=self.select,
            workers=self.workers,
            equivalence_cache=self.equivalence_cache,
            observe=self.metrics.observe_step,
            now=self.clock.now,
        )

    def _make_bindings(self) -> Bindings:
        return Bindings(
            self.binder,
            self.volume_binder,
            self.clock,
            self.metrics,
            extenders=self.profile.extenders,
            timeout=self.bind_timeout,
            threads=self.binding_threads,
        )

    def _make_placing(self) -> Placing:
        looks_at_volumes = CHECK_VOLUME_BINDING in self.profile.predicates
        return Placing(
            cluster=self.cluster,
            queue=self.queue,
            volume_binder=self.volume_binder if looks_at_volumes else None,
            bindings=self._bindings,
            failures=self._failures,
            reports=self._reports,
            metrics=self.metrics,
            clock=self.clock,
        )

    def _begin(self) -> None:
        """Listen to the cluster, and queue the pods that wait there already."""
        if self.equivalence_cache is not None:
            self.metrics.include_cache(self.equivalence_cache)
        self._unsubscribe = self.cluster.subscribe(self._hear)
        for pod in self.cluster.pending.values():
            self._ours.if_it_waits(pod, self.queue.add)

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
        try:
            outcome = self._attempt(queued)
        except BaseException:  # such as KeyboardInterrupt: the pod is not to be lost
            self._ours.if_it_waits(queued.pod, self.queue.add)
            raise
        if outcome.result is not Result.BINDING:
            self._reports.outcome(outcome)
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
        pod, started = self._ours.latest(queued.pod), self.clock.now()
        if pod is None:
            return Outcome(queued.pod, Result.SKIPPED)
        if pod.is_terminating:
            return self._skip(pod, DeletedPodError(pod))
        try:
            decision = self._algorithm.schedule(pod)
        except Exception as error:  # noqa: BLE001 - whatever a rule or an extender does, the loop goes on
            return self._unschedulable(pod, error, queued.cycle)
        self.metrics.observe_algorithm(self.clock.now() - started)
        return self._placing.place(pod, Underway(decision, queued.cycle, started))

    def _skip(self, pod: Pod, error: DeletedPodError) -> Outcome:
        self._reports.event(Event.failed_scheduling(pod, str(error)))
        return Outcome(pod, Result.SKIPPED, error=error)

    def _unschedulable(self, pod: Pod, error: Exception, cycle: int) -> Outcome:
        result, message = Result.UNSCHEDULABLE, str(error)
        self._failures.put_back(pod, result, error, message=message, cycle=cycle)
        preemption = self._make_room(pod, error) if isinstance(error, FitError) else None
        self.metrics.count_attempt("unschedulable" if isinstance(error, FitError) else "error")
        return Outcome(pod, result, error=error, preemption=preemption)

    def _make_room(self, pod: Pod, error: FitError) -> Preemption | None:
        options, started = self.profile.options, self.clock.now()
        may_evict = options.pod_priority and not options.disable_preemption
        preemption = self._room.make_room(pod, error) if may_evict else None
        self.metrics.count_preemption()
        self.metrics.observe_step("preemption_evaluation", self.clock.now() - started)
        return preemption

    # -- what it hears -------------------------------------------------------------------------

    def _hear(self, change: Change) -> None:
        tell_queue(self.queue, change, is_ours=self._ours.__contains__)

    def _keep_time_until(self, stop: StopEvent) -> None:
        """Keep time while the loop waits for a pod, and let it go in the end."""
        try:
            while not stop.wait(_KEEPS_TIME_EVERY):
                self.keep_time()
        finally:
            self.queue.close()
