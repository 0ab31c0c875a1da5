"""A score for nodes of which cpu, memory and volumes would be used alike.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/balanced_resource_allocation.go with
the gate BalanceAttachedNodeVolumes; pkg/scheduler/algorithm/predicates/predicates.go
(MaxPDVolumeCountChecker), which leaves the counts; pkg/scheduler/cache/cache.go, which takes them
away before each attempt.
"""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from attrs import evolve, frozen

from kubesched.framework import MAX_SCORE, PredicateSpec, PrioritySpec, RuleSet
from kubesched.model import Pod
from kubesched.plugins.volumes.limits import VolumeLimit, WantedVolumes, wanted_volumes
from kubesched.state import Facet, NodeInfo, NonzeroRequests, Snapshot, nonzero_requests

R = TypeVar("R", bound=RuleSet)

_READS: Final = frozenset({Facet.REQUESTED, Facet.ALLOCATABLE})


@frozen
class CountedVolumes:
    """The pod's volumes that are counted, and the limit on them."""

    limit: VolumeLimit
    wanted: WantedVolumes


@frozen
class Shares:
    """What a pod would take of a node: what it counts for, and its volumes if any are counted."""

    requests: NonzeroRequests
    volumes: CountedVolumes | None


@frozen
class PrepareShares:
    """Prepares the priority.

    Attributes:
        limits: the predicates that count volumes, in the order in which they are asked.
    """

    limits: tuple[VolumeLimit, ...]

    def __call__(self, pod: Pod, snapshot: Snapshot, /) -> Shares:
        """Work out what the pod would take."""
        return Shares(nonzero_requests(pod), self._last_that_counts(pod, snapshot))

    def _last_that_counts(self, pod: Pod, snapshot: Snapshot) -> CountedVolumes | None:
        for limit in reversed(self.limits):
            wanted = wanted_volumes(limit.kind, pod, snapshot)
            if wanted is not None:
                return CountedVolumes(limit, wanted)
        return None


def balanced_score(cpu: float, memory: float, volumes: float | None) -> int:
    """Score how alike the used parts would be: 10 for equal, 0 if nothing would be left of one.

    The parts are doubles and the last step cuts off, so binary rounding shows as in the original.

    >>> balanced_score(0.5, 0.25, None), balanced_score(0.5, 0.25, 0.75), balanced_score(0.5, 1, 0)
    (7, 9, 0)
    """
    if cpu >= 1 or memory >= 1 or (volumes is not None and volumes >= 1):
        return 0
    if volumes is None:
        return int((1 - abs(cpu - memory)) * MAX_SCORE)
    mean = (cpu + memory + volumes) / 3
    squares = [(part - mean) * (part - mean) for part in (cpu, memory, volumes)]
    return int((1 - (squares[0] + squares[1] + squares[2]) / 3) * MAX_SCORE)


def score_shares(_pod: Pod, mine: Shares, node: NodeInfo, /) -> int:
    """Score how alike the used parts of cpu, memory and volumes would be.

    Of volumes it is the part that the pod would take of those that the node still takes. They are
    left out where the pod has none that count, or the node takes no more.
    """
    used, allocatable = node.nonzero_requested, node.allocatable
    return balanced_score(
        _part(mine.requests.milli_cpu + used.milli_cpu, allocatable.milli_cpu),
        _part(mine.requests.memory + used.memory, allocatable.memory),
        _part_of_volumes(mine.volumes, node),
    )


def _part(requested: int, capacity: int) -> float:
    return float(requested) / float(capacity) if capacity else 1.0


def _part_of_volumes(counted: CountedVolumes | None, node: NodeInfo) -> float | None:
    if counted is None:
        return None
    use = counted.limit.use(counted.wanted, node)
    return float(use.new) / float(use.free) if use.free > 0 else None


def _limits_among(predicates: Iterable[PredicateSpec[Any]]) -> tuple[VolumeLimit, ...]:
    in_order = sorted(predicates, key=lambda spec: spec.order)
    return tuple(spec.check for spec in in_order if isinstance(spec.check, VolumeLimit))


def balanced_resource_allocation_with_volumes(
    predicates: Iterable[PredicateSpec[Any]],
) -> PrioritySpec[Shares]:
    """Return BalancedResourceAllocation as it is with the gate BalanceAttachedNodeVolumes.

    Which kind of volumes counts is decided by the predicates: the last one that limits volumes and
    finds any of its kind in the pod. MaxCSIVolumeCountPred is none of them.

    Args:
        predicates: those that run beside the priority, in any order; others than volume limits
            do not matter.

    Differs: in the original the predicates leave what they counted with the node, so a verdict
    that comes from its equivalence cache leaves nothing, and the volumes are then left out.

    >>> from kubesched.plugins.volumes import MAX_EBS_VOLUME_COUNT
    >>> balanced_resource_allocation_with_volumes([MAX_EBS_VOLUME_COUNT]).name
    'BalancedResourceAllocation'
    """
    limits = _limits_among(predicates)
    return PrioritySpec(
        "BalancedResourceAllocation",
        score_shares,
        prepare=PrepareShares(limits),
        reads=_READS.union(*(limit.reads for limit in limits)),
    )


def attuned(rules: R) -> R:
    """Return rules in which the priority that balances volumes goes by the rules' own predicates.

    Rules without this priority come back as they are.

    >>> attuned(RuleSet()) == RuleSet()
    True
    """
    made = balanced_resource_allocation_with_volumes(rules.predicates)
    priorities = [
        evolve(spec, prepare=made.prepare, reads=made.reads)
        if isinstance(spec.prepare, PrepareShares)
        else spec
        for spec in rules.priorities
    ]
    return evolve(rules, priorities=priorities)
