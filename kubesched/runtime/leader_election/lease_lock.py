"""The lock that candidates for leadership compete for: one record, changed by compare-and-set.

Source: kubernetes v1.12.2,
staging/src/k8s.io/client-go/tools/leaderelection/resourcelock/interface.go.
"""

from math import isfinite
from threading import Lock
from typing import Protocol

from attrs import define, field, frozen

from kubesched.errors import KubeschedError, OptionError


class LeaseError(KubeschedError):
    """A lease that cannot be read or written.

    Attributes:
        lease: which one, as the lock calls it.
    """

    def __init__(self, lease: str, why: str) -> None:
        """Say which lease and what is wrong."""
        super().__init__(f"lease {lease}: {why}")
        self.lease = lease


class LeaseConflictError(LeaseError):
    """Somebody else was quicker: the lease was not written."""


@frozen(kw_only=True)
class LeaseRecord:
    """Who leads, and in which term.

    The times are the holder's and tell others nothing: their clocks may show anything else. That
    the record was written again is what they go by.

    Attributes:
        holder_identity: who leads; empty if nobody does, and then anybody may.
        lease_duration: for how many seconds after each renewal nobody else may lead.
        acquire_time: when the term began, in seconds, by the holder's clock.
        renew_time: when it was renewed last, in seconds, by the holder's clock.
        lease_transitions: the number of the term, from 0; it grows with each.

    >>> LeaseRecord(holder_identity="a", lease_duration=15.0).lease_transitions
    0

    Source: kubernetes v1.12.2,
    staging/src/k8s.io/client-go/tools/leaderelection/resourcelock/interface.go,
    LeaderElectionRecord.

    Raises:
        OptionError: a duration that is not above 0, a time that is not finite, a negative number.
    """

    holder_identity: str
    lease_duration: float
    acquire_time: float = 0.0
    renew_time: float = 0.0
    lease_transitions: int = 0

    def __attrs_post_init__(self) -> None:
        """Refuse what would make a lease that is never over."""
        if not (self.lease_duration > 0 and isfinite(self.lease_duration)):
            raise OptionError(f"lease_duration must be above 0 s, not {self.lease_duration!r}")
        if not (isfinite(self.acquire_time) and isfinite(self.renew_time)):
            raise OptionError("acquire_time and renew_time must be finite")
        if self.lease_transitions < 0:
            raise OptionError(f"lease_transitions must not be below 0: {self.lease_transitions!r}")


@frozen
class StoredLease:
    """A record as it is in the lock.

    Attributes:
        record: what was written.
        resource_version: another one after each write, even of the same record; a text without
            meaning, to be compared for equality alone.
    """

    record: LeaseRecord
    resource_version: str


class LeaseLock(Protocol):
    """Keeps one `LeaseRecord` for all candidates; its methods may be called from any thread.

    A call should end within the deadline for renewals, if need be with an error.
    """

    def get(self) -> StoredLease | None:
        """Return the record, or None if none was written yet.

        Raises:
            Exception: it cannot be read.
        """
        ...

    def put(self, record: LeaseRecord, resource_version: str | None, /) -> StoredLease:
        """Write the record if the one that is there still has this version; None: if none is there.

        Nobody else can write between the comparison and the write.

        Raises:
            LeaseConflictError: it has another version; nothing was written.
            Exception: it cannot be written, or nobody knows whether it was.
        """
        ...


@define(eq=False)
class InMemoryLeaseLock:
    """A lock for candidates in one process.

    >>> lock = InMemoryLeaseLock()
    >>> stored = lock.put(LeaseRecord(holder_identity="a", lease_duration=15.0), None)
    >>> lock.get() == stored
    True
    >>> lock.put(LeaseRecord(holder_identity="b", lease_duration=15.0), None)
    Traceback (most recent call last):
        ...
    kubesched.runtime...LeaseConflictError: lease in memory: it was written meanwhile
    """

    _stored: StoredLease | None = field(default=None, init=False)
    _lock: Lock = field(factory=Lock, init=False, repr=False)

    def get(self) -> StoredLease | None:
        """Return the record, or None if none was written yet."""
        return self._stored

    def put(self, record: LeaseRecord, resource_version: str | None, /) -> StoredLease:
        """Write the record if the one that is there still has this version.

        Raises:
            LeaseConflictError: it has another one.
        """
        with self._lock:
            self._stored = next_lease("in memory", self._stored, record, resource_version)
            return self._stored


def next_lease(
    lease: str, stored: StoredLease | None, record: LeaseRecord, resource_version: str | None
) -> StoredLease:
    """Compare the versions, and return what is to be stored: the versions are numbers that grow.

    Raises:
        LeaseConflictError: what is stored has another version.
    """
    current = None if stored is None else stored.resource_version
    if current != resource_version:
        raise LeaseConflictError(lease, "it was written meanwhile")
    return StoredLease(record, str(int(current or 0) + 1))
