"""The contract between the engine and the rules."""

from kubesched.framework.combine import all_of
from kubesched.framework.contract import (
    FITS,
    MAX_SCORE,
    Fit,
    FitPredicate,
    Prepare,
    PriorityMap,
    PriorityReduce,
    Reason,
    fit_of,
    normalize,
    quotient,
)
from kubesched.framework.registry import Registry
from kubesched.framework.rules import Options, RuleSet
from kubesched.framework.specs import (
    AFTER_STOCK,
    WEIGHT_LIMIT,
    PredicateSpec,
    PrioritySpec,
    meta_of,
    predicate,
    priority,
    reasons_of,
)

__all__ = [
    "AFTER_STOCK",
    "FITS",
    "MAX_SCORE",
    "WEIGHT_LIMIT",
    "Fit",
    "FitPredicate",
    "Options",
    "PredicateSpec",
    "Prepare",
    "PriorityMap",
    "PriorityReduce",
    "PrioritySpec",
    "Reason",
    "Registry",
    "RuleSet",
    "all_of",
    "fit_of",
    "meta_of",
    "normalize",
    "predicate",
    "priority",
    "quotient",
    "reasons_of",
]
