"""From a source to the one document that it is to hold, its kind and version checked."""

import os
from collections.abc import Iterator, Mapping
from logging import getLogger
from typing import Any, Final, Generic, TypeVar

from attrs import NOTHING, evolve, frozen

from kubesched.config.wire import WireReader
from kubesched.manifests import Place, Problem, Source
from kubesched.manifests.documents import documents
from kubesched.manifests.fault import Fault
from kubesched.manifests.flaws import TOO_DEEP, State, flaws, state_of
from kubesched.manifests.sources import Report, Text, opened

T = TypeVar("T")

_LOGGER: Final = getLogger("kubesched.config")


@frozen
class Read(Generic[T]):
    """A value, and what did not fit when it was read."""

    value: T
    faults: tuple[Fault, ...]


@frozen
class Document:
    """A mapping, where it stands, and what the parser noted in it."""

    place: Place
    wire: Mapping[str, Any]
    flaws: tuple[Fault, ...] = ()

    def read(self, kind: type[T], *apart: str) -> Read[T]:
        """Make a value of it, whatever is wrong, and say in the log what it has no field for.

        Args:
            kind: an attrs class whose fields all have defaults.
            apart: fields that are looked at elsewhere.
        """
        reader = WireReader()
        value = reader.read(kind, {k: v for k, v in self.wire.items() if k not in apart})
        for path in reader.unknown:
            _LOGGER.warning("%s: the field %s is unknown, and is ignored", self.place, path)
        return Read(value, (*self.flaws, *reader.faults))

    def stated(self, field: str, expected: str, *, required: bool) -> Iterator[Fault]:
        """Check what the document says that it is."""
        value = self.wire.get(field)
        if value is None and required:
            yield Fault(field, NOTHING, f"is missing (expected {expected!r})")
        elif value is not None and value != expected:
            yield Fault(field, value, f"is not {expected!r}")


def only_document(source: Source, what: str, problems: list[Problem]) -> Document | None:
    """Return the one document of a source; without it, a problem says why.

    Args:
        source: a mapping, a path, `-` for standard input or an open stream.
        what: what the document should be, for the problems.
        problems: where they are added.
    """
    before = len(problems)
    found = list(_documents(source, what, problems.append))
    if len(found) == 1 and len(problems) == before:
        return _looked_at(*found[0], what, problems.append)
    if len(problems) == before:
        number = f"{len(found)} documents" if found else "nothing"
        place = evolve(found[0][0], document=None) if found else Place(source=_name_of(source))
        problems.append(place.problem(f"holds {number} (expected one {what})"))
    return None


def _documents(source: Source, what: str, report: Report) -> Iterator[tuple[Place, object]]:
    if isinstance(source, Mapping):
        yield Place(source=what), source
        return
    for found in opened([source], report):
        if isinstance(found, Text):
            yield from documents(found, report)
        else:
            yield found.place, found.value


def _name_of(source: Source) -> str:
    if source == "-":
        return "standard input"
    return str(source if isinstance(source, os.PathLike) else getattr(source, "name", source))


def _looked_at(place: Place, found: object, what: str, report: Report) -> Document | None:
    place, state = evolve(place, document=None), state_of(found)
    if state is State.TOO_DEEP:
        report(place.problem(TOO_DEEP))
    elif not isinstance(found, Mapping):
        report(place.problem(f"is no {what} (expected a mapping)", value=found))
    else:
        return Document(place, found, tuple(flaws(found)) if state is State.FLAWED else ())
    return None
