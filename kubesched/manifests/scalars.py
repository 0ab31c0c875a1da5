"""Text, numbers, truth values, quantities and times: one strict reading of each, and the writing.

Nothing is converted on the way: a number is not a string and "80" is not a number, as with the API
server. A reader takes a second argument, the type, because that is how cattrs calls it.
"""

import re
from datetime import UTC, datetime

from kubesched.errors import QuantityError
from kubesched.quantity import Quantity

_INT64 = 2**63
_RFC_3339 = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)",
    re.ASCII,
)


class Mismatch(ValueError):  # noqa: N818 - caught inside, and made a `Problem` of
    """A value that does not fit the field that it is in."""

    def __init__(self, value: object, why: str) -> None:
        """Keep the value and what is wrong with it."""
        super().__init__(why)
        self.value = value
        self.why = why


def read_text(value: object, _type: object = str) -> str:
    """Take a string, and nothing else."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float)) or type(value).__name__ == "Decimal":
        raise Mismatch(value, "is not a string (put it in quotes)")
    raise Mismatch(value, "is not a string")


def read_integer(value: object, _type: object = int) -> int:
    """Take a whole number that fits into 64 bits."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Mismatch(value, "is not an integer")
    if not -_INT64 <= value < _INT64:
        raise Mismatch(value, "is not an integer of 64 bits")
    return value


def read_truth(value: object, _type: object = bool) -> bool:
    """Take true or false."""
    if isinstance(value, bool):
        return value
    raise Mismatch(value, "is not a boolean (expected true or false)")


def read_integer_or_text(value: object, _type: object = None) -> int | str:
    """Take a number or a percentage."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return read_integer(value)
    raise Mismatch(value, "is neither an integer nor a string")


def read_quantity(value: object, _type: object = Quantity) -> Quantity:
    """Take text or a number that is a quantity."""
    try:
        return Quantity.parse(value)  # type: ignore[arg-type] # it refuses what is of another type
    except QuantityError as error:
        raise Mismatch(value, f"is not a quantity (expected {error.expected})") from None


def read_time(value: object, _type: object = datetime) -> datetime:
    """Take a time with an offset, as RFC 3339 has it; what is finer than microseconds is cut off.

    >>> read_time("2018-11-29T14:00:00+01:00")
    datetime.datetime(2018, 11, 29, 13, 0, tzinfo=datetime.timezone.utc)
    """
    try:
        if isinstance(value, str) and _RFC_3339.fullmatch(value):
            return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise Mismatch(value, "is not a time (expected something like '2018-11-29T13:00:00Z')")


def write_time(value: datetime) -> str:
    """Write a time in UTC, with a fraction only if there is one; without a zone it counts as UTC.

    >>> write_time(datetime(2018, 11, 29, 13, 0, tzinfo=UTC))
    '2018-11-29T13:00:00Z'
    """
    moment = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    return f"{moment.isoformat()}Z"
