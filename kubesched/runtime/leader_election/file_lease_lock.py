"""A lease in a file, for candidates that are processes of one machine.

The file is replaced as a whole, so that whoever reads it sees one record or another and never half
of one, even if the writer is killed. Who writes holds a lock of the operating system's, which ends
with its process.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import define, field

from kubesched.errors import OptionError
from kubesched.runtime.leader_election.lease_lock import (
    LeaseConflictError,
    LeaseError,
    LeaseRecord,
    StoredLease,
    next_lease,
)


@define(eq=False)
class FileLeaseLock:
    """A lock for candidates in several processes of one machine.

    Beside the file `PATH` there are `PATH.lock`, which is locked by who writes, and for a moment
    `PATH.new`. The folder has to exist. To delete the files while candidates run is to begin the
    tokens anew; to change them is for nobody else.

    Attributes:
        path: where the lease is kept.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     lock = FileLeaseLock(Path(folder) / "scheduler.lease")
    ...     stored = lock.put(LeaseRecord(holder_identity="a", lease_duration=15.0), None)
    ...     FileLeaseLock(lock.path).get() == stored
    True

    Raises:
        OptionError: this operating system has no `flock`.
    """

    path: Path = field(converter=Path)
    _fcntl: Any = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Look for what locks files here."""
        try:
            self._fcntl = import_module("fcntl")
        except ImportError:
            raise OptionError("FileLeaseLock needs fcntl.flock, which is not here") from None

    def get(self) -> StoredLease | None:
        """Return the record, or None if there is no file.

        Raises:
            LeaseError: there is something else in the file.
            OSError: it cannot be read.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            return _loaded(content)
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            raise LeaseError(str(self.path), f"there is no lease in the file: {error}") from error

    def put(self, record: LeaseRecord, resource_version: str | None, /) -> StoredLease:
        """Write the record if the one in the file still has this version.

        Raises:
            LeaseConflictError: it has another one, or somebody else is writing.
            LeaseError: there is something else in the file.
            OSError: it cannot be written.
        """
        with self._locked():
            stored = next_lease(str(self.path), self.get(), record, resource_version)
            self._replace(_dumped(stored))
            return stored

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep others from writing; not to wait for them, who may be halted for hours."""
        with self._beside(".lock").open("ab") as file:
            try:
                self._fcntl.flock(file, self._fcntl.LOCK_EX | self._fcntl.LOCK_NB)
            except BlockingIOError:
                raise LeaseConflictError(str(self.path), "somebody else is writing it") from None
            yield

    def _replace(self, content: bytes) -> None:
        """Write beside the file, to the disk, and then take the file's place."""
        new = self._beside(".new")
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)
        self._sync_folder()

    def _sync_folder(self) -> None:
        """Have the new name on the disk, too: a power cut must not bring back an old token."""
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(self.path.name + ending)


def _dumped(stored: StoredLease) -> bytes:
    record = stored.record
    content = {
        "resourceVersion": stored.resource_version,
        "holderIdentity": record.holder_identity,
        "leaseDurationSeconds": record.lease_duration,
        "acquireTime": record.acquire_time,
        "renewTime": record.renew_time,
        "leaseTransitions": record.lease_transitions,
    }
    return json.dumps(content, indent=2).encode() + b"\n"


def _loaded(content: bytes) -> StoredLease:
    fields = json.loads(content)
    record = LeaseRecord(
        holder_identity=_of_type(str, fields["holderIdentity"]),
        lease_duration=float(fields["leaseDurationSeconds"]),
        acquire_time=float(fields["acquireTime"]),
        renew_time=float(fields["renewTime"]),
        lease_transitions=_of_type(int, fields["leaseTransitions"]),
    )
    return StoredLease(record, str(int(_of_type(str, fields["resourceVersion"]))))


def _of_type(wanted: type, value: Any) -> Any:
    if type(value) is not wanted:
        raise TypeError(f"{value!r} is not of type {wanted.__name__}")
    return value
