"""Another time of day, as somebody's functions see it."""

import datetime as dt
import time
from collections.abc import Callable
from datetime import UTC, date, datetime as now_by_name, timedelta
from time import time as time_by_name

import pytest

from kubesched.testing.laws.clock_shift import shifted_clock

DAYS = 400
SECONDS = DAYS * 86400

CLOCKS: dict[str, Callable[[], float]] = {
    "time.time": lambda: 1 * time.time(),
    "time.time_ns": lambda: time.time_ns() / 10**9,
    "time.monotonic": lambda: 1 * time.monotonic(),
    "time.perf_counter_ns": lambda: time.perf_counter_ns() / 10**9,
    "time.localtime": lambda: time.mktime(time.localtime()),
    "time by its own name": lambda: 1 * time_by_name(),
    "datetime.datetime.now": lambda: dt.datetime.now(UTC).timestamp(),
    "datetime by its own name": lambda: now_by_name.now(UTC).timestamp(),
    "datetime.today": lambda: now_by_name.today().timestamp(),  # noqa: DTZ002
    "datetime.utcnow": lambda: now_by_name.utcnow().timestamp(),  # noqa: DTZ003
    "date.today": lambda: date.today().toordinal() * 86400,  # noqa: DTZ011
}


@pytest.mark.filterwarnings("ignore:datetime.datetime.utcnow:DeprecationWarning")
@pytest.mark.parametrize("read", CLOCKS.values(), ids=CLOCKS)
def test_a_clock_is_ahead(read: Callable[[], float]) -> None:
    before = read()
    with shifted_clock(read) as shift:
        assert read() - before < 86400 * 2
        shift.seconds = SECONDS
        assert abs(read() - before - SECONDS) < 86400 * 2
        assert shift.looks == 2
    assert abs(read() - before) < 86400 * 2


def test_nobody_has_looked_if_nobody_has() -> None:
    with shifted_clock(lambda: 1) as shift:
        pass
    assert shift.looks == 0


def test_times_remain_what_they_are() -> None:
    def compares() -> bool:
        then = now_by_name(2020, 1, 1, tzinfo=UTC)
        return all(
            [
                isinstance(then, now_by_name),
                isinstance(then, dt.datetime),
                issubclass(type(then), date),
                now_by_name.now(UTC) - then > timedelta(days=1),
                now_by_name.fromtimestamp(0, UTC) == now_by_name(1970, 1, 1, tzinfo=UTC),
            ]
        )

    with shifted_clock(compares) as shift:
        shift.seconds = SECONDS
        assert compares()


def test_a_given_time_is_not_shifted() -> None:
    with shifted_clock() as shift:
        shift.seconds = SECONDS
        assert time.gmtime(0).tm_year == 1970


def test_the_clocks_come_back_after_an_error() -> None:
    real = time.time

    def fails() -> None:
        with shifted_clock():
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fails()
    assert time.time is real
