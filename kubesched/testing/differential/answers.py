"""What a scheduler answers when it is asked about a pod, in the form in which it is recorded."""

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from kubesched.model.frozen import frozen_tuple

_KEPT: Final = {"keep": True}


@frozen
class Verdict:
    """Whether a pod fits a node.

    Attributes:
        fits: whether it does.
        reasons: the reasons against it, as texts.
        error: what a predicate raised instead of answering.

    >>> str(Verdict(fits=False, reasons=["Insufficient cpu", "Insufficient memory"]))
    'does not fit: Insufficient cpu; Insufficient memory'
    """

    fits: bool = field(metadata=_KEPT)
    reasons: tuple[str, ...] = field(default=(), converter=frozen_tuple, metadata=_KEPT)
    error: str | None = None

    def __str__(self) -> str:
        if self.error is not None:
            return f"error: {self.error}"
        return "fits" if self.fits else f"does not fit: {'; '.join(self.reasons)}"


@frozen(kw_only=True)
class Candidate:
    """What it takes to free a node.

    Attributes:
        victims: the names of the pods that would have to leave, sorted.
        pdb_violations: for how many of them a disruption budget does not allow it.
    """

    victims: tuple[str, ...] = field(default=(), converter=frozen_tuple, metadata=_KEPT)
    pdb_violations: int = field(default=0, metadata=_KEPT)


@frozen(kw_only=True)
class PreemptionAnswer:
    """Who would make room for a pod that fits nowhere.

    Attributes:
        nominated_node: the node that would be freed, if there is one.
        victims: the names of the pods that would have to leave it, sorted.
        candidates: every node that could be freed; None if that was not recorded.
        tied: the candidates among which only chance decides, sorted; None if there are not several.
        error: why nobody can tell.
    """

    nominated_node: str | None = field(default=None, metadata=_KEPT)
    victims: tuple[str, ...] = field(default=(), converter=frozen_tuple, metadata=_KEPT)
    candidates: Mapping[str, Candidate] | None = None
    tied: tuple[str, ...] | None = None
    error: str | None = None


@frozen(kw_only=True)
class Answer:
    """All that a scheduler says about one pod; None stands for what was not recorded.

    Attributes:
        pod: the pod's key, `namespace/name`.
        filter: whether the pod fits each node that was looked at, by the node's name.
        each: what each predicate says by itself: `each[node][predicate]`.
        scores: `scores[priority][node]`, 0..10, not weighted; None if fewer than two nodes fit.
        totals: the weighted sum of each node's scores; None if fewer than two nodes fit.
        top: the nodes that share the highest total, or the only one that fits, sorted.
        node: the node for the pod; None if there is none.
        message: why there is none.
        preemption: who would make room, if that was tried.
    """

    pod: str = field(metadata=_KEPT)
    filter: Mapping[str, Verdict] | None = None
    each: Mapping[str, Mapping[str, Verdict]] | None = None
    scores: Mapping[str, Mapping[str, int]] | None = None
    totals: Mapping[str, int] | None = None
    top: tuple[str, ...] | None = None
    node: str | None = field(default=None, metadata=_KEPT)
    message: str | None = None
    preemption: PreemptionAnswer | None = None
