"""Where each pod stands: waiting, assumed, bound or ended."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from attrs import define, evolve, field

from kubesched.model import ObjectMeta, Pod
from kubesched.model.meta import uids_differ
from kubesched.state.assumed import Assumed, Deadlines
from kubesched.state.nominations import Nominations
from kubesched.state.table import Table

Place: TypeAlias = Literal["pending", "assumed", "bound", "ended"]


@define(eq=False)
class PodBook:
    """The pods by key, each in exactly one place; it keeps the book and judges nothing."""

    pending: Table[str, Pod] = field(factory=Table[str, Pod])
    assumed: dict[str, Assumed] = field(factory=dict)
    bound: dict[str, Pod] = field(factory=dict)
    ended: dict[str, Pod] = field(factory=dict)
    nominations: Nominations = field(factory=Nominations)
    _deadlines: Deadlines = field(factory=Deadlines)
    _assumptions: int = 0  # ever made

    def place_of(self, pod: Pod) -> Place | None:
        """Return where the pod of this key stands; None for an unknown one."""
        key = pod.key
        if key in self.pending:
            return "pending"
        if key in self.assumed:
            return "assumed"
        if key in self.bound:
            return "bound"
        return "ended" if key in self.ended else None

    def get(self, key: str) -> Pod | None:
        """Return what is known of a pod, wherever it stands."""
        if key in self.assumed:
            return self.assumed[key].pod
        return self.pending.get(key) or self.bound.get(key) or self.ended.get(key)

    def assumption_of(self, pod: Pod) -> Assumed | None:
        """Return what is assumed of a pod, and not of another one of its name."""
        assumed = self.assumed.get(pod.key)
        return None if assumed is None or uids_differ(assumed.pod.uid, pod.uid) else assumed

    def latest(self, metadata: ObjectMeta) -> Pod | None:
        """Return a pod as it was last seen: an assumed one has no node yet."""
        assumed = self.assumed.get(metadata.key)
        if assumed is None:
            pod = self.get(metadata.key)
        else:
            pod = assumed.waiting or assumed.pod.bound_to("")
        return None if pod is None or uids_differ(pod.uid, metadata.uid) else pod

    def overdue(self, now: float) -> list[Assumed]:
        """Return the assumed pods whose time is over, in the order in which they were assumed."""
        return self._deadlines.overdue(now)

    def alive(self) -> Iterator[Pod]:
        """Go over the pods that have not ended."""
        yield from self.pending.values()
        yield from (assumed.pod for assumed in self.assumed.values())
        yield from self.bound.values()

    def enter(self, pod: Pod) -> None:
        """Put a pod where it belongs by its own account."""
        if pod.is_terminated:
            self.ended[pod.key] = pod
        elif pod.node_name:
            self.bound[pod.key] = pod
        else:
            self._nominate(self.pending.get(pod.key), pod)
            self.pending[pod.key] = pod

    def assume(self, pod: Pod, waiting: Pod | None) -> None:
        """Put a pod among the assumed ones."""
        self.assumed[pod.key] = Assumed(pod, waiting, self._assumptions)
        self._assumptions += 1

    def set_deadline(self, assumed: Assumed, deadline: float) -> None:
        """Let an assumed pod expire after a time, in seconds; O(log assumed pods)."""
        self._deadlines.set(assumed, deadline)

    def leave(self, pod: Pod) -> None:
        """Take a pod from the place where it stands."""
        match self.place_of(pod):
            case "pending":
                self._nominate(self.pending[pod.key], None)
                del self.pending[pod.key]
            case "assumed":
                self._deadlines.drop(self.assumed.pop(pod.key))
            case "bound":
                del self.bound[pod.key]
            case "ended":
                del self.ended[pod.key]

    def copy(self) -> "PodBook":
        """Return a book of its own."""
        assumed = {key: evolve(each) for key, each in self.assumed.items()}
        return PodBook(
            self.pending.copy(),
            assumed,
            self.bound.copy(),
            self.ended.copy(),
            self.nominations.copy(),
            Deadlines.of(assumed.values()),
            self._assumptions,
        )

    def _nominate(self, before: Pod | None, after: Pod | None) -> None:
        """Keep the nominations up to date with what waits."""
        if before is not None and before.status.nominated_node_name:
            self.nominations.remove(before)
        if after is not None and after.status.nominated_node_name:
            self.nominations.add(after)

    def _check(self) -> None:
        """Assert that each pod is in one place, and the one where it belongs."""
        places = [set(self.pending.keys()), set(self.assumed), set(self.bound), set(self.ended)]
        assert sum(map(len, places)) == len(set().union(*places))
        assert all(not pod.node_name and not pod.is_terminated for pod in self.pending.values())
        assert all(each.pod.node_name for each in self.assumed.values())
        assert all(pod.node_name and not pod.is_terminated for pod in self.bound.values())
        assert all(pod.is_terminated for pod in self.ended.values())
        numbers = [each.number for each in self.assumed.values()]
        assert numbers == sorted(set(numbers))
        assert all(number < self._assumptions for number in numbers)
        self._deadlines._check(self.assumed.values())  # noqa: SLF001
        self.pending._check()  # noqa: SLF001
        self.nominations._check()  # noqa: SLF001
        nominated = {pod.key: pod for pods in self.nominations.view().values() for pod in pods}
        waiting = self.pending.values()
        assert nominated == {each.key: each for each in waiting if each.status.nominated_node_name}
