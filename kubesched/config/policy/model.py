"""A Policy as it is written: names of rules, their weights and arguments, extenders.

What is not written has Go's empty value, or None where that makes a difference.

Source: kubernetes v1.12.2, pkg/scheduler/api/v1/types.go, Policy.
"""

from typing import Final

from attrs import field, frozen

from kubesched.config.wire import ANY_CASE
from kubesched.plugins.http_extender import ExtenderConfig


@frozen(kw_only=True)
class LabelsPresence:
    """Labels that all must be on a node, or of which none may."""

    labels: tuple[str, ...] = ()
    presence: bool = False


@frozen(kw_only=True)
class ServiceAffinity:
    """Labels in whose values the nodes of a service's pods agree."""

    labels: tuple[str, ...] = ()


@frozen(kw_only=True)
class PredicateArgument:
    """What a predicate is made of; exactly one is to be given."""

    labels_presence: LabelsPresence | None = None
    service_affinity: ServiceAffinity | None = None


@frozen(kw_only=True)
class PredicatePolicy:
    """A predicate's name, and its argument if it is made here."""

    name: str = ""
    argument: PredicateArgument | None = None


@frozen(kw_only=True)
class LabelPreference:
    """A label that had better be on a node, or had better not."""

    label: str = ""
    presence: bool = False


@frozen(kw_only=True)
class ServiceAntiAffinity:
    """A label over whose values the pods of a service are to be spread."""

    label: str = ""


@frozen(kw_only=True)
class UtilizationShapePoint:
    """A score, 0..10, at a utilization, 0..100 percent."""

    utilization: int = 0
    score: int = 0


@frozen(kw_only=True)
class CapacityRatio:
    """The line along which utilization is scored."""

    shape: tuple[UtilizationShapePoint, ...] = ()


@frozen(kw_only=True)
class PriorityArgument:
    """What a priority is made of; exactly one is to be given."""

    service_anti_affinity: ServiceAntiAffinity | None = None
    label_preference: LabelPreference | None = None
    requested_to_capacity_ratio_arguments: CapacityRatio | None = None


@frozen(kw_only=True)
class PriorityPolicy:
    """A priority's name and weight, and its argument if it is made here."""

    name: str = ""
    weight: int | None = None
    argument: PriorityArgument | None = None


@frozen(kw_only=True)
class Policy:
    """A whole Policy; `predicates` or `priorities` of None means the default provider's."""

    predicates: tuple[PredicatePolicy, ...] | None = None
    priorities: tuple[PriorityPolicy, ...] | None = None
    extenders: tuple[ExtenderConfig, ...] = field(default=(), metadata={ANY_CASE: True})
    hard_pod_affinity_symmetric_weight: int = 0
    always_check_all_predicates: bool = False


HARD_WEIGHT: Final = "hardPodAffinitySymmetricWeight"
"""What the weight of required pod affinity is called where it is written."""
