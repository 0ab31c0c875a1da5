"""The queues in the plainest way: all that waits in one list, in the order of arrival."""

from collections.abc import Callable

from attrs import define, field

from kubesched.model import Pod
from kubesched.runtime import Part


@define
class Entry:
    pod: Pod
    part: Part
    added_at: float
    attempts: int
    ready_at: float


@define
class NaiveQueue:
    """As `PriorityQueue`, or as `FIFO` when it has no priorities."""

    has_priorities: bool
    now: float = 0.0
    cycle: int = 0
    moved_in: int = -1
    entries: list[Entry] = field(factory=list)
    away: dict[str, int] = field(factory=dict)
    nominated: dict[str, tuple[Pod, str]] = field(factory=dict)

    # -- looking -----------------------------------------------------------------------------------

    def find(self, pod: Pod) -> Entry | None:
        return next((entry for entry in self.entries if entry.pod.key == pod.key), None)

    def part_of(self, pod: Pod) -> Part | None:
        entry = self.find(pod)
        return entry.part if entry else None

    def in_order(self, part: Part) -> list[Entry]:
        there = [entry for entry in self.entries if entry.part == part]
        return sorted(there, key=self.order_of(part))

    def order_of(self, part: Part) -> Callable[[Entry], tuple[float, ...]]:
        if part == "backoff" or not self.has_priorities:
            return lambda entry: (entry.ready_at,)
        if part == "active":
            return lambda entry: (-entry.pod.priority, entry.added_at)
        return lambda entry: (entry.added_at,)

    def pending(self) -> list[Pod]:
        parts: tuple[Part, ...] = ("active", "backoff", "unschedulable")
        return [entry.pod for part in parts for entry in self.in_order(part)]

    def next_flush_at(self) -> float | None:
        times = [entry.ready_at for entry in self.entries if entry.part == "backoff"]
        times += [entry.added_at + 60 for entry in self.entries if entry.part == "unschedulable"]
        return min(times, default=None)

    def nominated_pods(self, node_name: str) -> list[Pod]:
        return [pod for pod, name in self.nominated.values() if name == node_name]

    # -- changing ----------------------------------------------------------------------------------

    def enter(self, pod: Pod, part: Part, delays: bool) -> Entry:  # noqa: FBT001
        before = self.find(pod)
        attempts = before.attempts if before else self.away.pop(pod.key, 0)
        if before:
            self.entries.remove(before)
        delay = min(60.0, 2.0 ** (max(attempts, 1) - 1)) if delays else 0.0
        entry = Entry(pod, part, self.now, attempts, self.now + delay)
        self.entries.append(entry)
        return entry

    def add(self, pod: Pod) -> None:
        self.enter(pod, "active", delays=False)
        self.nominate(pod, "")

    def add_unschedulable(self, pod: Pod, cycle: int) -> None:
        if self.find(pod):
            return
        entry = self.enter(pod, "unschedulable", delays=True)
        if not self.has_priorities or cycle <= self.moved_in:
            self.wake(entry)
        self.nominate(pod, "")

    def pop(self) -> Entry | None:
        self.flush()
        active = self.in_order("active")
        if not active:
            return None
        self.entries.remove(active[0])
        self.cycle += 1
        self.away[active[0].pod.key] = active[0].attempts + 1
        return active[0]

    def update(self, before: Pod, after: Pod, *, may_help: bool) -> None:
        entry = self.find(after)
        if entry:
            entry.pod = after
            if may_help:
                entry.part = "active"
                entry.ready_at = min(entry.ready_at, self.now)
        elif may_help:
            self.enter(after, "active", delays=False)
        told = before.status.nominated_node_name or after.status.nominated_node_name
        _, name = self.nominated.get(after.key, (after, ""))
        self.nominate(after, "" if told else name)

    def delete(self, pod: Pod) -> None:
        self.entries = [entry for entry in self.entries if entry.pod.key != pod.key]
        self.away.pop(pod.key, None)
        self.nominated.pop(pod.key, None)

    def wake(self, entry: Entry) -> None:
        entry.part = "active" if entry.ready_at <= self.now else "backoff"

    def move(self, helps: Callable[[Pod], bool]) -> None:
        if self.has_priorities:
            for entry in self.entries:
                if entry.part == "unschedulable" and helps(entry.pod):
                    self.wake(entry)
            self.moved_in = self.cycle

    def flush(self) -> None:
        for entry in self.entries:
            if entry.part == "backoff" or (
                entry.part == "unschedulable" and entry.added_at + 60 <= self.now
            ):
                self.wake(entry)

    def nominate(self, pod: Pod, node_name: str) -> None:
        name = node_name or pod.status.nominated_node_name
        _, before = self.nominated.get(pod.key, (pod, ""))
        if name != before:
            self.nominated.pop(pod.key, None)
        if name and self.has_priorities:
            self.nominated[pod.key] = pod, name
