"""What stands around the loop in its tests, and how it goes wrong on command."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum, unique
from typing import Any, TypeVar

from attrs import define, evolve, field

from kubesched.framework import Extender, ExtenderFilterResult, Victims
from kubesched.model import Binding, KubeObject, ObjectMeta, Pod, PodCondition
from kubesched.runtime import Event, Outcome, Result
from kubesched.runtime.conditions import with_condition
from kubesched.state import NodeInfo
from tests.runtime.api_model import ApiModel, Listed, Told

R = TypeVar("R")

SINCE = datetime(2024, 1, 1, tzinfo=UTC)

STEPS = (
    "bind",
    "bind by extender",
    "assume volumes",
    "bind volumes",
    "forget volumes",
    "record",
    "update condition",
    "updated pod",
    "set nominated",
    "remove nominated",
    "delete victim",
    "filter",
    "prioritize",
    "preempt",
    "observe",
)
"""Where something outside is asked."""


@unique
class Fault(StrEnum):
    """What goes wrong there."""

    FAILS = "fails"
    FAILS_AFTERWARDS = "fails afterwards"
    """It is done, but who asked is told that it is not."""
    HANGS = "hangs"
    """It is done, but only when the time for a binding is over."""
    HANGS_AND_FAILS = "hangs and fails"
    NEWS = "news"
    """Nothing; but all that is under way arrives meanwhile."""


class OutsideError(Exception):
    """Something outside failed on command."""


@define(eq=False)
class Faults:
    """Faults that are planned, by step; each happens once, in its turn."""

    hang: Callable[[], None]
    hear_news: Callable[[], None]
    planned: dict[str, deque[Fault]] = field(factory=dict, init=False)

    def plan(self, step: str, fault: Fault) -> None:
        self.planned.setdefault(step, deque()).append(fault)

    @contextmanager
    def at(self, step: str) -> Iterator[None]:
        """Let a step go wrong, if that is planned."""
        planned = self.planned.get(step)
        fault = planned.popleft() if planned else None
        if fault in {Fault.HANGS, Fault.HANGS_AND_FAILS}:
            self.hang()
        if fault is Fault.NEWS:
            self.hear_news()
        if fault in {Fault.FAILS, Fault.HANGS_AND_FAILS}:
            raise OutsideError(f"{step} fails")
        yield
        if fault is Fault.FAILS_AFTERWARDS:
            raise OutsideError(f"{step} fails afterwards")


@define(eq=False)
class Api:
    """An API server: it binds a pod once, and tells all that happens to whoever watches."""

    tell: Callable[[str], None]
    model: ApiModel = field(factory=ApiModel, init=False)
    under_way: list[Told] = field(factory=list, init=False)
    bound: dict[str, str] = field(factory=dict, init=False)
    broken: list[str] = field(factory=list, init=False)
    """What should never have happened."""

    def put(self, it: KubeObject) -> None:
        self._say(self.model.put(it))

    def remove(self, it: KubeObject, *, tells_first_state: bool) -> None:
        self._say(self.model.delete(type(it), it.key, tells_first_state=tells_first_state))

    def list_all(self, kind: type[KubeObject]) -> Listed:
        return self.model.list(kind)

    def pods(self) -> list[Pod]:
        return [it for it in self.model.of(Pod) if isinstance(it, Pod)]

    def latest(self, metadata: ObjectMeta) -> Pod | None:
        pod = self.model.objects.get((Pod, metadata.key))
        return pod if isinstance(pod, Pod) and pod.uid == metadata.uid else None

    def change(self, metadata: ObjectMeta, change: Callable[[Pod], Pod]) -> None:
        """Change a pod, if it is there."""
        pod = self.latest(metadata)
        if pod is not None and change(pod) != pod:
            self.put(change(pod))

    def bind(self, binding: Binding) -> None:
        """Bind a pod to a node, once and for all."""
        pod = self.latest(binding.metadata)
        if pod is None:
            raise OutsideError(f"{binding.key} is not there")
        if pod.is_terminating or pod.node_name:
            raise OutsideError(f"{binding.key} is being deleted or on {pod.node_name} already")
        if pod.uid in self.bound:
            self.broken.append(f"{pod.key} is bound twice")
        self.bound[pod.uid] = binding.target.name
        self.put(pod.bound_to(binding.target.name))

    def begin_deletion(self, metadata: ObjectMeta) -> None:
        self.change(metadata, _terminating)

    def _say(self, told: Told) -> None:
        it = told.it
        where = it.node_name if isinstance(it, Pod) else ""
        self.tell(f"{told.type} {it.key} {it.uid} v{it.metadata.resource_version} {where}")
        self.under_way.append(told)


def _terminating(pod: Pod) -> Pod:
    since = pod.metadata.deletion_timestamp or SINCE
    return evolve(pod, metadata=evolve(pod.metadata, deletion_timestamp=since))


@define(eq=False)
class Outside:
    """Everything that one scheduler asks, over one API server."""

    api: Api
    faults: Faults
    tell: Callable[[str], None]
    begun: Callable[[Binding], None]
    """Called when the scheduler wants a pod bound."""
    bound: Callable[[Binding], None]
    """Called when the scheduler is told that it is."""
    assumed_volumes: dict[str, str] = field(factory=dict, init=False)
    outcomes: Counter[Result] = field(factory=Counter, init=False)

    # -- binder --------------------------------------------------------------------------------

    def bind(self, binding: Binding, /) -> None:
        self.begun(binding)
        with self.faults.at("bind"):
            self.api.bind(binding)
        self.bound(binding)

    # -- volume binder -------------------------------------------------------------------------

    def assume_pod_volumes(self, pod: Pod, node_name: str, /) -> bool:
        if "volumes" not in pod.labels:
            return True
        with self.faults.at("assume volumes"):
            if pod.uid in self.assumed_volumes:
                raise OutsideError(f"volumes of {pod.key} are assumed already")
        self.assumed_volumes[pod.uid] = node_name  # whole, or not at all
        return False

    def bind_pod_volumes(self, pod: Pod, node_name: str, /) -> None:
        with self.faults.at("bind volumes"):
            if self.assumed_volumes.pop(pod.uid, None) != node_name:
                raise OutsideError(f"volumes of {pod.key} are not assumed on {node_name}")

    def forget_pod_volumes(self, pod: Pod, /) -> None:
        self.assumed_volumes.pop(pod.uid, None)
        with self.faults.at("forget volumes"):
            pass

    # -- events and conditions -----------------------------------------------------------------

    def record(self, event: Event, /) -> None:
        with self.faults.at("record"):
            self.tell(f"{event.type} {event.reason} {event.object.name}: {event.message}")

    def update_condition(self, pod: Pod, condition: PodCondition, /) -> None:
        with self.faults.at("update condition"):
            self.api.change(pod.metadata, lambda latest: with_condition(latest, condition))

    def observe(self, outcome: Outcome, /) -> None:
        self.outcomes[outcome.result] += 1
        with self.faults.at("observe"):
            pass

    # -- preemptor -----------------------------------------------------------------------------

    def updated_pod(self, pod: Pod, /) -> Pod:
        with self.faults.at("updated pod"):
            latest = self.api.latest(pod.metadata)
            if latest is None:
                raise OutsideError(f"{pod.key} is not there")
        return latest

    def delete_pod(self, pod: Pod, /) -> None:
        with self.faults.at("delete victim"):
            self.api.begin_deletion(pod.metadata)

    def set_nominated_node(self, pod: Pod, node_name: str, /) -> None:
        with self.faults.at("set nominated" if node_name else "remove nominated"):
            self.api.change(
                pod.metadata,
                lambda latest: evolve(
                    latest, status=evolve(latest.status, nominated_node_name=node_name)
                ),
            )

    def remove_nominated_node(self, pod: Pod, /) -> None:
        self.set_nominated_node(pod, "")

    # -- extenders -----------------------------------------------------------------------------

    def extenders(self) -> tuple[Extender, ...]:
        """Return one that has a say about all pods, and one that binds some."""
        return (
            Extender(
                "opinion", filter=self.filter, prioritize=self.prioritize, preempt=self.preempt
            ),
            Extender("gpus", bind=self.bind_by_extender, managed_resources={"example.com/gpu"}),
        )

    def filter(self, _pod: Pod, nodes: Sequence[NodeInfo], /) -> ExtenderFilterResult:
        with self.faults.at("filter"):
            return ExtenderFilterResult(node.name for node in nodes)

    def prioritize(self, _pod: Pod, nodes: Sequence[NodeInfo], /) -> Mapping[str, int]:
        with self.faults.at("prioritize"):
            return {node.name: int(node.name[1:]) % 3 for node in nodes}

    def preempt(
        self, _pod: Pod, victims: Mapping[str, Victims], _nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        with self.faults.at("preempt"):
            return victims

    def bind_by_extender(self, binding: Binding, /) -> None:
        self.begun(binding)
        with self.faults.at("bind by extender"):
            self.api.bind(binding)
        self.bound(binding)


@define(eq=False)
class Elsewhere(Executor):
    """A pool in which a task runs when somebody says so."""

    tasks: list[tuple["Future[Any]", Callable[[], object]]] = field(factory=list, init=False)

    def submit(self, task: Callable[..., R], /, *args: Any, **options: Any) -> "Future[R]":
        future: Future[R] = Future()
        self.tasks.append((future, lambda: task(*args, **options)))
        return future

    def run(self, at: int) -> None:
        """Run a task to its end, on this thread."""
        future, task = self.tasks.pop(at)
        if future.set_running_or_notify_cancel():
            future.set_result(task())

    def cancel_all(self) -> None:
        """Let none of the tasks begin."""
        while self.tasks:
            future, _ = self.tasks.pop()
            future.cancel()
            future.set_running_or_notify_cancel()
