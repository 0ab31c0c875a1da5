"""A rule gives the same answer at any time, and whatever random numbers come next."""

import datetime as dt
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from kubesched.testing.laws.clock_shift import Shift, shifted_clock
from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.question import Answer, Question, first_difference, told
from kubesched.testing.situation import Situation
from kubesched.testing.strategies.metadata import TIMES

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
SHIFTS: Final = (
    *(1, 31, 7 * _MINUTE, 20 * _MINUTE),
    *range(_HOUR, 7 * _DAY, _HOUR),
    *(day * _DAY for day in range(15, 400, 15)),
    4000 * _DAY,
)
"""Seconds by which the clock is put forward: to each hour of the week, and to other months."""

SOON: Final = (*(1, 31, 7 * _MINUTE, 20 * _MINUTE), *(_HOUR, _DAY, 15 * _DAY))
"""Seconds after the times that objects hold."""

SEEDS: Final = range(40)
"""Seeds of the random numbers that are tried."""


def _does_not_depend_on_time_or_chance(rule: Rule, situation: Situation, _draw: Draw, /) -> None:
    snapshot = situation.snapshot()

    def answers() -> Mapping[str, Answer]:
        return Question.of(rule, situation.pod, snapshot).answers()

    with shifted_clock(rule) as shift, _same_random_numbers_afterwards() as state:
        first = answers()
        for elsewhen in _other_times(shift, is_random=random.getstate() != state):
            found = first_difference(first, answers())
            if found is not None:
                raise CONSTANCY.broken(
                    rule,
                    situation,
                    f"its answer about node {found[0]} is: {told(found[1])}; "
                    f"and {elsewhen}: {told(found[2])}",
                )


def _other_times(shift: Shift, *, is_random: bool) -> Iterator[str]:
    """Bring about other times and random numbers, and say which.

    Only if somebody looks: most rules do not, and to try each hour of the week takes time.
    """
    for seed in SEEDS if is_random else ():
        random.seed(seed)
        yield "with other random numbers"
    if not shift.looks:
        return
    for seconds in SHIFTS:
        shift.seconds = seconds
        yield f"{shift.time} later"
    now = time.time() - shift.seconds
    for when in TIMES:
        for seconds in SOON:
            shift.seconds = int(when.timestamp() + seconds - now)
            yield f"{dt.timedelta(seconds=seconds)} after {when:%Y-%m-%d}"


@contextmanager
def _same_random_numbers_afterwards() -> Iterator[object]:
    state = random.getstate()
    try:
        yield state
    finally:
        random.setstate(state)


CONSTANCY: Final = Law(
    "constancy",
    "a rule's answer depends neither on the time nor on chance.",
    _does_not_depend_on_time_or_chance,
)
