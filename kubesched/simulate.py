"""Where pods would go: one after the other, each seeing those before it."""

from collections.abc import Iterable, Iterator
from logging import getLogger
from typing import Final

from attrs import evolve, frozen

from kubesched.config import Profile
from kubesched.engine import (
    Decision,
    FitError,
    GenericScheduler,
    HostSelector,
    Preemption,
    RoundRobin,
)
from kubesched.errors import SchedulingError
from kubesched.framework import RuleSet
from kubesched.model import Pod
from kubesched.plugins.volume_binding import CHECK_VOLUME_BINDING
from kubesched.runtime import (
    DEFAULT_SCHEDULER,
    DeletedPodError,
    InMemoryVolumeBinder,
    VolumeBinder,
    is_for,
)
from kubesched.state import Cluster

_LOGGER: Final = getLogger("kubesched.simulate")


@frozen(eq=False)
class Placement:
    """What became of a pod.

    Attributes:
        pod: the pod.
        decision: the decision, if it found a node.
        error: why it did not, otherwise.
        preemption: who had to leave for it, if it fitted nowhere at first.
    """

    pod: Pod
    decision: Decision | None = None
    error: SchedulingError | None = None
    preemption: Preemption | None = None

    @property
    def node(self) -> str | None:
        """The node that it went to, or None."""
        return None if self.decision is None else self.decision.node

    @property
    def score(self) -> int | None:
        """The node's total; None if it was the only one that fits, or there was none."""
        return None if self.decision is None else self.decision.score

    @property
    def evicted(self) -> tuple[Pod, ...]:
        """The pods that had to leave for it."""
        return () if self.preemption is None else self.preemption.victims

    @property
    def message(self) -> str:
        """Why it found no node; empty if it did."""
        return "" if self.error is None else str(self.error)


def simulate(
    cluster: Cluster,
    pods: Iterable[Pod] | None = None,
    *,
    profile: RuleSet | None = None,
    scheduler_name: str = DEFAULT_SCHEDULER,
    select: HostSelector | None = None,
) -> Iterator[Placement]:
    """Place pods one after the other and tell what becomes of each; the cluster stays as it is.

    They come in the order of the scheduling queue: the highest priority first, then the oldest. A
    pod that is placed takes its room for those that follow, and its waiting claims are bound, if
    the rules look at them. One that fits nowhere has less important pods evicted, if that helps and
    the rules allow it; what is evicted is gone for all that follow.

    Args:
        cluster: the cluster as it is at first.
        pods: what is to be placed instead of the cluster's pending pods. Those with a node already
            are put there.
        profile: the rules, the default provider's if nothing is given.
        scheduler_name: whose pods are placed; those of other schedulers are passed over.
        select: picks among nodes that are equally good, in turn if nothing is given.

    Raises:
        ClusterError: one of `pods` is in the cluster already.

    >>> from kubesched.builders import node, pod
    >>> cluster = Cluster.of([node("worker-1", cpu=2), pod("web-1", cpu=1), pod("web-2", cpu=2)])
    >>> for placement in simulate(cluster):
    ...     print(placement.pod, placement.node or placement.message)
    default/web-1 worker-1
    default/web-2 0/1 nodes are available: 1 Insufficient cpu.
    """
    trial = cluster.copy()
    wanted = tuple(trial.pending.values() if pods is None else pods)
    if pods is not None:
        for pod in wanted:
            trial.add_pod(pod)
    mine = [pod for pod in wanted if is_for(pod, scheduler_name)]
    rules = profile or Profile.default()
    scheduler = GenericScheduler(trial, rules, select=select or RoundRobin())
    volumes = InMemoryVolumeBinder(trial) if CHECK_VOLUME_BINDING in rules.predicates else None
    return (place(pod, scheduler, volumes) for pod in in_queue_order(mine))


def in_queue_order(pods: Iterable[Pod]) -> list[Pod]:
    """Sort pods as the scheduling queue does: by falling priority, then by age.

    Pods of unknown age come last, in the order given.
    """

    def rank(pod: Pod) -> tuple[int, bool, float]:
        created = pod.metadata.creation_timestamp
        return -pod.priority, created is None, created.timestamp() if created else 0.0

    return sorted(pods, key=rank)


def place(pod: Pod, scheduler: GenericScheduler, volumes: VolumeBinder | None) -> Placement:
    """Decide about a pod and put it where it is to go, making room for it if there is none."""
    if pod.is_terminating:
        return Placement(pod, error=DeletedPodError(pod))
    try:
        return Placement(pod, _put(pod, scheduler, volumes))
    except FitError as error:
        return _place_by_force(pod, error, scheduler, volumes)
    except SchedulingError as error:
        return Placement(pod, error=error)


def _put(pod: Pod, scheduler: GenericScheduler, volumes: VolumeBinder | None) -> Decision:
    """Give a pod its node and its volumes."""
    decision = scheduler.schedule(pod)
    if volumes is not None and not volumes.assume_pod_volumes(pod, decision.node):
        _bind_volumes(pod, decision.node, volumes)
    scheduler.cluster.assume(pod, decision.node)
    return decision


def _place_by_force(
    pod: Pod, error: FitError, scheduler: GenericScheduler, volumes: VolumeBinder | None
) -> Placement:
    """Evict those who would have to leave, if that helps, and decide anew."""
    try:
        preemption = scheduler.preempt(pod, error)
    except SchedulingError as why:
        _LOGGER.warning("no room could be made for pod %s: %s", pod.key, why)
        return Placement(pod, error=error)
    for each in preemption.withdrawn:
        _withdraw(each, scheduler.cluster)
    if preemption.node is None:
        return Placement(pod, error=error)
    for victim in preemption.victims:
        _evict(victim, scheduler.cluster)
    try:
        return Placement(pod, _put(pod, scheduler, volumes), preemption=preemption)
    except SchedulingError as still:
        return Placement(pod, error=still, preemption=preemption)


def _withdraw(pod: Pod, cluster: Cluster) -> None:
    waiting = cluster.pending.get(pod.key)
    if waiting is not None:
        cluster.update_pod(evolve(waiting, status=evolve(waiting.status, nominated_node_name="")))


def _evict(victim: Pod, cluster: Cluster) -> None:
    if cluster.is_assumed(victim):
        cluster.forget(victim)
    if victim.key in cluster.pods:
        cluster.remove_pod(victim)


def _bind_volumes(pod: Pod, node_name: str, volumes: VolumeBinder) -> None:
    try:
        volumes.bind_pod_volumes(pod, node_name)
    except SchedulingError:
        volumes.forget_pod_volumes(pod)
        raise
