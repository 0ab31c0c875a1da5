"""The contract: reasons, fits, and the reduce that most priorities use."""

from fractions import Fraction
from math import trunc
from typing import NamedTuple

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given, strategies as st

from kubesched.builders import pod
from kubesched.framework import FITS, MAX_SCORE, Fit, Reason, fit_of, normalize, quotient

POD = pod("web-1")
COLD = Reason("cold")
DARK = Reason("dark", resolvable=False)

reasons = st.builds(Reason, st.sampled_from(["cold", "dark", "wet"]), resolvable=st.booleans())
counts = st.lists(st.integers(0, 10**6))


def normalized(
    scores: list[int], *, reverse: bool = False, max_score: int = MAX_SCORE
) -> list[int]:
    return list(normalize(reverse=reverse, max_score=max_score)(POD, None, [], scores))


def test_a_reason_reads_as_its_text() -> None:
    assert str(COLD) == "cold"


def test_eviction_could_cure_a_reason_unless_it_says_otherwise() -> None:
    assert COLD.resolvable
    assert not DARK.resolvable


def test_reasons_are_equal_if_text_and_cure_are() -> None:
    assert Reason("cold") == COLD
    assert Reason("cold", resolvable=False) != COLD
    assert len({COLD, Reason("cold")}) == 1


def test_a_fit_holds_if_there_is_no_reason_against_it() -> None:
    assert FITS
    assert not Fit(COLD)


def test_a_fit_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        FITS.reasons = (COLD,)  # type: ignore[misc]


@given(st.lists(reasons))
def test_a_fit_keeps_its_reasons_in_order(given_reasons: list[Reason]) -> None:
    for fit in (Fit(*given_reasons), fit_of(given_reasons), fit_of(iter(given_reasons))):
        assert fit.reasons == tuple(given_reasons)
        assert bool(fit) == (not given_reasons)


def test_a_passing_fit_is_one_shared_object() -> None:
    assert fit_of(()) is FITS
    assert Fit() == FITS


class Normalized(NamedTuple):
    """What counts become."""

    says: str
    counts: list[int]
    scores: list[int]
    reversed: list[int]


NORMALIZED = [
    Normalized("no nodes have no scores", [], [], []),
    Normalized("all counts 0 are worst, or in reverse best", [0, 0], [0, 0], [10, 10]),
    Normalized("the highest count is 10, or in reverse 0", [0, 7], [0, 10], [10, 0]),
    Normalized("equal counts are equally good", [3, 3], [10, 10], [0, 0]),
    Normalized("what is between is cut off", [1, 2, 3], [3, 6, 10], [7, 4, 0]),
    Normalized("a tiny part of the highest is nothing", [1, 1000], [0, 10], [10, 0]),
]


@pytest.mark.parametrize("case", NORMALIZED, ids=lambda case: case.says)
def test_normalize(case: Normalized) -> None:
    assert normalized(case.counts) == case.scores
    assert normalized(case.counts, reverse=True) == case.reversed


@given(given_counts=counts, reverse=st.booleans(), max_score=st.sampled_from([1, 10, 100]))
def test_normalized_scores_lie_in_their_range(
    *, given_counts: list[int], reverse: bool, max_score: int
) -> None:
    scores = normalized(given_counts, reverse=reverse, max_score=max_score)
    assert len(scores) == len(given_counts)
    assert all(0 <= score <= max_score for score in scores)


@given(counts)
def test_normalize_keeps_the_order_and_its_reverse_turns_it(given_counts: list[int]) -> None:
    ranked = sorted(given_counts)
    assert normalized(ranked) == sorted(normalized(given_counts))
    assert normalized(ranked, reverse=True)[::-1] == sorted(normalized(given_counts, reverse=True))


@given(given_counts=counts, reverse=st.booleans())
def test_normalize_leaves_what_it_was_given(*, given_counts: list[int], reverse: bool) -> None:
    before = given_counts.copy()
    normalized(given_counts, reverse=reverse)
    assert given_counts == before


@given(st.integers(), st.integers().filter(bool))
def test_a_quotient_is_cut_off_towards_zero(dividend: int, divisor: int) -> None:
    assert quotient(dividend, divisor) == trunc(Fraction(dividend, divisor))


def test_there_is_no_quotient_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        quotient(1, 0)
