"""Numbers as people write them, without rounding."""

from fractions import Fraction
from numbers import Rational, Real
from typing import TypeAlias

from kubesched.errors import OptionError

Number: TypeAlias = float | Fraction
"""An integer, a float or a fraction."""


def exact(value: object, what: str) -> Fraction:
    """Return a number of 0 or more as a fraction; a float is the decimal that it is written as.

    So 0.1, 0.2 and 0.3 are evenly spaced, and no order of adding up matters.

    Args:
        value: the number.
        what: what it is, for the error.

    Raises:
        OptionError: it is no number, below 0, infinite or not a number.

    >>> exact(0.1, "latency")
    Fraction(1, 10)
    """
    fraction = _fraction(value)
    if fraction is None or fraction < 0:
        raise OptionError(f"{what} is {value!r}, expected a number of 0 or more")
    return fraction


def _fraction(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    try:
        return Fraction(str(value))
    except ValueError:  # infinities, and what is not a number
        return None
