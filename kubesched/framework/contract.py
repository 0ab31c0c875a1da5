"""What a scheduling rule is: a predicate that says whether a pod fits, a priority that scores.

Plain functions satisfy these protocols. They read what they are handed and change nothing; asked
the same again, they answer the same.
"""

from collections.abc import Iterable, Sequence
from enum import Enum, unique
from typing import Final, Protocol, Self, TypeVar, runtime_checkable

from attrs import frozen

from kubesched.model import Pod
from kubesched.state import NodeInfo, Snapshot

M_co = TypeVar("M_co", covariant=True)
M_contra = TypeVar("M_contra", contravariant=True)

MAX_SCORE: Final = 10
"""The highest score that a priority gives a node; the lowest is 0."""


@frozen
class Reason:
    """Why a pod does not fit a node.

    Attributes:
        text: what people read in "0/3 nodes are available: 3 Insufficient cpu."
        resolvable: whether evicting pods from the node could cure it.

    >>> str(Reason("node(s) were in a rack under maintenance", resolvable=False))
    'node(s) were in a rack under maintenance'
    """

    text: str
    resolvable: bool = True

    def __str__(self) -> str:
        """Return the text."""
        return self.text


@frozen(init=False)
class Fit:
    """A predicate's answer: it holds if the pod fits, and has the reasons if it does not.

    `FITS` is the answer of a pod that fits; there is no need for another one.

    >>> full = Fit(Reason("Insufficient cpu"), Reason("Insufficient memory"))
    >>> bool(full), bool(FITS), [str(reason) for reason in full.reasons]
    (False, True, ['Insufficient cpu', 'Insufficient memory'])
    """

    reasons: tuple[Reason, ...]

    def __init__(self, *reasons: Reason) -> None:
        self.__attrs_init__(reasons)

    def __bool__(self) -> bool:
        """Tell whether the pod fits."""
        return not self.reasons


FITS: Final = Fit()
"""The pod fits."""


def fit_of(reasons: Iterable[Reason]) -> Fit:
    """Return the answer that has these reasons, if there are any.

    >>> fit_of([]) is FITS
    True
    """
    given = tuple(reasons)
    return Fit(*given) if given else FITS


@unique
class Skip(Enum):
    """What `prepare` returns where a rule has nothing to say of a pod; `SKIP` is the only one."""

    SKIP = "skip"


SKIP: Final = Skip.SKIP
"""No node refuses the pod by this predicate, whatever other pods come and go; or every node scores
0 by this priority. The rule is then not asked."""


class Prepare(Protocol[M_co]):
    """Works out once a pod what every node's question needs.

    It reads no more of the snapshot than the facets of the cluster that the rule declares. Where
    the rule has nothing to say of the pod it may return `SKIP`.
    """

    def __call__(self, pod: Pod, snapshot: Snapshot, /) -> M_co | Skip: ...


@runtime_checkable
class FollowsPods(Protocol):
    """A meta that can tell what it would be if one more pod, or one pod less, were on a node.

    Both return another meta, which equals what `prepare` would make of such a cluster, and leave
    this one as it is. `node` is the node as it is after the change. A meta that depends on placed
    pods and has no such methods is prepared again for every what-if.
    """

    def add_pod(self, pod: Pod, node: NodeInfo, /) -> Self: ...
    def remove_pod(self, pod: Pod, node: NodeInfo, /) -> Self: ...


class FitPredicate(Protocol[M_contra]):
    """Answers one question about one pod and one node.

    `meta` is what the predicate's own `prepare` made, None where it has none. One that cannot
    answer raises, and the attempt ends with that error.
    """

    def __call__(self, pod: Pod, meta: M_contra, node: NodeInfo, /) -> Fit: ...


class PriorityMap(Protocol[M_contra]):
    """Scores one node for one pod: 0..10, unless a reduce brings the scores there."""

    def __call__(self, pod: Pod, meta: M_contra, node: NodeInfo, /) -> int: ...


class PriorityReduce(Protocol[M_contra]):
    """Turns the scores of all nodes that fit into scores of 0..10, in the same order."""

    def __call__(
        self, pod: Pod, meta: M_contra, nodes: Sequence[NodeInfo], scores: Sequence[int], /
    ) -> Sequence[int]: ...


def normalize(*, reverse: bool = False, max_score: int = MAX_SCORE) -> PriorityReduce[object]:
    """Return a reduce that stretches scores so that the best node has the highest one.

    Scores are counts, 0 or more; each becomes `max_score * score / highest`, cut off. In reverse
    the smallest count is the best, and all are best if all counts are 0.

    Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/reduce.go, NormalizeReduce.

    >>> from kubesched.builders import pod
    >>> normalize()(pod("web-1"), None, [], [0, 1, 3])
    [0, 3, 10]
    >>> normalize(reverse=True)(pod("web-1"), None, [], [0, 1, 3])
    [10, 7, 0]
    """

    def reduce(
        _pod: Pod, _meta: object, _nodes: Sequence[NodeInfo], scores: Sequence[int], /
    ) -> Sequence[int]:
        highest = max((0, *scores))
        if not highest:
            return [max_score] * len(scores) if reverse else scores
        scaled = [quotient(max_score * score, highest) for score in scores]
        return [max_score - score for score in scaled] if reverse else scaled

    return reduce


def quotient(dividend: int, divisor: int) -> int:
    """Divide and cut off towards zero, as Go does.

    >>> quotient(-7, 2)
    -3
    """
    whole = abs(dividend) // abs(divisor)
    return whole if (dividend < 0) == (divisor < 0) else -whole
