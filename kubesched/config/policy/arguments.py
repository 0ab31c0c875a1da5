"""From the arguments in a Policy to the rules that are made of them."""

from collections.abc import Mapping
from typing import Any, Final

from kubesched.config.policy.model import (
    CapacityRatio,
    LabelPreference,
    LabelsPresence,
    ServiceAffinity,
    ServiceAntiAffinity,
)
from kubesched.framework import PredicateSpec, PrioritySpec
from kubesched.plugins.node_labels import check_node_label_presence, node_label
from kubesched.plugins.resources import ShapePoint, requested_to_capacity_ratio
from kubesched.plugins.service_affinity import check_service_affinity
from kubesched.plugins.spreading import service_anti_affinity

NAME_THAT_RUNS: Final[Mapping[type, str]] = {
    LabelsPresence: "CheckNodeLabelPresence",
    ServiceAffinity: "CheckServiceAffinity",
}
"""The names that the original asks predicates with these arguments under."""


def predicate_of(name: str, argument: object) -> PredicateSpec[Any]:
    """Make a predicate.

    >>> predicate_of("NotRetiring", LabelsPresence(labels=("retiring",))).name
    'NotRetiring'
    """
    match argument:
        case LabelsPresence():
            return check_node_label_presence(argument.labels, presence=argument.presence, name=name)
        case ServiceAffinity():
            return check_service_affinity(argument.labels, name=name)
        case _:
            raise TypeError(argument)


def priority_of(name: str, argument: object) -> PrioritySpec[Any]:
    """Make a priority of weight 1.

    Raises:
        OptionError: a shape that is no line within its bounds.
    """
    match argument:
        case ServiceAntiAffinity():
            return service_anti_affinity(argument.label, name=name)
        case LabelPreference():
            return node_label(name, argument.label, presence=argument.presence)
        case CapacityRatio():
            points = (ShapePoint(each.utilization, each.score) for each in argument.shape)
            return requested_to_capacity_ratio(points, name=name)
        case _:
            raise TypeError(argument)
