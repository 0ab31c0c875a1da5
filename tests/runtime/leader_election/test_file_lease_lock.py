"""A lease in a file: processes that compete, that are killed, and files that are no leases."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from kubesched.errors import OptionError
from kubesched.runtime import (
    FileLeaseLock,
    LeaseConflictError,
    LeaseError,
    LeaseRecord,
    ManualClock,
)
from tests.runtime.leader_election.elections import elector, record_in

pytest.importorskip("fcntl")

RECORD = LeaseRecord(holder_identity="a", lease_duration=15.0)
CONTENT = {
    "resourceVersion": "1",
    "holderIdentity": "a",
    "leaseDurationSeconds": 15.0,
    "acquireTime": 0.0,
    "renewTime": 0.0,
    "leaseTransitions": 0,
}
WINS = 40

# Both processes wait for a line, so that they compete; each wins so many times.
COMPETE = f"""
import sys
from attrs import evolve
from kubesched.runtime import FileLeaseLock, LeaseConflictError, LeaseRecord

lock, me, won = FileLeaseLock(sys.argv[1]), sys.argv[2], []
print("ready", flush=True)
sys.stdin.readline()
while len(won) < {WINS}:
    stored = lock.get()
    token = stored.record.lease_transitions + 1
    record = evolve(stored.record, holder_identity=me, lease_transitions=token)
    try:
        lock.put(record, stored.resource_version)
    except LeaseConflictError:
        continue
    won.append(token)
print(*won)
"""

# It leads, and is killed before it can give anything back.
LEAD = """
import sys
from kubesched.runtime import FileLeaseLock, LeaderElector, RealClock

leader = LeaderElector(lock=FileLeaseLock(sys.argv[1]), identity="doomed", clock=RealClock())
print(leader.step(), flush=True)
sys.stdin.readline()
"""

# It is killed in the middle of a write, holding the lock: the new file is half there.
HALF_WRITTEN = """
import os, sys
from attrs import evolve
from kubesched.runtime import FileLeaseLock

lock = FileLeaseLock(sys.argv[1])

def hang(_):
    print("writing", flush=True)
    sys.stdin.readline()

os.fsync = hang
stored = lock.get()
lock.put(evolve(stored.record, lease_transitions=7), stored.resource_version)
"""

# It writes until it is killed, wherever it is then.
WRITE_FOR_EVER = """
import sys
from attrs import evolve
from kubesched.runtime import FileLeaseLock

lock = FileLeaseLock(sys.argv[1])
stored = lock.get()
print("ready", flush=True)
while True:
    record = evolve(stored.record, holder_identity=stored.record.holder_identity[::-1])
    stored = lock.put(record, stored.resource_version)
"""


@contextmanager
def process(code: str, *arguments: object) -> Iterator["subprocess.Popen[str]"]:
    """Run code in a process of its own, which is killed in the end if it still runs."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as started:  # noqa: S603 - code of this file
        try:
            yield started
        finally:
            started.kill()


def line_of(started: "subprocess.Popen[str]") -> str:
    assert started.stdout is not None
    return started.stdout.readline().strip()


def go(started: "subprocess.Popen[str]") -> None:
    assert started.stdin is not None
    started.stdin.write("go\n")
    started.stdin.flush()


def kill(started: "subprocess.Popen[str]") -> None:
    started.kill()
    started.wait()


@pytest.fixture
def lock(tmp_path: Path) -> FileLeaseLock:
    return FileLeaseLock(tmp_path / "scheduler.lease")


def test_two_processes_compete_and_no_token_is_won_twice(lock: FileLeaseLock) -> None:
    lock.put(RECORD, None)
    with process(COMPETE, lock.path, "one") as one, process(COMPETE, lock.path, "other") as other:
        assert [line_of(one), line_of(other)] == ["ready", "ready"]
        go(one)
        go(other)
        tokens = [int(token) for each in (one, other) for token in line_of(each).split()]
    assert sorted(tokens) == list(range(1, 2 * WINS + 1))
    assert record_in(lock).lease_transitions == 2 * WINS


