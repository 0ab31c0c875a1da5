"""Who places pods, and so what is measured."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Final, TypeAlias

from attrs import frozen

from kubesched.config import Profile
from kubesched.engine import WORKERS, EquivalenceCache, GenericScheduler
from kubesched.errors import SchedulingError
from kubesched.model import Pod
from kubesched.runtime import Result, Scheduler
from kubesched.state import Cluster

Place: TypeAlias = Callable[[Pod], bool]
"""Gives a pod a node, and tells whether there was one."""


@frozen(kw_only=True)
class Settings:
    """How to measure.

    Attributes:
        engines: who places the pods, in turn: keys of `ENGINES`.
        percentage: how many of the nodes are to be found feasible before the search stops.
        workers: how many threads may help.
        pods: how many pods are placed at most.
        seconds: how long pods are placed at most.
    """

    engines: tuple[str, ...] = ("plain",)
    percentage: int = 100
    workers: int = WORKERS
    pods: float = inf
    seconds: float = inf

    @property
    def profile(self) -> Profile:
        """The rules."""
        return Profile.default().with_options(percentage_of_nodes_to_score=self.percentage)


def plain(cluster: Cluster, settings: Settings) -> Place:
    """Ask every rule about every node, each time anew."""
    scheduler = GenericScheduler(cluster, settings.profile, workers=settings.workers)
    return decide_and_assume(cluster, scheduler)


def cached(cluster: Cluster, settings: Settings) -> Place:
    """Ask only where what a rule reads has changed since a pod of the same kind was asked about."""
    scheduler = GenericScheduler(
        cluster,
        settings.profile,
        workers=settings.workers,
        equivalence_cache=EquivalenceCache(),
    )
    return decide_and_assume(cluster, scheduler)


def decide_and_assume(cluster: Cluster, scheduler: GenericScheduler) -> Place:
    """Do no more than decide and assume: the cluster has not seen the pod before."""

    def place(pod: Pod) -> bool:
        try:
            cluster.assume(pod, scheduler.schedule(pod).node)
        except SchedulingError:
            return False
        return True

    return place


def loop(cluster: Cluster, settings: Settings) -> Place:
    """Do all that a running scheduler does, from the moment when the pod is first seen."""
    scheduler = Scheduler(cluster, settings.profile, workers=settings.workers)

    def place(pod: Pod) -> bool:
        cluster.add_pod(pod)
        outcome = scheduler.schedule_one(block=False)
        return outcome is not None and outcome.result is Result.BOUND

    return place


ENGINES: Final[Mapping[str, Callable[[Cluster, Settings], Place]]] = {
    "plain": plain,
    "cached": cached,
    "loop": loop,
}
