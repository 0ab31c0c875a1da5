"""Where pods wait for their turn: what every queue does.

Source: kubernetes v1.13.0, pkg/scheduler/internal/queue/scheduling_queue.go, SchedulingQueue.
"""

from typing import Literal, Protocol, TypeAlias

from attrs import frozen

from kubesched.model import Pod

Part: TypeAlias = Literal["active", "backoff", "unschedulable"]
"""A part of a queue: to be tried next; to wait a little; to wait until something changes."""


@frozen
class QueuedPod:
    """A pod whose turn has come.

    Attributes:
        pod: the pod as it was last seen.
        added_at: the clock's time when it last entered the queue, in seconds.
        attempts: how often its turn had come before.
        cycle: the number of the scheduling cycle that began with it.
    """

    pod: Pod
    added_at: float
    attempts: int
    cycle: int


class SchedulingQueue(Protocol):
    """Pods that wait to be scheduled; a pod is known by its key.

    Every method may be called from any thread.
    """

    @property
    def cycle(self) -> int:
        """How many pods have been popped, which is the number of the current scheduling cycle."""
        ...

    def add(self, pod: Pod, /) -> None:
        """Add a new pod, or one to be tried again at once; one of the same key is replaced."""
        ...

    def add_unschedulable(self, pod: Pod, cycle: int, /) -> None:
        """Add a pod that was tried in a cycle and found no place, unless it is there again."""
        ...

    def pop(self, *, block: bool = True) -> QueuedPod | None:
        """Take the pod whose turn it is; a new cycle begins.

        Args:
            block: whether to wait for a pod while there is none.

        Returns:
            The pod; None when the queue is closed, or when no turn has come and `block` is False.
        """
        ...

    def update(self, before: Pod, after: Pod, /) -> None:
        """Note that a pod has changed; if that may have made it schedulable, it is tried soon."""
        ...

    def delete(self, pod: Pod, /) -> None:
        """Forget a pod, because it is gone or bound; nothing happens if it is not known."""
        ...

    def move_all(self) -> None:
        """Note that something has changed that may help any pod."""
        ...

    def assigned_pod_added(self, pod: Pod, /) -> None:
        """Note that there is a new bound pod; it may help pods that want to be near it."""
        ...

    def assigned_pod_updated(self, pod: Pod, /) -> None:
        """Note that a bound pod has changed; it may help pods that want to be near it."""
        ...

    def flush(self) -> None:
        """Do what time alone makes due; `pop` does so, too."""
        ...

    def next_flush_at(self) -> float | None:
        """Return the clock's time when `flush` has something to do next, or None."""
        ...

    def nominate(self, pod: Pod, node_name: str, /) -> None:
        """Note that a pod has been promised a node."""
        ...

    def withdraw_nomination(self, pod: Pod, /) -> None:
        """Note that a pod is no longer promised any node."""
        ...

    def nominated_pods(self, node_name: str, /) -> tuple[Pod, ...]:
        """Return the pods that have been promised a node, in the order of the promises."""
        ...

    def pending(self) -> tuple[Pod, ...]:
        """Return all pods that wait: those whose turn comes next first."""
        ...

    def part_of(self, pod: Pod, /) -> Part | None:
        """Return the part in which a pod waits, or None if it does not."""
        ...

    def close(self) -> None:
        """Let no pod out any more; whoever waits for one gets None."""
        ...

    def __len__(self) -> int:
        """Return how many pods wait."""
        ...
