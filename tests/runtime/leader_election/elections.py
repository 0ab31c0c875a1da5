"""Locks that fail, and candidates that take note of what happens to them."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import pytest
from attrs import define, field

from kubesched.runtime import (
    Clock,
    InMemoryLeaseLock,
    LeaderCallbacks,
    LeaderElector,
    LeaseLock,
    LeaseRecord,
    StoredLease,
    Term,
)

Fault: TypeAlias = Literal["none", "get", "before put", "after put"]
FAULTS: tuple[Fault, ...] = ("none", "get", "before put", "after put")

each_fault = pytest.mark.parametrize("fault", [each for each in FAULTS if each != "none"])


class LockIsDownError(Exception):
    """The lock cannot be reached."""


def nothing() -> None:
    pass


@define(eq=False)
class FaultyLock:
    """A lock that fails as it is told, and lets something happen between reading and writing."""

    inner: LeaseLock = field(factory=InMemoryLeaseLock)
    fault: Fault = "none"
    meanwhile: Callable[[], object] = nothing

    def get(self) -> StoredLease | None:
        if self.fault == "get":
            raise LockIsDownError
        return self.inner.get()

    def put(self, record: LeaseRecord, resource_version: str | None, /) -> StoredLease:
        meanwhile, self.meanwhile = self.meanwhile, nothing
        meanwhile()
        if self.fault == "before put":
            raise LockIsDownError
        stored = self.inner.put(record, resource_version)
        if self.fault == "after put":
            raise LockIsDownError
        return stored


@define(eq=False)
class Diary:
    """What an elector called, in order."""

    lines: list[str] = field(factory=list)

    @property
    def callbacks(self) -> LeaderCallbacks:
        return LeaderCallbacks(
            on_started_leading=lambda term: self.lines.append(f"starts {term}"),
            on_stopped_leading=lambda term: self.lines.append(f"stops {term}"),
            on_new_leader=lambda identity: self.lines.append(f"sees {identity}"),
        )


def elector(
    lock: LeaseLock, clock: Clock, identity: str = "a", diary: Diary | None = None, **options: Any
) -> LeaderElector:
    callbacks = (diary or Diary()).callbacks
    return LeaderElector(
        lock=lock, clock=clock, identity=identity, **{"callbacks": callbacks, **options}
    )


def record_in(lock: LeaseLock) -> LeaseRecord:
    stored = lock.get()
    assert stored is not None
    return stored.record


def term_of(candidate: LeaderElector) -> Term:
    assert candidate.term is not None
    return candidate.term
