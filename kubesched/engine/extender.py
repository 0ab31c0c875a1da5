"""What extenders have to say in a decision.

Each is asked in its turn, if it is interested in the pod.

Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go (findNodesThatFit,
PrioritizeNodes, processPreemptionWithExtenders), pkg/scheduler/factory/factory.go (getBinderFunc).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from logging import getLogger
from typing import Final

from kubesched.engine.extender_answers import bound, filtered, preempted, scored
from kubesched.engine.workers import Workers
from kubesched.errors import ExtenderError
from kubesched.framework import Extender, Reason, Victims
from kubesched.model import Binding, Pod
from kubesched.state import NodeInfo, Snapshot

_LOGGER: Final = getLogger("kubesched.engine")


def filter_by_extenders(
    pod: Pod,
    extenders: Sequence[Extender],
    feasible: list[NodeInfo],
    refusals: Mapping[str, tuple[Reason, ...]],
    snapshot: Snapshot,
) -> tuple[list[NodeInfo], Mapping[str, tuple[Reason, ...]]]:
    """Let extenders choose among the nodes that fit, each among those that the one before left.

    Once no node is left the others are not asked. What an extender says against a node is appended
    to the node's reasons, even if the node is kept or does not exist. The nodes that it keeps go on
    in its order, as often as it names them, and may be such as were refused before.

    Args:
        pod: the pod.
        extenders: in the order in which they are asked.
        feasible: the nodes that fit.
        refusals: why the others do not.
        snapshot: all nodes.

    Returns:
        The nodes that are left, and the reasons against nodes.

    Raises:
        ExtenderError: one that is not ignorable failed, or kept a node that does not exist.

    Differs: the original's process ends if a name is kept that it does not know, and it takes a
        whole node that it does not know; both are errors here.
    """
    against = dict(refusals)
    for extender in _interested(extenders, pod):
        if extender.filter is None or not feasible:
            continue
        try:
            feasible, failed = filtered(extender, extender.filter, pod, feasible, snapshot)
        except ExtenderError as error:
            _skip(extender, error)
            continue
        for name, text in failed.items():
            against[name] = (*against.get(name, ()), Reason(text))
    return feasible, against


def scores_of_extenders(
    pod: Pod,
    extenders: Sequence[Extender],
    nodes: Sequence[NodeInfo],
    workers: Workers | None = None,
) -> Mapping[str, int]:
    """Return what extenders add to the nodes' totals: their scores times their weights, summed up.

    All of them see all nodes, at the same time if there are workers. One that fails adds nothing,
    whether it is ignorable or not; only the log tells.
    """
    asked = [each for each in _interested(extenders, pod) if each.prioritize is not None]

    def weighted(part: Sequence[Extender]) -> Mapping[str, int]:
        return _weighted(part[0], pod, nodes)

    totals = Counter[str]()
    blocks = any(each.blocks for each in asked)
    for scores in (workers or Workers(1)).map(weighted, [[one] for one in asked], blocks=blocks):
        totals.update(scores)
    return totals


def _weighted(extender: Extender, pod: Pod, nodes: Sequence[NodeInfo]) -> Mapping[str, int]:
    if extender.prioritize is None:
        return {}
    try:
        scores = scored(extender, extender.prioritize, pod, nodes)
    except ExtenderError as error:
        _LOGGER.warning("extender %s adds no scores: %s", extender.name, error)
        return {}
    return {name: extender.weight * score for name, score in scores.items()}


def preempt_by_extenders(
    pod: Pod, extenders: Sequence[Extender], candidates: Mapping[str, Victims], snapshot: Snapshot
) -> Mapping[str, Victims]:
    """Let extenders say where which pods are to make room, each given what the one before said.

    An answer takes the place of the candidates; once none is left the others are not asked. It may
    name any node and any pods on it. A node that does not exist is taken if it has no victims: if
    it is chosen in the end, nobody is nominated.

    Raises:
        ExtenderError: one that is not ignorable failed, or named victims that are not there.
    """
    for extender in _interested(extenders, pod):
        if extender.preempt is None or not candidates:
            continue
        try:
            candidates = preempted(extender, extender.preempt, pod, candidates, snapshot)
        except ExtenderError as error:
            _skip(extender, error)
    return candidates


def binder_of(extenders: Sequence[Extender], pod: Pod) -> Extender | None:
    """Return the extender that binds a pod; None if the scheduler does so itself.

    It is the first that binds at all, if it is interested.

    >>> from kubesched.builders import pod
    >>> gpus = Extender("gpus", bind=print, managed_resources={"example.com/gpu"})
    >>> binder_of([gpus], pod("web-1", cpu=1)) is None
    True
    """
    binds = (each for each in extenders if each.bind is not None)
    first = next(binds, None)
    return first if first is not None and first.is_interested_in(pod) else None


def bind_by_extender(extender: Extender, binding: Binding) -> None:
    """Let an extender bind a pod.

    Raises:
        ExtenderError: it could not.
    """
    if extender.bind is None:
        raise ExtenderError(extender.name, f"extender {extender.name!r} binds no pods")
    bound(extender, extender.bind, binding)


def _interested(extenders: Sequence[Extender], pod: Pod) -> Iterator[Extender]:
    return (each for each in extenders if each.is_interested_in(pod))


def _skip(extender: Extender, error: ExtenderError) -> None:
    """Go on without an extender that failed, if that is allowed."""
    if not extender.ignorable:
        raise error
    _LOGGER.warning("extender %s is skipped: %s", extender.name, error)
