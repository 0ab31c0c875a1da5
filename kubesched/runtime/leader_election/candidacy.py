"""What a candidate writes into the lock, and when it may.

Source: kubernetes v1.12.2, staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go
(tryAcquireOrRenew); v1.14.0 for release.
"""

from attrs import define, evolve, field, frozen

from kubesched.runtime.clock import Clock
from kubesched.runtime.leader_election.lease_lock import LeaseLock, LeaseRecord, StoredLease
from kubesched.runtime.leader_election.term import DeposedError, Term


@frozen
class _Observation:
    """What is in the lock, and since when that is known, by the own clock."""

    stored: StoredLease
    since: float


@define(eq=False)
class Candidacy:
    """What one candidate knows of the lock.

    A lease that does not change for as long as it is good for is free. When it changed is seen by
    its version; the times in the record count for nothing.

    Every method raises what the lock raises; nobody knows then whether something was written.

    Attributes:
        lock: what all candidates compete for.
        identity: who this is.
        clock: the candidate's own.
        lease_duration: what it promises when it writes, in seconds.
    """

    lock: LeaseLock
    identity: str
    clock: Clock
    lease_duration: float
    _observation: _Observation | None = field(default=None, init=False)
    _highest_token: int = field(default=-1, init=False)
    # The token of what this wrote last. The identity alone would not do: somebody else may have the
    # same by mistake, or had it before a restart. Nor would a token that may not have been written.
    _own_token: int | None = field(default=None, init=False)

    @property
    def leader(self) -> str:
        """Who leads, as far as was seen last; empty if nobody does."""
        observation = self._observation
        return observation.stored.record.holder_identity if observation else ""

    def acquire(self) -> Term | None:
        """Begin a new term if the lease is free; return None if it is not."""
        began = self.clock.now()
        stored = self._read()
        if not self._is_free(stored):
            return None
        record = LeaseRecord(
            holder_identity=self.identity,
            lease_duration=self.lease_duration,
            acquire_time=began,
            renew_time=began,
            lease_transitions=self._highest_token + 1,
        )
        self._write(record, stored)
        return Term(self.identity, record.lease_transitions)

    def renew(self, term: Term) -> None:
        """Renew the lease of a term.

        Raises:
            DeposedError: it is somebody else's, another term's or gone.
        """
        began = self.clock.now()
        stored = self._read()
        if stored is None or not term.is_held_in(stored.record):
            raise DeposedError(term, self.leader)
        duration = self.lease_duration
        self._write(evolve(stored.record, renew_time=began, lease_duration=duration), stored)

    def give_back(self) -> None:
        """Say that nobody leads, if the lease is our own."""
        stored = self._read()
        if stored is not None and self._is_own(stored.record):
            record = evolve(stored.record, holder_identity="", renew_time=self.clock.now())
            self._write(record, stored)

    def _read(self) -> StoredLease | None:
        stored = self.lock.get()
        self._observe(stored)
        return stored

    def _write(self, record: LeaseRecord, stored: StoredLease | None) -> None:
        self._observe(self.lock.put(record, stored.resource_version if stored else None))
        self._own_token = record.lease_transitions

    def _observe(self, stored: StoredLease | None) -> None:
        before = self._observation
        if stored is None:
            self._observation = None
        elif before is None or before.stored.resource_version != stored.resource_version:
            self._highest_token = max(self._highest_token, stored.record.lease_transitions)
            self._observation = _Observation(stored, self.clock.now())

    def _is_free(self, stored: StoredLease | None) -> bool:
        if stored is None or not stored.record.holder_identity or self._is_own(stored.record):
            return True
        since = self._observation.since if self._observation else self.clock.now()
        return self.clock.now() >= since + stored.record.lease_duration

    def _is_own(self, record: LeaseRecord) -> bool:
        own = self._own_token
        return own is not None and Term(self.identity, own).is_held_in(record)
