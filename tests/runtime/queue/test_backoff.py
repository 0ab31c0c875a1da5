import math

import pytest
from hypothesis import given, strategies as st

from kubesched.errors import OptionError
from kubesched.runtime import Backoff
from kubesched.runtime.queue.backoff import KEPT, Attempts

durations = st.floats(min_value=1e-3, max_value=1e6)
backoffs = st.tuples(durations, durations).map(lambda both: Backoff(min(both), max(both)))


@pytest.mark.parametrize(
    ("attempts", "seconds"),
    [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60), (10**9, 60)],
)
def test_it_doubles_from_a_second_to_a_minute(attempts: int, seconds: float) -> None:
    assert Backoff().after(attempts) == seconds


@pytest.mark.parametrize("attempts", [0, -1])
def test_no_attempt_counts_as_one(attempts: int) -> None:
    assert Backoff().after(attempts) == 1


@given(backoffs, st.integers(1, 2000))
def test_each_is_the_double_of_the_one_before_or_the_longest(
    backoff: Backoff, attempts: int
) -> None:
    before, after = backoff.after(attempts), backoff.after(attempts + 1)
    assert backoff.first <= before <= after <= backoff.longest
    assert after in (before * 2, backoff.longest)


@pytest.mark.parametrize(
    ("first", "longest"),
    [(0, 60), (-1, 60), (2, 1), (1, math.inf), (math.nan, 60), (1, math.nan), (math.inf, math.inf)],
)
def test_what_is_no_backoff_is_refused(first: float, longest: float) -> None:
    with pytest.raises(OptionError, match="the backoff is"):
        Backoff(first, longest)


def test_attempts_are_known_until_the_pod_comes_back() -> None:
    attempts = Attempts()
    attempts.note("shop/web", 3, now=0)
    assert "shop/web" in attempts
    assert attempts.take("shop/web") == 3
    assert attempts.take("shop/web") == 0
    assert "shop/web" not in attempts


@pytest.mark.parametrize(
    ("away", "known"),
    [
        pytest.param(KEPT, 1, id="as long as they are kept"),
        pytest.param(KEPT + 1, 0, id="longer than they are kept"),
    ],
)
def test_attempts_are_forgotten_of_a_pod_that_stays_away(away: float, known: int) -> None:
    attempts = Attempts()
    attempts.note("shop/web", 1, now=0)
    attempts.note("shop/other", 1, now=away)
    attempts._check()
    assert attempts.take("shop/web") == known
    assert attempts.take("shop/other") == 1


def test_who_was_noted_again_is_no_longer_the_one_longest_away() -> None:
    attempts = Attempts()
    attempts.note("shop/web", 1, now=0)
    attempts.note("shop/other", 1, now=0)
    attempts.note("shop/web", 2, now=KEPT)
    attempts.note("shop/last", 1, now=KEPT + 1)
    attempts._check()
    assert attempts.take("shop/web") == 2
    assert attempts.take("shop/other") == 0
