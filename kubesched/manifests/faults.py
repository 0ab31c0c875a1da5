"""From cattrs' nested exceptions to a flat list of what is wrong at which path."""

from collections.abc import Iterator

from attrs import fields_dict
from cattrs.errors import BaseValidationError, ClassValidationError, IterableValidationError

from kubesched.manifests.fault import Fault
from kubesched.manifests.paths import below, wire_name
from kubesched.manifests.scalars import Mismatch

UNREADABLE = (Mismatch, BaseValidationError)
"""What reading a wire form raises."""


def faults(error: Exception, path: str = "") -> Iterator[Fault]:
    """Go through an exception of the converter, in the order of the fields."""
    match error:
        case Mismatch():
            yield Fault(path, error.value, error.why)
        case ClassValidationError():
            named, rest = error.group_exceptions()
            for inner, field in named:
                yield from faults(inner, below(path, _wire_name(error.cl, field.name)))
            yield from _unexpected(rest)
        case IterableValidationError():
            numbered, rest = error.group_exceptions()
            for inner, item in numbered:
                yield from faults(inner, below(path, item.index))
            yield from _unexpected(rest)
        case _:
            raise error


def _wire_name(kind: type, name: str) -> str:
    return wire_name(fields_dict(kind)[name])


def _unexpected(rest: list[Exception]) -> Iterator[Fault]:
    """Let through what no reader raises on purpose: it is an error of this package."""
    for error in rest:
        yield from faults(error)
