"""Deciding: filter, score, select. It knows no rule by name."""

from kubesched.engine.decision import Decision
from kubesched.engine.errors import ClaimError, EvaluationError, FitError, NoNodesAvailable
from kubesched.engine.filtering import num_feasible_nodes_to_find
from kubesched.engine.generic_scheduler import GenericScheduler
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
    "ClaimError",
    "Decision",
    "EvaluationError",
    "FirstByName",
    "FitError",
    "GenericScheduler",
    "HostSelector",
    "NoNodesAvailable",
    "Random",
    "RoundRobin",
    "Workers",
    "num_feasible_nodes_to_find",
    "select_host",
]
