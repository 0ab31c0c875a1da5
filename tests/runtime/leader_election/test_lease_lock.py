"""What every lock owes to the candidates: one record, compared and set."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from kubesched.errors import KubeschedError, OptionError
from kubesched.runtime import (
    FileLeaseLock,
    InMemoryLeaseLock,
    LeaseConflictError,
    LeaseError,
    LeaseLock,
    LeaseRecord,
)

A = LeaseRecord(
    holder_identity="a",
    lease_duration=15.0,
    acquire_time=1.5,
    renew_time=2.25,
    lease_transitions=3,
)
B = evolve(A, holder_identity="b", lease_transitions=4)
NOBODY = evolve(A, holder_identity="")
THREADS, TERMS = 4, 25


def file_lock(folder: Path) -> LeaseLock:
    pytest.importorskip("fcntl")
    return FileLeaseLock(folder / "scheduler.lease")


def memory_lock(_: Path) -> LeaseLock:
    return InMemoryLeaseLock()


@pytest.fixture(params=[memory_lock, file_lock], ids=["in memory", "in a file"])
def lock(request: pytest.FixtureRequest, tmp_path: Path) -> LeaseLock:
    make: Callable[[Path], LeaseLock] = request.param
    return make(tmp_path)


def test_at_first_there_is_no_lease(lock: LeaseLock) -> None:
    assert lock.get() is None


@pytest.mark.parametrize("record", [A, B, NOBODY], ids=["a", "b", "nobody"])
def test_what_was_put_is_what_one_gets(lock: LeaseLock, record: LeaseRecord) -> None:
    stored = lock.put(record, None)
    assert stored.record == record
    assert lock.get() == stored


def test_the_version_that_was_read_can_be_replaced(lock: LeaseLock) -> None:
    lock.put(B, lock.put(A, None).resource_version)
    stored = lock.get()
    assert stored is not None
    assert stored.record == B


def test_the_same_record_again_is_another_version(lock: LeaseLock) -> None:
    first = lock.put(A, None)
    second = lock.put(A, first.resource_version)
    assert first.record == second.record
    assert first.resource_version != second.resource_version


@pytest.mark.parametrize("version", [None, "0", "1", "x", ""], ids=repr)
def test_any_other_version_is_a_conflict_and_changes_nothing(
    lock: LeaseLock, version: str | None
) -> None:
    stored = lock.put(B, lock.put(A, None).resource_version)
    with pytest.raises(LeaseConflictError, match=r"^lease .*: it was written meanwhile$"):
        lock.put(A, version)
    assert lock.get() == stored


def test_nothing_has_no_version(lock: LeaseLock) -> None:
    with pytest.raises(LeaseConflictError):
        lock.put(A, "1")
    assert lock.get() is None


def test_of_several_threads_one_at_a_time_writes(lock: LeaseLock) -> None:
    lock.put(evolve(A, lease_transitions=0), None)

    def count_up() -> list[int]:
        won: list[int] = []
        while len(won) < TERMS:
            stored = lock.get()
            assert stored is not None
            after = evolve(stored.record, lease_transitions=stored.record.lease_transitions + 1)
            try:
                won.append(lock.put(after, stored.resource_version).record.lease_transitions)
            except LeaseConflictError:
                continue
        return won

    with ThreadPoolExecutor(THREADS) as pool:
        counting = [pool.submit(count_up) for _ in range(THREADS)]
        tokens = [token for each in counting for token in each.result()]
    assert sorted(tokens) == list(range(1, THREADS * TERMS + 1))


def test_a_conflict_is_an_error_of_leases() -> None:
    error = LeaseConflictError("here", "it was written meanwhile")
    assert isinstance(error, LeaseError)
    assert isinstance(error, KubeschedError)
    assert (str(error), error.lease) == ("lease here: it was written meanwhile", "here")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        pytest.param({"lease_duration": 0.0}, "lease_duration", id="over at once"),
        pytest.param({"lease_duration": -1.0}, "lease_duration", id="over before"),
        pytest.param({"lease_duration": float("inf")}, "lease_duration", id="never over"),
        pytest.param({"lease_duration": float("nan")}, "lease_duration", id="no duration"),
        pytest.param({"renew_time": float("nan")}, "finite", id="renewed at no time"),
        pytest.param({"acquire_time": float("inf")}, "finite", id="acquired at no time"),
        pytest.param({"lease_transitions": -1}, "lease_transitions", id="a negative token"),
    ],
)
def test_a_lease_that_makes_no_sense_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        evolve(A, **changes)
