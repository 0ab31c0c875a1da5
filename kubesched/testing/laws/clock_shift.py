"""Another time of day, as somebody's functions see it."""

import datetime as dt
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from attrs import define

from kubesched.testing.reach import functions_of


@define
class Shift:
    """How many seconds a clock is ahead, and how often anybody has looked at it."""

    seconds: int = 0
    looks: int = 0

    @property
    def time(self) -> dt.timedelta:
        """How far it is ahead."""
        return dt.timedelta(seconds=self.seconds)

    def look(self) -> int:
        """Return how many seconds to add to a time that somebody reads."""
        self.looks += 1
        return self.seconds


@contextmanager
def shifted_clock(*roots: object) -> Iterator[Shift]:
    """Let somebody's functions see a clock that can be put forward.

    `time.time()` and its like are shifted for everybody meanwhile; `datetime.now()` and
    `date.today()` where those functions, or the module `datetime`, name them.

    Args:
        roots: the functions, or whatever holds them.

    >>> before = time.time()
    >>> with shifted_clock() as shift:
    ...     shift.seconds = 86400
    ...     later = time.time()
    >>> later - before > 86000
    True
    """
    shift = Shift()
    shown = _shown_by(shift)
    spaces = [vars(time), vars(dt), *(it.__globals__ for it in functions_of(*roots))]
    changed = [
        (space, name, value)
        for space in {id(space): space for space in spaces}.values()
        for name, value in space.items()
        if id(value) in shown
    ]
    try:
        for space, name, value in changed:
            space[name] = shown[id(value)]
        yield shift
    finally:
        for space, name, value in changed:
            space[name] = value


def _shown_by(shift: Shift) -> Mapping[int, Any]:
    """Return what is to be seen in the place of each clock, by the clock's `id`."""
    return {
        **{id(clock): _later(clock, shift, 1) for clock in _IN_SECONDS},
        **{id(clock): _later(clock, shift, _NANOSECONDS) for clock in _IN_NANOSECONDS},
        **{id(parts): _parts_of_later(parts, shift) for parts in (time.localtime, time.gmtime)},
        id(dt.datetime): _later_datetime(shift),
        id(dt.date): _later_date(shift),
    }


_IN_SECONDS: Final = (time.time, time.monotonic, time.perf_counter)
_IN_NANOSECONDS: Final = (time.time_ns, time.monotonic_ns, time.perf_counter_ns)
_NANOSECONDS: Final = 10**9


def _later(clock: Callable[[], Any], shift: Shift, unit: int) -> Callable[[], Any]:
    return lambda: clock() + shift.look() * unit


def _parts_of_later(
    parts: Callable[[float], time.struct_time], shift: Shift
) -> Callable[..., time.struct_time]:
    real = time.time
    return lambda when=None: parts(real() + shift.look() if when is None else when)


class _LooksLike(type):
    """A class that takes another one's place: what it makes, and what it counts as its own."""

    real: type

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return cls.real(*args, **kwargs)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.real)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.real)


def _later_datetime(shift: Shift) -> type:
    real, clock = dt.datetime, time.time

    class Later(real, metaclass=_LooksLike):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            return real.fromtimestamp(clock() + shift.look(), tz)

        @classmethod
        def utcnow(cls) -> dt.datetime:
            return cls.now(dt.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> dt.datetime:
            return cls.now()

    Later.real = real
    return Later


def _later_date(shift: Shift) -> type:
    real, clock = dt.date, time.time

    class Later(real, metaclass=_LooksLike):  # type: ignore[misc, valid-type]
        @classmethod
        def today(cls) -> dt.date:
            return real.fromtimestamp(clock() + shift.look())

    Later.real = real
    return Later
