"""Reading JSON as Go does: exact types, keys in any case, and what a null means.

What is read is laid over what was read before under another spelling of the key: an object or a map
keeps what the later one does not name. A null leaves text, numbers and objects as they were and
makes lists, maps and what may be absent None.

Source: Go's encoding/json (decode.go, stream.go).
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final

from attrs import frozen

from kubesched.errors import QuantityError
from kubesched.manifests.paths import below
from kubesched.manifests.scalars import Mismatch as NoTime, read_time
from kubesched.plugins.http_extender.objects import whole_characters
from kubesched.quantity import Quantity


class UnreadableError(ValueError):
    """An answer that is no JSON, or not of the right types.

    Attributes:
        why: what is wrong.
        steps: where in the answer.
    """

    def __init__(self, why: str, *steps: str | int) -> None:
        super().__init__(f"{reduce(below, steps, '') or 'it'} {why}")
        self.why = why
        self.steps = steps


class Members(list[tuple[str, object]]):
    """An object of JSON, its members in their order and as often as they are there."""


@frozen
class Number:
    """A number of JSON, as it is written."""

    text: str


def _no_constant(text: str) -> Any:
    raise UnreadableError(f"is not JSON ({text})")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=Members, parse_int=Number, parse_float=Number, parse_constant=_no_constant
)
_BLANKS: Final = " \t\r\n"


def first_value(content: bytes) -> object:
    """Return the first value in what was sent; what follows it is not looked at.

    >>> first_value(b' [1.50, null]} and more')
    [Number(text='1.50'), None]

    Raises:
        UnreadableError: there is none, or not the whole of it.
    """
    text = content.decode(errors="replace").lstrip(_BLANKS)
    if not text:
        raise UnreadableError("is empty")
    try:
        value, _ = _DECODER.raw_decode(text)
    except json.JSONDecodeError as error:
        raise UnreadableError(f"is not JSON ({error})") from None
    except RecursionError:
        raise UnreadableError("is nested too deeply") from None
    return value


# -- kinds of values -------------------------------------------------------------------------------


@frozen
class Kind:
    """A type of Go.

    Attributes:
        zero: what it is when nothing is said.
        read: makes the value of what was found, which is no null, and of what was there before.
        null_clears: whether a null makes it None; else it leaves it as it was.
    """

    zero: Any
    read: Callable[[Any, Any], Any]
    null_clears: bool = False

    def of(self, value: object) -> Any:
        """Return the value of what was found.

        Raises:
            UnreadableError: it is of another type.
        """
        return self.over(self.zero, value)

    def over(self, before: Any, value: object) -> Any:
        """Return the value of what was found, laid over what was there before.

        Raises:
            UnreadableError: it is of another type.
        """
        if value is None:
            return None if self.null_clears else before
        return self.read(value, before)


def _text(value: object, _before: object) -> str:
    if not isinstance(value, str):
        raise UnreadableError("is not a string")
    return whole_characters(value)


def _truth(value: object, _before: object) -> bool:
    if not isinstance(value, bool):
        raise UnreadableError("is not a boolean")
    return value


_INTEGER: Final = re.compile(r"-?[0-9]{1,19}")


def _integer(bits: int) -> Kind:
    def read(value: object, _before: object) -> int:
        if isinstance(value, Number) and _INTEGER.fullmatch(value.text):
            number = int(value.text)
            if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
                return number
        raise UnreadableError(f"is not an integer of {bits} bits")

    return Kind(0, read)


def _time(value: object, _before: object) -> object:
    try:
        return read_time(value)
    except NoTime as error:
        raise UnreadableError(error.why) from None


def _quantity(value: object, _before: object) -> Quantity:
    text = value.text if isinstance(value, Number) else value
    if isinstance(text, str):
        try:
            return Quantity(text.strip())
        except QuantityError:
            pass
    raise UnreadableError("is not a quantity")


TEXT: Final = Kind("", _text)
TRUTH: Final = Kind(zero=False, read=_truth)
INT32: Final = _integer(32)
INT64: Final = _integer(64)
TIME: Final = Kind(None, _time, null_clears=True)
QUANTITY: Final = Kind(Quantity(0), _quantity)


def list_of(item: Kind) -> Kind:
    """Return the kind of lists of a kind.

    Where there was a list before, Go reads the items over those of that list.
    """

    def read(value: object, before: Any) -> list[Any]:
        if not isinstance(value, list) or isinstance(value, Members):
            raise UnreadableError("is not a list")
        there = before or []
        return [
            _inside(index, item, each, there[index] if index < len(there) else item.zero)
            for index, each in enumerate(value)
        ]

    return Kind(None, read, null_clears=True)


def map_of(item: Kind) -> Kind:
    """Return the kind of maps from texts to a kind."""

    def read(value: object, before: Any) -> dict[str, Any]:
        return {
            **(before or {}),
            **{
                whole_characters(key): _inside(key, item, each, item.zero)
                for key, each in _members(value)
            },
        }

    return Kind(None, read, null_clears=True)


def struct(**fields: Kind) -> Kind:
    """Return the kind of objects with these fields; their keys are known in any case."""
    zero: Mapping[str, Any] = {name: kind.zero for name, kind in fields.items()}
    folded = {_folded(name): name for name in fields}

    def read(value: object, before: Any) -> dict[str, Any]:
        made = dict(before or zero)
        for key, each in _members(value):
            name = folded.get(_folded(key))
            if name is not None:
                made[name] = _inside(name, fields[name], each, made[name])
        return made

    return Kind(zero, read)


def optional(kind: Kind) -> Kind:
    """Return the kind that may be absent."""
    return Kind(None, kind.read, null_clears=True)


def _members(value: object) -> Members:
    if not isinstance(value, Members):
        raise UnreadableError("is not an object")
    return value


def _folded(key: str) -> str:
    """Make keys alike that Go takes for alike: `\u017f` is an s to it, and the Kelvin sign a k."""
    return key.replace("\u017f", "s").lower()


def _inside(step: str | int, kind: Kind, value: object, before: Any) -> Any:
    try:
        return kind.over(before, value)
    except UnreadableError as error:
        raise UnreadableError(error.why, step, *error.steps) from None
