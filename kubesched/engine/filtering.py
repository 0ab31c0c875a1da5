"""Which nodes a pod fits.

Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go (findNodesThatFit,
podFitsOnNode, numFeasibleNodesToFind).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from kubesched.engine.errors import EvaluationError
from kubesched.engine.prepared import Prepared
from kubesched.engine.what_if import WhatIf
from kubesched.engine.workers import Workers
from kubesched.errors import SpecError
from kubesched.framework import PredicateSpec, Reason
from kubesched.model import FrozenMap, Pod
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


Verdict: TypeAlias = tuple[Reason, ...] | Exception
"""What became of one node: the reasons against it (none if it fits), or what was raised."""


@define(eq=False)
class Filtered:
    """The nodes that were looked at: those that fit, in their order, and why the others do not.

    Nodes that were not looked at, because enough others fit, are in neither.
    """

    feasible: list[NodeInfo] = field(factory=list)
    refusals: dict[str, tuple[Reason, ...]] = field(factory=dict)

    def note(self, nodes: Iterable[NodeInfo], verdicts: Iterable[Verdict]) -> list[Exception]:
        """Put each node where it belongs, and return what was raised instead of an answer."""
        errors: list[Exception] = []
        for node, verdict in zip(nodes, verdicts, strict=True):
            if isinstance(verdict, Exception):
                errors.append(verdict)
            elif verdict:
                self.refusals[node.name] = verdict
            else:
                self.feasible.append(node)
        return errors


Ask: TypeAlias = Callable[[Sequence[NodeInfo]], Sequence[Verdict]]
"""Tells what becomes of nodes, one verdict for each."""


def room_kept_from(pod: Pod, snapshot: Snapshot) -> Mapping[str, tuple[Pod, ...]]:
    """Return for which pods room is kept on which node when this pod looks for one; O(nominations).

    It is kept for those nominated to the node that are as important as this one, or more.
    """
    return {
        node_name: kept
        for node_name, nominated in snapshot.nominated.items()
        if (kept := tuple(each for each in nominated if _comes_first(each, pod)))
    }


def _comes_first(nominated: Pod, pod: Pod) -> bool:
    return nominated.priority >= pod.priority and nominated.key != pod.key


@frozen(eq=False)
class Filter:
    """A pod's predicates, ready to be asked about nodes on which room may be kept for others.

    Where it is, the pod has to fit the node twice: beside those other pods, as they may get there
    first, and without them, as they may never do.

    Attributes:
        prepared: the predicates.
        kept: the pods for which room is kept, by the name of the node.
    """

    prepared: Prepared
    kept: Mapping[str, tuple[Pod, ...]] = FrozenMap()

    @classmethod
    def of(
        cls,
        pod: Pod,
        predicates: Iterable[PredicateSpec[Any]],
        snapshot: Snapshot,
        *,
        checks_all: bool = False,
        keeps_room: bool = True,
    ) -> "Filter":
        """Let each predicate prepare for a pod.

        Raises:
            EvaluationError: predicates raised.
        """
        kept = room_kept_from(pod, snapshot) if keeps_room else {}
        return cls(Prepared.of(pod, predicates, snapshot, checks_all=checks_all), kept)

    def verdicts(self, nodes: Sequence[NodeInfo]) -> list[Verdict]:
        """Ask about each node; O(nodes x predicates).

        Raises:
            SpecError: an answer is no `Fit`.
        """
        ask = self._reasons_against if self.kept else self.prepared.reasons_against
        verdicts: list[Verdict] = []
        for node in nodes:
            try:
                verdicts.append(ask(node))
            except SpecError:
                raise
            except Exception as error:  # noqa: BLE001 - it is reported with those of other nodes
                verdicts.append(error)
        return verdicts

    def _reasons_against(self, node: NodeInfo) -> tuple[Reason, ...]:
        if node.name in self.kept:
            return self.reasons_beside_others(WhatIf.of(self.prepared, node))
        return self.prepared.reasons_against(node)

    def reasons_beside_others(self, node: WhatIf) -> tuple[Reason, ...]:
        """Return why the pod does not fit a node, which is left as it was.

        Raises:
            SpecError: an answer is no `Fit`.
            Exception: whatever a predicate raises.
        """
        others = self.kept.get(node.node.name, ())
        if others:
            crowded = node.copy()
            for other in others:
                crowded.add_pod(other)
            reasons = crowded.reasons_against()
            if reasons:
                return reasons
        return node.reasons_against()


def find_nodes_that_fit(
    ask: Ask,
    snapshot: Snapshot,
    cursor: NodeCursor,
    percentage: int,
    *,
    workers: Workers,
    blocks: bool,
) -> Filtered:
    """Look at nodes from the cursor's place on until enough fit or all were looked at.

    The cursor stops behind the last node that was looked at. As only as many names are taken as
    nodes are still to be found, the answer is the same for any number of workers.

    Args:
        ask: tells what becomes of nodes.
        snapshot: the cluster.
        cursor: where the last search stopped.
        percentage: how many of the nodes are enough.
        workers: who asks.
        blocks: whether asking waits for something outside.

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
        nodes = snapshot.node_infos.select(names)
        errors += found.note(nodes, workers.spread(ask, nodes, blocks=blocks))
    if errors:
        raise EvaluationError.of_predicates(errors)
    return found
