"""Values as they stand in a manifest, and how an error shows them."""

from collections.abc import Mapping
from decimal import Decimal

from attrs import frozen

_LONGEST = 60
_MOST_BITS = 256


@frozen
class BadNumber:
    """A number that cannot be taken as it was written, and why."""

    text: str
    why: str


def shown(value: object) -> str:
    """Write a value as in a manifest, in one short line.

    >>> shown(True), shown("x" * 100)[-8:], shown({"cpu": "1"})
    ('true', "xxxxxx…'", 'a mapping')
    """
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return repr(_shortened(value))
        case BadNumber() | int() | float() | Decimal():
            return _number(value)
        case _:
            return _what(value)


def _what(value: object) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    return f"an object of type {type(value).__name__}"


def _number(value: BadNumber | float | Decimal) -> str:
    if isinstance(value, BadNumber):
        return _shortened(value.text)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"an integer of {value.bit_length()} bits"
    return _shortened(str(value))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
