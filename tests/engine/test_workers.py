"""Who does the work, and that it makes no difference."""

from collections.abc import Sequence
from threading import Barrier, Event, get_ident
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched.engine import WORKERS, Workers
from kubesched.engine.workers import threads_run_python_at_once
from kubesched.errors import OptionError

SECONDS = 60
"""How long a test waits for another thread before it gives up."""

POOLS = [Workers(count) for count in (1, 2, 5, 16)]


@pytest.mark.parametrize("count", [0, -1, "4", 2.0, True], ids=repr)
def test_there_is_at_least_one_worker(count: Any) -> None:
    with pytest.raises(OptionError) as caught:
        Workers(count)
    assert str(caught.value) == f"workers is {count!r}, expected an integer of 1 or more"


def test_there_are_as_many_as_in_the_original() -> None:
    assert Workers().count == WORKERS == 16


@given(items=st.lists(st.integers()), workers=st.sampled_from(POOLS), blocks=st.booleans())
def test_chunks_are_the_items_in_order_one_for_each_worker(
    *, items: list[int], workers: Workers, blocks: bool
) -> None:
    chunks = workers.chunks(items, blocks=blocks)
    assert [item for chunk in chunks for item in chunk] == items
    assert len(chunks) <= workers.count
    if workers.can_help(blocks=blocks):
        assert all(chunks)
        assert len({len(chunk) for chunk in chunks[:-1]}) <= 1
    else:
        assert chunks == [items]


@given(items=st.lists(st.integers()), workers=st.sampled_from(POOLS), blocks=st.booleans())
def test_results_come_in_the_order_of_the_chunks(
    *, items: list[int], workers: Workers, blocks: bool
) -> None:
    chunks = workers.chunks(items, blocks=blocks)
    assert workers.map(sum, chunks, blocks=blocks) == [sum(chunk) for chunk in chunks]


@pytest.mark.parametrize("count", [2, 3])
def test_work_that_waits_is_waited_for_at_once(count: int) -> None:
    meeting = Barrier(count)

    def meet(_chunk: Sequence[int]) -> bool:
        return meeting.wait(SECONDS) >= 0

    assert Workers(count).map(meet, [[1]] * count, blocks=True) == [True] * count


@pytest.mark.skipif(threads_run_python_at_once(), reason="there is no global lock")
def test_plain_work_is_done_by_the_calling_thread() -> None:
    workers = Workers(4)
    assert workers.chunks([1, 2, 3], blocks=False) == [[1, 2, 3]]
    assert workers.map(lambda _chunk: get_ident(), [[1], [2]], blocks=False) == [get_ident()] * 2


@pytest.mark.parametrize(
    ("workers", "chunks"),
    [(Workers(1), [[1], [2]]), (Workers(4), [[1]])],
    ids=["a single worker", "a single chunk"],
)
def test_no_other_thread_is_needed_for(workers: Workers, chunks: list[list[int]]) -> None:
    idents = workers.map(lambda _chunk: get_ident(), chunks, blocks=True)
    assert set(idents) == {get_ident()}


def test_threads_that_run_at_once_help_with_plain_work_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys._is_gil_enabled", lambda: False, raising=False)
    assert Workers(2).can_help(blocks=False)
    assert Workers(2).chunks([1, 2, 3], blocks=False) == [[1, 2], [3]]
    assert not Workers(1).can_help(blocks=False)
    monkeypatch.setattr("sys._is_gil_enabled", lambda: True)
    assert not Workers(2).can_help(blocks=False)


@pytest.mark.parametrize("workers", POOLS, ids=lambda workers: f"{workers.count} workers")
def test_what_is_raised_is_the_error_of_the_first_chunk_that_failed(workers: Workers) -> None:
    def fail(chunk: Sequence[int]) -> int:
        if chunk[0]:
            raise LookupError(chunk[0])
        return 0

    with pytest.raises(LookupError, match=r"^2$"):
        workers.map(fail, [[0], [2], [0], [3], [1]], blocks=True)


def test_all_chunks_have_ended_when_it_raises() -> None:
    has_failed, ended = Event(), list[int]()

    def work(chunk: Sequence[int]) -> None:
        if chunk[0] == 0:
            has_failed.set()
            raise LookupError
        assert has_failed.wait(SECONDS)
        ended.append(chunk[0])

    with pytest.raises(LookupError):
        Workers(3).map(work, [[0], [1], [2]], blocks=True)
    assert sorted(ended) == [1, 2]


def test_workers_go_on_after_an_error() -> None:
    workers = Workers(3)
    with pytest.raises(ZeroDivisionError):
        workers.map(lambda chunk: 1 // sum(chunk), [[0], [1]], blocks=True)
    assert workers.map(sum, [[1], [2]], blocks=True) == [1, 2]
