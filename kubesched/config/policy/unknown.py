"""Why there is no rule of a name, and what was probably meant."""

from collections.abc import Iterable, Iterator
from typing import Final

from attrs import evolve

from kubesched.config.gates import FeatureGates
from kubesched.config.registries import stock_registry
from kubesched.errors import UnknownNameError

_WANTS: Final = {
    "CheckNodeLabelPresence": "labelsPresence",
    "CheckServiceAffinity": "serviceAffinity",
}


def why_unknown(kind: str, name: str, known: Iterable[str], gates: FeatureGates) -> str:
    """Say why a name is not registered, as far as that is known.

    >>> why_unknown("predicate", "CheckNodeCondition", (), FeatureGates())
    'is not registered; it is where TaintNodesByCondition is off'
    >>> why_unknown("predicate", "CheckServiceAffinity", (), FeatureGates())
    'is not registered; it needs the argument serviceAffinity'
    """
    if name in _WANTS:
        return f"is not registered; it needs the argument {_WANTS[name]}"
    for gate, flipped in _with_a_gate_flipped(gates):
        registry = stock_registry(flipped)
        if name in (registry.predicates if kind == "predicate" else registry.priorities):
            return f"is not registered; it is where {gate}"
    return f"is not registered; {UnknownNameError(kind, name, known).hint}"


def _with_a_gate_flipped(gates: FeatureGates) -> Iterator[tuple[str, FeatureGates]]:
    taints = not gates.taint_nodes_by_condition
    yield (
        f"TaintNodesByCondition is {'on' if taints else 'off'}",
        evolve(gates, taint_nodes_by_condition=taints),
    )
    limits = not gates.resource_limits_priority_function
    yield (
        f"ResourceLimitsPriorityFunction is {'on' if limits else 'off'}",
        evolve(gates, resource_limits_priority_function=limits),
    )
