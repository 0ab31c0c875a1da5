"""Numbers, read exactly from their digits; what cannot be read so is noted, not raised."""

from decimal import Decimal, InvalidOperation

from kubesched.manifests.values import BadNumber

_LONGEST = 400
_LARGEST_EXPONENT = 308


def integer_of(text: str, base: int = 10) -> int | BadNumber:
    """Read an integer, unless it has more digits than anybody means.

    >>> integer_of("-12"), integer_of("1" * 401).why
    (-12, 'has more than 400 digits')
    """
    return _too_long(text) if len(text) > _LONGEST else int(text, base)


def decimal_of(text: str) -> Decimal | BadNumber:
    """Read a number with a fraction or an exponent, unless it is out of a double's range.

    >>> decimal_of("0.1"), decimal_of("1e999").why
    (Decimal('0.1'), 'is out of range')
    """
    if len(text) > _LONGEST:
        return _too_long(text)
    try:
        number = Decimal(text)
    except InvalidOperation:
        return BadNumber(text, "is out of range")
    in_range = abs(number.adjusted()) <= _LARGEST_EXPONENT
    return number if in_range else BadNumber(text, "is out of range")


def no_number(text: str) -> BadNumber:
    """Note an infinity, or what says that it is not a number."""
    return BadNumber(text, "is not a number")


def _too_long(text: str) -> BadNumber:
    return BadNumber(text, f"has more than {_LONGEST} digits")
