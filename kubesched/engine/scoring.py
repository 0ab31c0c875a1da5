"""How good each node that fits is.

Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go (PrioritizeNodes).
"""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from kubesched.engine.errors import EvaluationError
from kubesched.engine.workers import Workers
from kubesched.errors import SpecError
from kubesched.framework import SKIP, PrioritySpec, meta_of
from kubesched.model import Pod
from kubesched.state import NodeInfo, Snapshot

SCORE_WITHOUT_PRIORITIES = 1
"""What every node scores where there is no priority at all."""


@frozen(eq=False)
class Scored:
    """The scores of nodes, each list in the nodes' order.

    Attributes:
        columns: a list of scores for each priority, by its name, after reduce and before weighting.
        totals: the weighted sums.
    """

    columns: dict[str, Sequence[int]]
    totals: Sequence[int]


def prioritize_nodes(
    pod: Pod,
    priorities: Sequence[PrioritySpec[Any]],
    nodes: Sequence[NodeInfo],
    snapshot: Snapshot,
    workers: Workers,
) -> Scored:
    """Score nodes by every priority and add up; O(nodes x priorities).

    Raises:
        EvaluationError: priorities raised, on whatever node.
        SpecError: a reduce that gives another number of scores, or scores that are no integers.
    """
    if not priorities:
        return Scored({}, [SCORE_WITHOUT_PRIORITIES] * len(nodes))
    columns: dict[str, Sequence[int]] = {}
    errors: list[Exception] = []
    for spec in priorities:
        try:
            meta = meta_of(spec, pod, snapshot)
        except Exception as error:  # noqa: BLE001 - it is reported with those of other priorities
            errors.append(error)
            continue
        if meta is SKIP:
            columns[spec.name] = [0] * len(nodes)
            continue
        scores = _map(spec, pod, meta, nodes, workers, errors)
        columns[spec.name] = scores if errors else _reduce(spec, pod, meta, nodes, scores, errors)
    if errors:
        raise EvaluationError.of_priorities(errors)
    for name, column in columns.items():
        _check_column(name, column, nodes)
    return Scored(columns, _totals(priorities, columns))


def _map(
    spec: PrioritySpec[Any],
    pod: Pod,
    meta: Any,
    nodes: Sequence[NodeInfo],
    workers: Workers,
    errors: list[Exception],
) -> Sequence[int]:
    score = spec.map

    def score_all(chunk: Sequence[NodeInfo]) -> Sequence[int]:
        return [score(pod, meta, node) for node in chunk]

    try:
        return workers.spread(score_all, nodes, blocks=spec.blocks)
    except Exception as error:  # noqa: BLE001 - asked again node by node, so that each is seen
        errors.extend(_errors_of(spec, pod, meta, nodes) or [error])
        return []


def _errors_of(
    spec: PrioritySpec[Any], pod: Pod, meta: Any, nodes: Sequence[NodeInfo]
) -> list[Exception]:
    errors: list[Exception] = []
    for node in nodes:
        try:
            spec.map(pod, meta, node)
        except Exception as error:  # noqa: BLE001 - it is reported with those of other nodes
            errors.append(error)
    return errors


def _reduce(
    spec: PrioritySpec[Any],
    pod: Pod,
    meta: Any,
    nodes: Sequence[NodeInfo],
    scores: Sequence[int],
    errors: list[Exception],
) -> Sequence[int]:
    if spec.reduce is None:
        return scores
    try:
        return spec.reduce(pod, meta, nodes, scores)
    except Exception as error:  # noqa: BLE001 - it is reported with those of other priorities
        _check_column(spec.name, scores, nodes)  # a map's odd score may be all that is wrong
        errors.append(error)
        return []


def _check_column(name: str, column: object, nodes: Sequence[NodeInfo]) -> None:
    if not isinstance(column, Sequence):
        raise SpecError(f"the reduce of priority {name!r} returned {column!r}, expected scores")
    if len(column) != len(nodes):
        raise SpecError(
            f"the reduce of priority {name!r} returned {len(column)} scores for {len(nodes)} nodes"
        )
    if not all(issubclass(kind, int) for kind in set(map(type, column))):
        odd = next(score for score in column if not isinstance(score, int))
        raise SpecError(f"priority {name!r} scored {odd!r}, expected an integer")


def _totals(
    priorities: Sequence[PrioritySpec[Any]], columns: dict[str, Sequence[int]]
) -> Sequence[int]:
    weighted = [
        columns[spec.name]
        if spec.weight == 1
        else [spec.weight * score for score in columns[spec.name]]
        for spec in priorities
    ]
    return [sum(scores) for scores in zip(*weighted, strict=True)]
