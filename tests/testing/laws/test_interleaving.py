"""A call is stopped before a line of it, and another one runs meanwhile."""

import sys
from threading import Lock, get_ident

import pytest

from kubesched.testing.laws.interleaving import interleaved, lines_of

shared: list[str] = []


def writes_and_reads(text: str) -> list[str]:
    shared.clear()
    shared.append(text)
    return [*shared]


def one() -> list[str]:
    return writes_and_reads("one")


def other() -> list[str]:
    return writes_and_reads("other")


def test_lines_are_told_with_those_of_what_is_called() -> None:
    lines = lines_of(one)
    assert len(lines) == 1 + 3
    assert lines[0] == f"line {one.__code__.co_firstlineno + 1} of test_interleaving.py"


@pytest.mark.parametrize(
    ("line", "read"), [(0, ["one"]), (1, ["one"]), (2, ["other", "one"]), (3, ["other"])]
)
def test_the_other_call_runs_before_the_line(line: int, read: list[str]) -> None:
    expected = ["one"] if line < 2 else read
    assert interleaved(one, line, other) == expected


def test_the_other_call_runs_in_a_thread_of_its_own() -> None:
    threads: set[int] = set()
    interleaved(one, 0, lambda: threads.add(get_ident()))
    assert threads
    assert get_ident() not in threads


def test_an_other_call_that_waits_for_a_lock_goes_on_afterwards() -> None:
    lock, order = Lock(), list[str]()

    def locks(name: str) -> None:
        with lock:
            order.append(name)

    interleaved(lambda: locks("one"), 2, lambda: locks("other"))
    assert order == ["one", "other"]


def test_an_other_call_that_is_never_reached_does_not_run() -> None:
    assert interleaved(one, 99, other) == ["one"]


def test_whoever_traced_before_goes_on_tracing() -> None:
    before = sys.gettrace()

    def trace(*_: object) -> None:
        return None

    sys.settrace(trace)
    try:
        lines_of(one)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


def test_an_error_comes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        interleaved(lambda: 1 // 0, 0, other)
