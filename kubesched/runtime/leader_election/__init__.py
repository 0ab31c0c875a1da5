"""One leader among several schedulers."""

from kubesched.runtime.leader_election.callbacks import LeaderCallbacks
from kubesched.runtime.leader_election.elector import LeaderElector
from kubesched.runtime.leader_election.fencing import FencedBinder
from kubesched.runtime.leader_election.file_lease_lock import FileLeaseLock
from kubesched.runtime.leader_election.health import LeaderHealth, LeaseOverdueError
from kubesched.runtime.leader_election.lease_lock import (
    InMemoryLeaseLock,
    LeaseConflictError,
    LeaseError,
    LeaseLock,
    LeaseRecord,
    StoredLease,
)
from kubesched.runtime.leader_election.term import DeposedError, Term
from kubesched.runtime.leader_election.timing import ElectionTiming

__all__ = [
    "DeposedError",
    "ElectionTiming",
    "FencedBinder",
    "FileLeaseLock",
    "InMemoryLeaseLock",
    "LeaderCallbacks",
    "LeaderElector",
    "LeaderHealth",
    "LeaseConflictError",
    "LeaseError",
    "LeaseLock",
    "LeaseOverdueError",
    "LeaseRecord",
    "StoredLease",
    "Term",
]