def test_a_leader_that_is_killed_is_followed_when_its_lease_is_over(lock: FileLeaseLock) -> None:
    clock = ManualClock()
    heir = elector(lock, clock, "heir")
    with process(LEAD, lock.path) as doomed:
        assert line_of(doomed) == "True"
        kill(doomed)
    assert not heir.step()
    clock.advance(14.9)
    assert not heir.step()
    assert heir.leader == "doomed"
    clock.advance(0.1)
    assert heir.step()
    assert record_in(lock).lease_transitions == 1


def test_who_is_killed_in_the_middle_of_a_write_leaves_the_lease_whole(lock: FileLeaseLock) -> None:
    stored = lock.put(RECORD, None)
    with process(HALF_WRITTEN, lock.path) as writer:
        assert line_of(writer) == "writing"
        with pytest.raises(LeaseConflictError, match="somebody else is writing it"):
            lock.put(RECORD, stored.resource_version)
        assert lock.get() == stored
        kill(writer)
    assert lock.get() == stored
    assert lock.put(RECORD, stored.resource_version).record == RECORD


def test_who_reads_while_another_writes_sees_one_record_or_the_other(lock: FileLeaseLock) -> None:
    names = {"ab" * 2000, "ba" * 2000}
    lock.put(evolve(RECORD, holder_identity=min(names)), None)
    with process(WRITE_FOR_EVER, lock.path) as writer:
        assert line_of(writer) == "ready"
        for _ in range(500):
            assert record_in(lock).holder_identity in names
        kill(writer)
    stored = lock.get()
    assert stored is not None
    assert stored.record.holder_identity in names
    lock.put(RECORD, stored.resource_version)


def test_the_file_is_json_in_the_words_of_kubernetes(lock: FileLeaseLock) -> None:
    lock.put(RECORD, None)
    assert json.loads(lock.path.read_text("utf-8")) == CONTENT


def test_only_the_lease_and_its_lock_stay(lock: FileLeaseLock) -> None:
    lock.put(RECORD, lock.put(RECORD, None).resource_version)
    beside = {each.name for each in lock.path.parent.iterdir()}
    assert beside == {"scheduler.lease", "scheduler.lease.lock"}


def test_a_path_may_be_text(tmp_path: Path) -> None:
    lock = FileLeaseLock(str(tmp_path / "lease"))
    assert lock.put(RECORD, None) == FileLeaseLock(tmp_path / "lease").get()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="half of an object"),
        pytest.param("[1, 2]", id="a list"),
        pytest.param("null", id="null"),
        pytest.param("\xff\xfe", id="no text"),
        pytest.param({}, id="an empty object"),
        pytest.param({**CONTENT, "holderIdentity": 7}, id="a holder that is a number"),
        pytest.param({**CONTENT, "leaseTransitions": "7"}, id="a token that is a text"),
        pytest.param({**CONTENT, "leaseTransitions": True}, id="a token that is true"),
        pytest.param({**CONTENT, "leaseTransitions": -1}, id="a token below 0"),
        pytest.param({**CONTENT, "leaseDurationSeconds": 0}, id="a lease that is over at once"),
        pytest.param({**CONTENT, "leaseDurationSeconds": 10**400}, id="a lease for ever"),
        pytest.param({**CONTENT, "leaseDurationSeconds": None}, id="a lease for null"),
        pytest.param({**CONTENT, "renewTime": [1]}, id="a time that is a list"),
        pytest.param({**CONTENT, "resourceVersion": 1}, id="a version that is no text"),
        pytest.param({**CONTENT, "resourceVersion": "x"}, id="a version that is no number"),
    ],
)
def test_what_is_no_lease_is_an_error_that_names_the_file(
    lock: FileLeaseLock, content: str | dict[str, Any]
) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    lock.path.write_text(text, "latin-1")
    for attempt in (lock.get, lambda: lock.put(RECORD, "1")):
        with pytest.raises(LeaseError, match="there is no lease in the file") as raised:
            attempt()
        assert raised.value.lease == str(lock.path)
    assert lock.path.read_text("latin-1") == text


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    lock = FileLeaseLock(tmp_path / "nowhere" / "lease")
    assert lock.get() is None
    with pytest.raises(FileNotFoundError):
        lock.put(RECORD, None)


def test_where_files_cannot_be_locked_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(OptionError, match=r"^FileLeaseLock needs fcntl\.flock, which is not here$"):
        FileLeaseLock(tmp_path / "lease")
