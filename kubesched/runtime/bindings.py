"""Bindings under way: what happens to a pod between being given a node and being bound to it.

Source: kubernetes v1.12.2, pkg/scheduler/scheduler.go (bindVolumes, bind, and the goroutine in
scheduleOne).
"""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from itertools import takewhile
from logging import getLogger
from threading import Lock
from typing import Final, TypeAlias

from attrs import define, field

from kubesched.engine import bind_by_extender, binder_of
from kubesched.errors import SchedulingError
from kubesched.framework import Extender
from kubesched.model import Binding, Pod
from kubesched.runtime.binder import Binder
from kubesched.runtime.clock import Clock
from kubesched.runtime.metrics import Metrics
from kubesched.runtime.outcome import Result
from kubesched.runtime.volumes import VolumeBinder

_LOGGER: Final = getLogger("kubesched.runtime")

BIND_TIMEOUT: Final = 600.0
"""Seconds that a binding may take, if nothing else is said.

Source: kubernetes v1.12.2, pkg/scheduler/apis/config/types.go, BindTimeoutSeconds.
"""

Ended: TypeAlias = Callable[[Result, Exception | None], None]
"""Called when a binding is over: BOUND, or why not."""


class BindingTimeoutError(SchedulingError, TimeoutError):
    """A binding took too long, and was given up.

    Attributes:
        pod: the pod's key.
        seconds: how long it was waited for.
    """

    def __init__(self, pod: str, seconds: float) -> None:
        """Say which pod was not bound in time."""
        super().__init__(f"binding of pod {pod} took longer than {seconds:g} s")
        self.pod = pod
        self.seconds = seconds


@define(eq=False)
class _UnderWay:
    """One binding; it is over when it is no longer in the book, whoever took it out."""

    assumed: Pod
    ended: Ended
    deadline: float
    step: Result
    """How it ends if the step fails at which it is."""


@define(eq=False)
class Bindings:
    """Binds pods, each on a thread of a pool, or at once where there is none.

    Each binding ends once: it succeeds, fails, or is given up when its time is over. One that has
    been given up does not go on to its next step; what becomes of the step at which it was is only
    written to the log.

    Differs: in the original only binding volumes is given up when it takes too long.

    Attributes:
        binder: binds pods that no extender binds.
        volume_binder: binds the volumes before.
        clock: tells the time.
        metrics: counts.
        extenders: one of them may bind.
        timeout: seconds after which one is given up.
        threads: how many may be under way at once; 0 binds in the calling thread. Or whose threads
            they are: somebody else's pool, which stays open.
    """

    binder: Binder
    volume_binder: VolumeBinder
    clock: Clock
    metrics: Metrics
    extenders: tuple[Extender, ...] = ()
    timeout: float = BIND_TIMEOUT
    threads: Executor | int = 0
    # In the order in which they began, which is that of their deadlines.
    _under_way: dict[_UnderWay, None] = field(factory=dict, init=False)
    _futures: set["Future[None]"] = field(factory=set, init=False)
    _pool: ThreadPoolExecutor | None = field(default=None, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    def start(self, assumed: Pod, ended: Ended, *, are_volumes_bound: bool) -> None:
        """Bind a pod that has been assumed on a node.

        Args:
            assumed: the pod, with its node name set.
            ended: called once, on the thread on which it was found out that the binding is over.
            are_volumes_bound: whether nothing is to be done about its volumes.
        """
        first = Result.BINDING_REJECTED if are_volumes_bound else Result.VOLUME_BINDING_FAILED
        with self._lock:
            entry = _UnderWay(assumed, ended, self.clock.now() + self.timeout, first)
            self._under_way[entry] = None
        if self.are_elsewhere:
            self._bind_elsewhere(entry)
        else:
            self._bind(entry)

    @property
    def are_elsewhere(self) -> bool:
        """Whether pods are bound on other threads than the one that starts it."""
        return self.threads != 0

    def __len__(self) -> int:
        """Return how many are under way."""
        with self._lock:
            return len(self._under_way)

    def give_up_overdue(self) -> None:
        """Give those up whose time is over; O(these)."""
        now = self.clock.now()
        with self._lock:
            overdue = [*takewhile(lambda each: each.deadline <= now, self._under_way)]
        self._give_up(overdue)

    def close(self, patience: float | None) -> None:
        """Wait until all are over, `patience` real seconds at most; give up the rest."""
        with self._lock:
            futures, pool = tuple(self._futures), self._pool
        wait(futures, patience)
        with self._lock:
            left = [*self._under_way]
        self._give_up(left)
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _give_up(self, entries: Iterable[_UnderWay]) -> None:
        for entry in entries:
            self._end(entry, entry.step, BindingTimeoutError(entry.assumed.key, self.timeout))

    def _bind_elsewhere(self, entry: _UnderWay) -> None:
        try:
            future = self._executor().submit(self._bind, entry)
        except RuntimeError as error:  # the pool is closed
            self._end(entry, entry.step, error)
            return
        with self._lock:
            self._futures.add(future)
        future.add_done_callback(self._forget_future)

    def _bind(self, entry: _UnderWay) -> None:
        try:
            if entry.step is Result.VOLUME_BINDING_FAILED and self._goes_on(entry, entry.step):
                self._bind_volumes(entry.assumed)
            if self._goes_on(entry, Result.BINDING_REJECTED):
                self._bind_pod(entry.assumed)
        except Exception as error:  # noqa: BLE001 - whatever it is, the pod has to wait again
            self._end(entry, entry.step, error)
        else:
            self._end(entry, Result.BOUND, None)

    def _goes_on(self, entry: _UnderWay, step: Result) -> bool:
        """Begin a step, unless the binding has been given up."""
        with self._lock:
            if entry in self._under_way:
                entry.step = step
            return entry in self._under_way

    def _bind_volumes(self, assumed: Pod) -> None:
        with self.metrics.timing_volumes("bind", self.clock):
            self.volume_binder.bind_pod_volumes(assumed, assumed.node_name)

    def _bind_pod(self, assumed: Pod) -> None:
        started = self.clock.now()
        binding, extender = Binding.of(assumed, assumed.node_name), None
        if self.extenders:
            extender = binder_of(self.extenders, assumed)
        if extender is None:
            self.binder.bind(binding)
        else:
            bind_by_extender(extender, binding)
        self.metrics.observe_step("binding", self.clock.now() - started)

    def _end(self, entry: _UnderWay, result: Result, error: Exception | None) -> None:
        with self._lock:
            is_open = entry in self._under_way
            self._under_way.pop(entry, None)
        if is_open:
            entry.ended(result, error)
        else:
            said = error or "it may have been bound"
            _LOGGER.warning("binding of pod %s had been given up: %s", entry.assumed.key, said)

    def _executor(self) -> Executor:
        if isinstance(self.threads, Executor):
            return self.threads
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="kubesched-bind")
        return self._pool

    def _forget_future(self, future: "Future[None]") -> None:
        with self._lock:
            self._futures.discard(future)
