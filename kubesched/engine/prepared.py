"""A pod's predicates, ready to be asked about nodes."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from attrs import frozen

from kubesched.engine.errors import EvaluationError
from kubesched.framework import (
    FITS,
    SKIP,
    FollowsPods,
    PredicateSpec,
    Reason,
    meta_of,
    reasons_of,
)
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, Snapshot

Question: TypeAlias = Callable[[NodeInfo], tuple[Reason, ...]]
"""Tells the reasons against a node."""


@frozen(eq=False)
class Prepared:
    """The predicates that have something to say of a pod, each with what it prepared.

    Attributes:
        pod: the pod.
        specs: the predicates, in their order.
        metas: what each of them prepared.
        snapshot: the cluster that it was prepared for.
        checks_all: whether a node is asked every predicate even after a refusal.
    """

    pod: Pod
    specs: tuple[PredicateSpec[Any], ...]
    metas: tuple[Any, ...]
    snapshot: Snapshot
    checks_all: bool = False

    @classmethod
    def of(
        cls,
        pod: Pod,
        predicates: Iterable[PredicateSpec[Any]],
        snapshot: Snapshot,
        *,
        checks_all: bool = False,
    ) -> "Prepared":
        """Let each predicate prepare for a pod.

        Raises:
            EvaluationError: predicates raised.
        """
        specs: list[PredicateSpec[Any]] = []
        metas: list[Any] = []
        errors: list[Exception] = []
        for spec in predicates:
            try:
                meta = meta_of(spec, pod, snapshot)
            except Exception as error:  # noqa: BLE001 - it is reported with those of others
                errors.append(error)
            else:
                if meta is not SKIP:
                    specs.append(spec)
                    metas.append(meta)
        if errors:
            raise EvaluationError.of_predicates(errors)
        return cls(pod, tuple(specs), tuple(metas), snapshot, checks_all)

    @property
    def blocks(self) -> bool:
        """Whether a predicate waits for something outside, so that threads help."""
        return any(spec.blocks for spec in self.specs)

    @cached_property
    def reasons_against(self) -> Question:
        """What tells why the pod does not fit a node, nothing if it does; O(predicates).

        It raises a `SpecError` if an answer is no `Fit`, and whatever a predicate raises.
        """
        return self.question(self.metas)

    def question(self, metas: Sequence[Any]) -> Question:
        """Return what tells the same, had the predicates prepared other metas."""
        pod, checks_all = self.pod, self.checks_all
        asked = [(spec.check, meta, spec) for spec, meta in zip(self.specs, metas, strict=True)]

        def reasons_against(node: NodeInfo) -> tuple[Reason, ...]:
            reasons: tuple[Reason, ...] = ()
            for check, meta, spec in asked:
                fit = check(pod, meta, node)
                if fit is FITS:
                    continue
                reasons += reasons_of(spec, fit)
                if reasons and not checks_all:
                    break
            return reasons

        return reasons_against

    @cached_property
    def followers(self) -> tuple[int, ...]:
        """Which of the metas can follow pods that come and go."""
        return tuple(i for i, meta in enumerate(self.metas) if isinstance(meta, FollowsPods))

    @cached_property
    def stale_with_pods(self) -> tuple[int, ...]:
        """Which of the metas depend on placed pods and cannot follow them."""
        return tuple(
            index
            for index, spec in enumerate(self.specs)
            if spec.prepare is not None
            and Facet.CLUSTER_PODS in spec.reads
            and index not in self.followers
        )
