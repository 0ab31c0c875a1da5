"""What must hold in a Policy, beside that the names are known.

Source: kubernetes v1.12.2, pkg/scheduler/api/validation/validation.go (ValidatePolicy),
pkg/scheduler/factory/plugins.go (validateSelectedConfigs, validatePredicateOrDie,
validatePriorityOrDie, validateAlgorithmNameOrDie),
pkg/scheduler/algorithm/priorities/requested_to_capacity_ratio.go (NewFunctionShape).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from attrs import NOTHING, AttrsInstance, fields

from kubesched.config.policy.model import (
    HARD_WEIGHT,
    Policy,
    PredicateArgument,
    PriorityArgument,
    PriorityPolicy,
    UtilizationShapePoint,
)
from kubesched.errors import OptionError
from kubesched.framework import MAX_SCORE, WEIGHT_LIMIT
from kubesched.manifests.fault import Fault
from kubesched.manifests.paths import wire_name
from kubesched.plugins.http_extender import ExtenderConfig
from kubesched.plugins.http_extender.tls import tls_context
from kubesched.plugins.resources.capacity_ratio import FULL
from kubesched.state.resources import is_extended

HIGHEST_HARD_WEIGHT: Final = 100
_LARGEST_TOTAL: Final = 2**63 - 1
_NAME: Final = re.compile(r"[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])")


def faults_of(policy: Policy) -> Iterator[Fault]:
    """Go over all that is wrong with a Policy whatever is registered, field by field."""
    for index, predicate in enumerate(policy.predicates or ()):
        yield from _of_rule(f"predicates[{index}]", predicate.name, predicate.argument)
    for index, priority in enumerate(policy.priorities or ()):
        yield from _of_priority(f"priorities[{index}]", priority)
    yield from _of_total(policy.priorities or ())
    yield from _of_extenders(policy.extenders)
    if policy.hard_pod_affinity_symmetric_weight:
        yield from faults_of_hard_weight(policy.hard_pod_affinity_symmetric_weight)


def faults_of_hard_weight(weight: int) -> Iterator[Fault]:
    """Check the weight of required pod affinity.

    >>> [fault.value for weight in (0, 1, 100, 101) for fault in faults_of_hard_weight(weight)]
    [0, 101]
    """
    if not 1 <= weight <= HIGHEST_HARD_WEIGHT:
        yield Fault(HARD_WEIGHT, weight, f"is out of range (expected 1 to {HIGHEST_HARD_WEIGHT})")


# -- predicates and priorities ---------------------------------------------------------------------


def _of_rule(
    path: str, name: str, argument: PredicateArgument | PriorityArgument | None
) -> Iterator[Fault]:
    if not name:
        yield Fault(f"{path}.name", NOTHING, "is missing")
    if argument is None:
        return
    if name and _NAME.fullmatch(name) is None:
        why = "is no name for a rule (expected two or more letters or digits, '-' in between)"
        yield Fault(f"{path}.name", name, why)
    number = len(given(argument))
    if number != 1:
        kinds = ", ".join(wire_name(each) for each in fields(type(argument)))
        why = f"has {number or 'no'} arguments (expected exactly one of {kinds})"
        yield Fault(f"{path}.argument", NOTHING, why)


def given(argument: AttrsInstance) -> list[object]:
    """Return the arguments that there are.

    >>> given(PredicateArgument())
    []
    """
    values = (getattr(argument, each.name) for each in fields(type(argument)))
    return [value for value in values if value is not None]


def _of_priority(path: str, priority: PriorityPolicy) -> Iterator[Fault]:
    yield from _of_rule(path, priority.name, priority.argument)
    expected = f"(expected above 0 and below {WEIGHT_LIMIT})"
    if priority.weight is None:
        yield Fault(f"{path}.weight", NOTHING, f"is missing {expected}")
    elif not 0 < priority.weight < WEIGHT_LIMIT:
        yield Fault(f"{path}.weight", priority.weight, f"is out of range {expected}")
    ratio = priority.argument and priority.argument.requested_to_capacity_ratio_arguments
    if ratio:
        where = f"{path}.argument.requestedToCapacityRatioArguments.shape"
        yield from _of_shape(where, ratio.shape)


def _of_total(priorities: Sequence[PriorityPolicy]) -> Iterator[Fault]:
    """Check that no node's total can pass 64 bits; each weight by itself is checked elsewhere."""
    weights = {each.name: each.weight or 0 for each in priorities}
    in_range = all(weight < WEIGHT_LIMIT for weight in weights.values())
    if in_range and sum(weights.values()) * MAX_SCORE > _LARGEST_TOTAL:
        names = ", ".join(weights)
        why = f"have too large a sum of weights (expected at most {_LARGEST_TOTAL // MAX_SCORE})"
        yield Fault("priorities", NOTHING, f"{why}: {names}")


def _of_shape(path: str, points: Sequence[UtilizationShapePoint]) -> Iterator[Fault]:
    if not points:
        yield Fault(path, NOTHING, "is empty (expected at least one point)")
    for index, point in enumerate(points):
        bounds = (("utilization", point.utilization, FULL), ("score", point.score, MAX_SCORE))
        for name, value, highest in bounds:
            if not 0 <= value <= highest:
                why = f"is out of range (expected 0 to {highest})"
                yield Fault(f"{path}[{index}].{name}", value, why)
    for index, (left, right) in enumerate(pairwise(points), 1):
        if left.utilization >= right.utilization:
            why = f"is not sorted (expected more than the {left.utilization} before it)"
            yield Fault(f"{path}[{index}].utilization", right.utilization, why)


# -- extenders -------------------------------------------------------------------------------------


def _of_extenders(extenders: Sequence[ExtenderConfig]) -> Iterator[Fault]:
    managed: set[str] = set()
    for index, extender in enumerate(extenders):
        path = f"extenders[{index}]"
        if extender.prioritize_verb and extender.weight <= 0:
            why = "is out of range (expected above 0 where there is a prioritizeVerb)"
            yield Fault(f"{path}.weight", extender.weight, why)
        yield from _of_tls(f"{path}.tlsConfig", extender)
        yield from _of_resources(f"{path}.managedResources", extender, managed)
    yield from _of_binders(extenders)


def _of_tls(path: str, extender: ExtenderConfig) -> Iterator[Fault]:
    try:
        tls_context(extender)
    except OptionError as error:
        yield Fault(path, NOTHING, f"cannot be used: {error}")


def _of_binders(extenders: Sequence[ExtenderConfig]) -> Iterator[Fault]:
    binders = {index: each.bind_verb for index, each in enumerate(extenders) if each.bind_verb}
    if len(binders) > 1:
        why = f"is one of {len(binders)} (expected at most one extender that binds)"
        yield from (Fault(f"extenders[{index}].bindVerb", binders[index], why) for index in binders)


def _of_resources(path: str, extender: ExtenderConfig, managed: set[str]) -> Iterator[Fault]:
    for index, resource in enumerate(extender.managed_resources):
        if not is_extended(resource.name):
            why = "is not the name of an extended resource (expected one like 'example.com/gpu')"
            yield Fault(f"{path}[{index}].name", resource.name, why)
        if resource.name in managed:
            yield Fault(f"{path}[{index}].name", resource.name, "is managed more than once")
        managed.add(resource.name)
