"""Schedulers over small clusters, with something outside that cannot do its part."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NoReturn

from attrs import define, evolve, field

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.config import Profile
from kubesched.framework import FITS, Extender, ExtenderFilterResult, Fit, PredicateSpec
from kubesched.model import (
    Binding,
    PersistentVolumeClaimVolumeSource,
    Pod,
    PodCondition,
    Volume,
)
from kubesched.runtime import (
    Event,
    InMemoryBinder,
    InMemoryEventRecorder,
    ManualClock,
    Outcome,
    Scheduler,
)
from kubesched.state import Cluster, Facet, NodeInfo

Options = dict[str, Any]

N1, N2 = make_node("n1", cpu=2), make_node("n2", cpu=2)
WEB = make_pod("web", cpu=1)
HUGE = make_pod("web", cpu=9)
SMALL = make_pod("small", cpu=2, node_name="n1")
URGENT = make_pod("urgent", cpu=2, priority=10)
LOST = make_pod(
    "web",
    volumes=[Volume(persistent_volume_claim=PersistentVolumeClaimVolumeSource(claim_name="data"))],
)
SINCE = datetime(2024, 1, 1, tzinfo=UTC)
NO_ROOM = "0/1 nodes are available: 1 Insufficient cpu."
GOING = evolve(WEB, metadata=evolve(WEB.metadata, deletion_timestamp=SINCE))


class OutsideError(Exception):
    """Something outside cannot do it."""


def cannot(*_: object) -> NoReturn:
    raise OutsideError("it cannot")


@define
class NoBinder:
    """A binder that cannot bind."""

    def bind(self, _binding: Binding, /) -> None:
        cannot()


@define(eq=False)
class LateBinder:
    """A binder that lets something happen before it binds."""

    cluster: Cluster
    happens: Callable[[], object]

    def bind(self, binding: Binding, /) -> None:
        self.happens()
        InMemoryBinder(self.cluster).bind(binding)


@define(eq=False)
class Volumes:
    """A volume binder that can only do the steps that are named."""

    can: frozenset[str] = frozenset({"assume", "bind", "forget"})
    done: list[str] = field(factory=list, init=False)

    def assume_pod_volumes(self, pod: Pod, _node_name: str, /) -> bool:
        self._do("assume", pod)
        return False

    def bind_pod_volumes(self, pod: Pod, _node_name: str, /) -> None:
        self._do("bind", pod)

    def forget_pod_volumes(self, pod: Pod, /) -> None:
        self._do("forget", pod)

    def _do(self, step: str, pod: Pod) -> None:
        self.done.append(f"{step} {pod.name}")
        if step not in self.can:
            cannot()


def volumes_that(*steps: str) -> Volumes:
    return Volumes(frozenset(steps))


def profile(
    check: Callable[..., Any] | None = None, *extenders: Extender, **options: Any
) -> Profile:
    """Return the default rules, perhaps with another predicate, extenders and other options."""
    rules = Profile.default()
    if check is not None:
        rules = rules.with_predicate(PredicateSpec("Check", check, reads={Facet.LABELS}))
    rules = rules.with_options(**options) if options else rules
    return evolve(rules, extenders=extenders)


def cannot_answer(_pod: Pod, _meta: None, info: NodeInfo, /) -> Fit:
    raise ValueError(f"{info.name} is odd")


def breaks_the_contract(_pod: Pod, _meta: None, _info: NodeInfo, /) -> bool:
    return True


def after(happens: Callable[[], object]) -> Callable[..., Fit]:
    """Return a predicate that takes every node, but lets something happen first."""

    def takes_all(_pod: Pod, _meta: None, _info: NodeInfo, /) -> Fit:
        happens()
        return FITS

    return takes_all


def doing(happens: Callable[[], object]) -> Extender:
    """Return an extender that lets something happen while a pod is being tried."""

    def all_nodes(_pod: Pod, nodes: Sequence[NodeInfo], /) -> ExtenderFilterResult:
        happens()
        return ExtenderFilterResult(info.name for info in nodes)

    return Extender("doing", filter=all_nodes)


def scheduler_over(cluster: Cluster, rules: Profile | None = None, **options: Any) -> Scheduler:
    options.setdefault("clock", ManualClock())
    return Scheduler(cluster, rules or Profile.default(), **options)


def one(scheduler: Scheduler) -> Outcome:
    outcome = scheduler.schedule_one(block=False)
    assert outcome is not None
    return outcome


def events_of(scheduler: Scheduler) -> list[Event]:
    assert isinstance(scheduler.recorder, InMemoryEventRecorder)
    return [each.event for each in scheduler.recorder.events]


def told(scheduler: Scheduler) -> list[tuple[str, str, str]]:
    return [(each.type, each.reason, each.message) for each in events_of(scheduler)]


def condition_of(cluster: Cluster, pod: Pod) -> PodCondition | None:
    latest = cluster.latest(pod.metadata)
    conditions = latest.status.conditions if latest else ()
    assert len(conditions) <= 1
    return conditions[0] if conditions else None


def part(scheduler: Scheduler, pod: Pod = WEB) -> str | None:
    return scheduler.queue.part_of(pod)


def failed(reason: str, message: str) -> PodCondition:
    return PodCondition(type="PodScheduled", status="False", reason=reason, message=message)


def check(scheduler: Scheduler) -> None:
    scheduler.cluster._check()
    scheduler.queue._check()  # type: ignore[attr-defined]
