"""From plain data to values, reading on where something does not fit.

The first fault of a configuration must not hide the others, so a value is made in any case: what
does not fit is noted, and its default stands in for it.
"""

from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin

import attrs
from attrs import define

from kubesched.manifests.fault import Fault
from kubesched.manifests.paths import below, wire_name
from kubesched.manifests.scalars import Mismatch, read_integer, read_text, read_truth

T = TypeVar("T")

_SCALARS: Final[Mapping[Any, Callable[[object], Any]]] = {
    str: read_text,
    int: read_integer,
    bool: read_truth,
}

ANY_CASE: Final = "any case"
"""The metadata of a field in which keys are known whatever their case."""


@define
class WireReader:
    """Reads attrs classes whose fields all have defaults, and notes what is wrong.

    Attributes:
        faults: what does not fit, in the order of the fields.
        unknown: the paths of what there is no field for.
    """

    faults: list[Fault] = attrs.field(factory=list)
    unknown: list[str] = attrs.field(factory=list)

    def read(self, kind: type[T], wire: object) -> T:
        """Make an instance of a class, whatever it is given."""
        made: T = self._read_or_default(kind, wire, "", any_case=False)
        return made

    def _read_or_default(self, kind: Any, value: object, path: str, *, any_case: bool) -> Any:
        try:
            return self._read(kind, value, path, any_case=any_case)
        except Mismatch as mismatch:
            self.faults.append(Fault(path, mismatch.value, mismatch.why))
            return () if get_origin(kind) is tuple else kind()

    def _read(self, kind: Any, value: object, path: str, *, any_case: bool) -> Any:
        if attrs.has(kind):
            return self._read_object(kind, value, path, any_case=any_case)
        if get_origin(kind) is tuple:
            return self._read_list(get_args(kind)[0], value, path, any_case=any_case)
        return _SCALARS[kind](value)

    def _read_list(self, kind: Any, value: object, path: str, *, any_case: bool) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise Mismatch(value, "is not a list")
        return tuple(
            self._read_or_default(kind, item, below(path, index), any_case=any_case)
            for index, item in enumerate(value)
        )

    def _read_object(self, kind: Any, wire: object, path: str, *, any_case: bool) -> Any:
        if not isinstance(wire, Mapping):
            raise Mismatch(wire, "is not a mapping")
        given = {str(key): value for key, value in wire.items() if value is not None}
        if any_case:
            given = {key.lower(): value for key, value in given.items()}
        made = {}
        for field in attrs.fields(kind):
            name = wire_name(field)
            value = given.pop(name.lower() if any_case else name, None)
            if value is not None:
                made[field.name] = self._read_or_default(
                    _without_none(field.type),
                    value,
                    below(path, name),
                    any_case=any_case or ANY_CASE in field.metadata,
                )
        self.unknown.extend(below(path, key) for key in given)
        return kind(**made)


def _without_none(kind: Any) -> Any:
    """Return what an optional field holds if it holds anything."""
    if get_origin(kind) not in {UnionType, Union}:
        return kind
    return next(one for one in get_args(kind) if one is not type(None))
