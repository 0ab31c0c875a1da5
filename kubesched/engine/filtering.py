"""Which nodes a pod fits.

Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go (findNodesThatFit,
podFitsOnNode, numFeasibleNodesToFind).
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from kubesched.engine.errors import EvaluationError
from kubesched.engine.workers import Workers
from kubesched.errors import SpecError
from kubesched.framework import FITS, PredicateSpec, Reason, meta_of, reasons_of
from kubesched.model import Pod
from kubesched.state import NodeCursor, NodeInfo, Snapshot

MIN_FEASIBLE_NODES_TO_FIND: Final = 100
"""Nodes that are found feasible, if there are as many, before the search may stop."""

PERCENT: Final = 100


def num_feasible_nodes_to_find(num_all_nodes: int, percentage: int) -> int:
    """Return how many feasible nodes end the search; O(1).

    Differs: numbers of nodes beyond 2^31 do not wrap.

    >>> num_feasible_nodes_to_find(5000, 50), num_feasible_nodes_to_find(120, 50)
    (2500, 100)
    """
    if num_all_nodes < MIN_FEASIBLE_NODES_TO_FIND or not 0 < percentage < PERCENT:
        return num_all_nodes
    return max(MIN_FEASIBLE_NODES_TO_FIND, num_all_nodes * percentage // PERCENT)


@frozen
class PreparedPredicate:
    """A predicate with what it prepared for one pod."""

    spec: PredicateSpec[Any]
    meta: Any


@define(eq=False)
class Filtered:
    """The nodes that were looked at: those that fit, in their order, and why the others do not.

    Nodes that were not looked at, because enough others fit, are in neither.
    """

    feasible: list[NodeInfo] = field(factory=list)
    refusals: dict[str, tuple[Reason, ...]] = field(factory=dict)


Verdict: TypeAlias = tuple[Reason, ...] | Exception
"""What became of one node: the reasons against it (none if it fits), or what was raised."""


@frozen
class Filter:
    """A pod's predicates, ready to be asked about nodes."""

    pod: Pod
    predicates: Sequence[PreparedPredicate]
    checks_all: bool
    blocks: bool

    @classmethod
    def prepared(
        cls,
        pod: Pod,
        predicates: Sequence[PredicateSpec[Any]],
        snapshot: Snapshot,
        *,
        checks_all: bool,
    ) -> "Filter":
        """Let each predicate prepare for the pod.

        Raises:
            EvaluationError: predicates raised.
        """
        ready = _prepared(pod, predicates, snapshot)
        return cls(pod, ready, checks_all, any(spec.blocks for spec in predicates))

    def verdicts(self, nodes: Sequence[NodeInfo]) -> list[Verdict]:
        """Ask about each node; O(nodes x predicates).

        Raises:
            SpecError: an answer is no `Fit`.
        """
        pod, checks_all = self.pod, self.checks_all
        checks = [(each.spec, each.spec.check, each.meta) for each in self.predicates]
        verdicts: list[Verdict] = []
        for node in nodes:
            reasons: tuple[Reason, ...] = ()
            try:
                for spec, check, meta in checks:
                    fit = check(pod, meta, node)
                    if fit is FITS:
                        continue
                    reasons += reasons_of(spec, fit)
                    if reasons and not checks_all:
                        break
            except SpecError:
                raise
            except Exception as error:  # noqa: BLE001 - it is reported with those of other nodes
                verdicts.append(error)
            else:
                verdicts.append(reasons)
        return verdicts


def _prepared(
    pod: Pod, predicates: Sequence[PredicateSpec[Any]], snapshot: Snapshot
) -> list[PreparedPredicate]:
    ready: list[PreparedPredicate] = []
    errors: list[Exception] = []
    for spec in predicates:
        try:
            meta = meta_of(spec, pod, snapshot)
        except Exception as error:  # noqa: BLE001 - it is reported with those of other predicates
            errors.append(error)
        else:
            ready.append(PreparedPredicate(spec, meta))
    if errors:
        raise EvaluationError.of_predicates(errors)
    return ready


def find_nodes_that_fit(
    wanted: Filter, snapshot: Snapshot, cursor: NodeCursor, percentage: int, workers: Workers
) -> Filtered:
    """Look at nodes from the cursor's place on until enough fit or all were looked at.

    The cursor stops behind the last node that was looked at. As only as many names are taken as
    nodes are still to be found, the answer is the same for any number of workers.

    Raises:
        EvaluationError: predicates raised, on whatever node.
        SpecError: a predicate's answer is no `Fit`.
    """
    found, errors = Filtered(), list[Exception]()
    to_find = num_feasible_nodes_to_find(snapshot.num_nodes, percentage)
    left = snapshot.num_nodes
    while left and len(found.feasible) < to_find:
        names = cursor.take(snapshot.order, min(left, to_find - len(found.feasible)))
        left -= len(names)
        _look_at(snapshot.node_infos.select(names), wanted, workers, found, errors)
    if errors:
        raise EvaluationError.of_predicates(errors)
    return found


def _look_at(
    nodes: Sequence[NodeInfo],
    wanted: Filter,
    workers: Workers,
    found: Filtered,
    errors: list[Exception],
) -> None:
    chunks = workers.chunks(nodes, blocks=wanted.blocks)
    verdicts = workers.map(wanted.verdicts, chunks, blocks=wanted.blocks)
    for chunk, of_chunk in zip(chunks, verdicts, strict=True):
        for node, verdict in zip(chunk, of_chunk, strict=True):
            if isinstance(verdict, Exception):
                errors.append(verdict)
            elif verdict:
                found.refusals[node.name] = verdict
            else:
                found.feasible.append(node)
