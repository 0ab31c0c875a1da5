"""The queues in the plainest way: all that waits in one list, in the order of arrival.

What a queue of one's own does otherwise is said by a subclass: in which order turns come, how long
a backoff is, what may help whom.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from attrs import define, evolve, field

from kubesched.errors import SelectorError
from kubesched.model import Pod, PodAffinityTerm, PodStatus
from kubesched.runtime import Backoff, Part
from kubesched.selectors import label_selector

Turn: TypeAlias = tuple[float, ...]

PARTS: Final[tuple[Part, ...]] = ("active", "backoff", "unschedulable")


@define
class QueueEntry:
    """A pod that waits.

    Attributes:
        pod: the pod as it was last seen.
        part: where it waits.
        added_at: the time when it entered the queue.
        attempts: how often it has been tried.
        ready_at: the time when its backoff is or was over.
    """

    pod: Pod
    part: Part
    added_at: float
    attempts: int
    ready_at: float


@define
class NaiveQueue:
    """What a `kubesched.PriorityQueue` promises, done by looking through everything each time.

    Attributes:
        backoff: how long a pod is left alone that found no place.
        left_alone: seconds after which it is tried again though nothing has helped it.
        now: the time.
        cycle: how many pods have been popped.
        moved_in: the last cycle in which there was a move request.
        entries: what waits, in the order in which it came.
        away: how often the pods have been tried that are being tried, by key.
        nominated: pods and the nodes they have been promised, by key.

    >>> from kubesched.builders import pod
    >>> queue = NaiveQueue()
    >>> queue.add(pod("web-1"))
    >>> queue.add(pod("database-1", priority=10))
    >>> [each.name for each in queue.pending()]
    ['database-1', 'web-1']
    """

    backoff: Backoff = field(factory=Backoff)
    left_alone: float = 60.0
    now: float = 0.0
    cycle: int = 0
    moved_in: int = -1
    entries: list[QueueEntry] = field(factory=list)
    away: dict[str, int] = field(factory=dict)
    nominated: dict[str, tuple[Pod, str]] = field(factory=dict)

    # -- what a subclass may see otherwise -----------------------------------------------------

    def turn(self, entry: QueueEntry) -> Turn:
        """Return what the part "active" is sorted by; of equals the first to come is the first."""
        return -entry.pod.priority, entry.added_at

    def helps(self, assigned: Pod, waiting: Pod) -> bool:
        """Tell whether a pod that is on a node may help one that waits: if that wants it near."""
        affinity = waiting.spec.affinity
        terms = affinity.pod_affinity.required if affinity and affinity.pod_affinity else ()
        try:
            wanted = [_is_about(term, waiting, assigned) for term in terms]
        except SelectorError:  # one bad term spoils all
            return False
        return any(wanted)

    def may_help(self, before: Pod, after: Pod) -> bool:
        """Tell whether a change of a pod may let it find a place: any but of its status."""
        return _without_status(before) != _without_status(after)

    def may_be_tried(self, cycle: int) -> bool:
        """Tell whether a pod is tried again after its backoff, given when it was tried."""
        return cycle <= self.moved_in

    # -- looking -------------------------------------------------------------------------------

    def find(self, pod: Pod) -> QueueEntry | None:
        """Return what is known of a pod that waits."""
        return next((entry for entry in self.entries if entry.pod.key == pod.key), None)

    def part_of(self, pod: Pod) -> Part | None:
        """Return where a pod waits."""
        entry = self.find(pod)
        return entry.part if entry else None

    def in_order(self, part: Part) -> list[QueueEntry]:
        """Return a part, those whose time comes first first."""
        there = [entry for entry in self.entries if entry.part == part]
        return sorted(there, key=self._order_of(part))

    def _order_of(self, part: Part) -> Callable[[QueueEntry], Turn]:
        if part == "active":
            return self.turn
        if part == "backoff":
            return lambda entry: (entry.ready_at,)
        return lambda entry: (entry.added_at,)

    def pending(self) -> list[Pod]:
        """Return all pods that wait, one part after the other."""
        return [entry.pod for part in PARTS for entry in self.in_order(part)]

    def next_flush_at(self) -> float | None:
        """Return when time will let out a pod."""
        times = [entry.ready_at for entry in self.entries if entry.part == "backoff"]
        times += [
            entry.added_at + self.left_alone
            for entry in self.entries
            if entry.part == "unschedulable"
        ]
        return min(times, default=None)

    def nominated_pods(self, node_name: str) -> list[Pod]:
        """Return the pods that have been promised a node."""
        return [pod for pod, name in self.nominated.values() if name == node_name]

    # -- changing ------------------------------------------------------------------------------

    def _enter(self, pod: Pod, part: Part, *, delays: bool) -> QueueEntry:
        before = self.find(pod)
        attempts = before.attempts if before else self.away.pop(pod.key, 0)
        if before:
            self.entries.remove(before)
        delay = self.backoff.after(attempts) if delays else 0.0
        entry = QueueEntry(pod, part, self.now, attempts, self.now + delay)
        self.entries.append(entry)
        return entry

    def add(self, pod: Pod) -> None:
        """Let a pod in."""
        self._enter(pod, "active", delays=False)
        self.nominate(pod, "")

    def add_unschedulable(self, pod: Pod, cycle: int) -> None:
        """Let a pod in that found no place."""
        if self.find(pod):
            return
        entry = self._enter(pod, "unschedulable", delays=True)
        if self.may_be_tried(cycle):
            self._wake(entry)
        self.nominate(pod, "")

    def pop(self) -> QueueEntry | None:
        """Let out the pod whose turn it is."""
        self.flush()
        active = self.in_order("active")
        return self.let_out(active[0].pod) if active else None

    def let_out(self, pod: Pod) -> QueueEntry | None:
        """Let out a pod if it waits, whether its turn has come or not."""
        entry = self.find(pod)
        if entry is not None:
            self.entries.remove(entry)
            self.cycle += 1
            self.away[pod.key] = entry.attempts + 1
        return entry

    def update(self, before: Pod, after: Pod) -> None:
        """Note that a pod has changed."""
        self._update_entry(before, after)
        told = before.status.nominated_node_name or after.status.nominated_node_name
        _, name = self.nominated.get(after.key, (after, ""))
        self.nominate(after, "" if told else name)

    def _update_entry(self, before: Pod, after: Pod) -> None:
        entry, may_help = self.find(after), self.may_help(before, after)
        if entry:
            entry.pod = after
            if may_help:
                entry.part = "active"
                entry.ready_at = min(entry.ready_at, self.now)
        elif may_help:
            self._enter(after, "active", delays=False)

    def delete(self, pod: Pod) -> None:
        """Forget a pod."""
        self.entries = [entry for entry in self.entries if entry.pod.key != pod.key]
        self.away.pop(pod.key, None)
        self.withdraw_nomination(pod)

    def _wake(self, entry: QueueEntry) -> None:
        entry.part = "active" if entry.ready_at <= self.now else "backoff"

    def move(self, is_helped: Callable[[Pod], bool]) -> None:
        """Let those be tried again that are helped."""
        for entry in self.entries:
            if entry.part == "unschedulable" and is_helped(entry.pod):
                self._wake(entry)
        self.moved_in = self.cycle

    def flush(self) -> None:
        """Let those be tried again whose time has come."""
        for entry in self.entries:
            if entry.part == "backoff" or (
                entry.part == "unschedulable" and entry.added_at + self.left_alone <= self.now
            ):
                self._wake(entry)

    def nominate(self, pod: Pod, node_name: str) -> None:
        """Note which node a pod has been promised, or says that it has."""
        name = node_name or pod.status.nominated_node_name
        _, before = self.nominated.get(pod.key, (pod, ""))
        if name != before:
            self.withdraw_nomination(pod)
        if name:
            self.nominated[pod.key] = pod, name

    def withdraw_nomination(self, pod: Pod) -> None:
        """Note that a pod is promised no node."""
        self.nominated.pop(pod.key, None)


@define
class NaiveFIFO(NaiveQueue):
    """What a `kubesched.FIFO` promises: turns by time alone, and nothing helps or is nominated."""

    def turn(self, entry: QueueEntry) -> Turn:
        """Return when the pod was ready."""
        return (entry.ready_at,)

    def may_be_tried(self, cycle: int) -> bool:  # noqa: ARG002
        """Tell that it may."""
        return True

    def move(self, is_helped: Callable[[Pod], bool]) -> None:
        """Do nothing."""

    def nominate(self, pod: Pod, node_name: str) -> None:
        """Do nothing."""


def _is_about(term: PodAffinityTerm, holder: Pod, other: Pod) -> bool:
    namespaces = term.namespaces or (holder.namespace,)
    matches = label_selector(term.label_selector).matches(other.labels)
    return matches and other.namespace in namespaces


def _without_status(pod: Pod) -> Pod:
    metadata = evolve(pod.metadata, resource_version="", generation=0)
    return evolve(pod, metadata=metadata, status=PodStatus())
