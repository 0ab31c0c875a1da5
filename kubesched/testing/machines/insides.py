"""What machines look at that is nobody else's business: the insides of our own classes."""

# ruff: noqa: SLF001

from collections.abc import Collection, Mapping

from kubesched.model import Binding, Pod
from kubesched.runtime import Scheduler
from kubesched.runtime.queue.timed_queue import TimedQueue
from kubesched.state import Cluster
from kubesched.testing.machines.naive_cluster import Assumption


def check_inside(it: object) -> None:
    """Let something check itself if it is ours: others need not, or mean something else by it."""
    if isinstance(it, Cluster | TimedQueue):
        it._check()


def assumptions_of(cluster: Cluster) -> dict[str, Assumption]:
    """Return the pods that a cluster assumes, and until when."""
    there = cluster._pods.assumed
    return {key: Assumption(it.pod, it.waiting, it.deadline) for key, it in there.items()}


def ended_in(cluster: Cluster) -> Mapping[str, Pod]:
    """Return the pods that have ended, as far as a cluster remembers them."""
    return cluster._pods.ended


def overdue_in(cluster: Cluster, now: float) -> Collection[Pod]:
    """Return the assumed pods whose time is over."""
    return [it.pod for it in cluster._pods.overdue(now)]


def under_way(scheduler: Scheduler) -> list[str]:
    """Return the keys of the pods that a scheduler is having bound."""
    return [each.assumed.key for each in scheduler._bindings._under_way]


def is_under_way(binding: Binding, scheduler: Scheduler) -> bool:
    """Tell whether a scheduler still wants a binding."""
    return any(
        (each.assumed.uid, each.assumed.node_name) == (binding.uid, binding.target.name)
        for each in scheduler._bindings._under_way
    )


def overdue_bindings(scheduler: Scheduler, now: float) -> list[str]:
    """Return the keys of the pods whose binding should have been given up."""
    entries = scheduler._bindings._under_way
    return [each.assumed.key for each in entries if each.deadline <= now]


def futures_of(scheduler: Scheduler) -> int:
    """Return how many bindings have been handed to a pool and not come back."""
    return len(scheduler._bindings._futures)


def remembered_attempts(scheduler: Scheduler) -> Collection[str]:
    """Return the keys of the pods that the queue takes for being tried; none if it is not ours."""
    queue = scheduler.queue
    return tuple(queue._attempts._away) if isinstance(queue, TimedQueue) else ()
