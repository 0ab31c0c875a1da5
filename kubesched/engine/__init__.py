"""Deciding: filter, score, select. It knows no rule by name."""

from kubesched.engine.decision import Decision
from kubesched.engine.equivalence import CacheStatistics, EquivalenceCache, EquivalenceClass
from kubesched.engine.errors import ClaimError, EvaluationError, FitError, NoNodesAvailable
from kubesched.engine.extender import bind_by_extender, binder_of
from kubesched.engine.filtering import num_feasible_nodes_to_find
from kubesched.engine.generic_scheduler import GenericScheduler
from kubesched.engine.preemption import Preemption, preempt
from kubesched.engine.selection import (
    FirstByName,
    HostSelector,
    Random,
    RoundRobin,
    select_host,
)
from kubesched.engine.workers import WORKERS, Workers

__all__ = [
    "WORKERS",
    "CacheStatistics",
    "ClaimError",
    "Decision",
    "EquivalenceCache",
    "EquivalenceClass",
    "EvaluationError",
    "FirstByName",
    "FitError",
    "GenericScheduler",
    "HostSelector",
    "NoNodesAvailable",
    "Preemption",
    "Random",
    "RoundRobin",
    "Workers",
    "bind_by_extender",
    "binder_of",
    "num_feasible_nodes_to_find",
    "preempt",
    "select_host",
]
