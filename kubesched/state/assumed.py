"""Pods that were given a node, and which of them expire when."""

from collections.abc import Iterable
from math import isnan
from operator import attrgetter
from typing import Final

from attrs import define, field
from sortedcontainers import SortedDict

from kubesched.errors import ClusterError
from kubesched.model import Pod

_BY_NUMBER: Final = attrgetter("number")


@define(eq=False)
class Assumed:
    """A pod that was given a node.

    Attributes:
        pod: the pod, its node name set.
        waiting: the pod as it waited, if it was known before.
        number: one that grows with each pod that is given a node.
        deadline: when it expires, in seconds; None while it is being bound.
    """

    pod: Pod
    waiting: Pod | None
    number: int
    deadline: float | None = None


@define(eq=False)
class Deadlines:
    """The assumed pods that have a deadline, in its order; they may get theirs in any order."""

    _pods: SortedDict[tuple[float, int], Assumed] = field(factory=SortedDict)

    @classmethod
    def of(cls, pods: Iterable[Assumed]) -> "Deadlines":
        """Return those of these pods that have one; O(pods log pods)."""
        timed = {(each.deadline, each.number): each for each in pods if each.deadline is not None}
        return cls(SortedDict(timed))

    def set(self, assumed: Assumed, deadline: float) -> None:
        """Give a pod a deadline, in place of any other; O(log n).

        Raises:
            ClusterError: the deadline is no number, which has no place in any order.
        """
        if isnan(deadline):
            raise ClusterError(assumed.pod.key, f"the pod cannot expire at {deadline!r} s")
        self.drop(assumed)
        assumed.deadline = deadline
        self._pods[deadline, assumed.number] = assumed

    def drop(self, assumed: Assumed) -> None:
        """Take the deadline from a pod, if it has one; O(log n)."""
        if assumed.deadline is not None:
            del self._pods[assumed.deadline, assumed.number]
            assumed.deadline = None

    def overdue(self, now: float) -> list[Assumed]:
        """Return the pods whose time is over, in the order in which they were given a node.

        O(log n), and what it costs to sort these.
        """
        late = self._pods.irange(maximum=(now, -1))  # the last moment still counts
        return sorted((self._pods[each] for each in late), key=_BY_NUMBER)

    def _check(self, pods: Iterable[Assumed]) -> None:
        """Assert that of these pods exactly those are here that have a deadline; O(pods)."""
        fresh = Deadlines.of(pods)
        assert list(self._pods.items()) == list(fresh._pods.items())  # noqa: SLF001
