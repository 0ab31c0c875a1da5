"""What can be loaded: files, folders, streams, plain data and models, in any mixture.

Nothing is opened before it is its turn, and nothing stays open.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from attrs import evolve, frozen

from kubesched.manifests.errors import Place, Problem
from kubesched.manifests.flaws import DEEPEST, TOO_DEEP
from kubesched.manifests.text import TextError, decoded
from kubesched.model import KubeObject

SUFFIXES: Final = (".json", ".jsonl", ".yaml", ".yml")
"""The files of a folder that are loaded; a file that is named is loaded whatever its suffix."""


@runtime_checkable
class Readable(Protocol):
    """An open stream of text or bytes."""

    def read(self) -> str | bytes:
        """Return all that is left."""
        ...


Source: TypeAlias = (
    "str | os.PathLike[str] | Readable | Mapping[str, Any] | KubeObject"
    " | Sequence[Source] | Iterator[Source] | Iterable[KubeObject]"
)
"""A path, `-` for standard input, a stream, a manifest as plain data, an object, or several.

It is not just any iterable of sources: a dictionary would be one, too, to a type checker.
"""

Report: TypeAlias = Callable[[Problem], None]


@frozen
class Text:
    """A whole source as text; the suffix, in lower case, is a hint at what it should be."""

    place: Place
    text: str
    suffix: str = ""


@frozen
class Given:
    """Plain data or an object that was handed over as such."""

    place: Place
    value: "Mapping[str, Any] | KubeObject"


def opened(sources: Iterable[Source], report: Report) -> Iterator[Text | Given]:
    """Go through sources in their order and report those that cannot be read."""
    for number, source in enumerate(sources, 1):
        yield from _opened(source, Place(source=f"argument {number}"), report)


def _opened(source: Any, place: Place, report: Report) -> Iterator[Text | Given]:
    match source:
        case str() | os.PathLike():
            yield from _opened_path(os.fspath(source), place, report)
        case KubeObject() | Mapping():
            yield Given(place, source)
        case Readable():
            yield from _read(source.read, _named(place, source), report)
        case Iterable() if not isinstance(source, (bytes, bytearray)):
            yield from _opened_all(source, place, report)
        case _:
            what = "is no source (expected a path, a stream, a mapping, an object, or several)"
            report(place.problem(what, value=source))


def _opened_all(sources: Iterable[object], place: Place, report: Report) -> Iterator[Text | Given]:
    if len(place.item) == DEEPEST:
        report(evolve(place, item=()).problem(TOO_DEEP))
        return
    for number, source in enumerate(sources, 1):
        yield from _opened(source, evolve(place, item=(*place.item, number)), report)


def _named(place: Place, stream: object) -> Place:
    name = getattr(stream, "name", None)
    return Place(source=name) if isinstance(name, str) else place


def _opened_path(name: str, place: Place, report: Report) -> Iterator[Text]:
    if not name or "\n" in name or name.startswith("{"):
        report(place.problem("is no path (give text as io.StringIO(text))", value=name))
    elif name == "-":
        yield from _read(_standard_input, Place(source="standard input"), report)
    elif os.path.isdir(name):  # noqa: PTH112 - Path.is_dir raises on names that no file can have
        for path in _files_below(name, report):
            yield from _read_file(path, report)
    else:
        yield from _read_file(Path(name), report)


def _standard_input() -> str | bytes:
    if sys.stdin is None:
        raise OSError("it is closed")
    text: str | bytes = getattr(sys.stdin, "buffer", sys.stdin).read()
    return text


def _files_below(folder: str, report: Report) -> list[Path]:
    def unreadable(error: OSError) -> None:
        report(Place(source=str(Path(error.filename))).problem(_why(error)))

    paths = [
        Path(parent, name)
        for parent, _, names in os.walk(folder, onerror=unreadable)
        for name in names
        if name.lower().endswith(SUFFIXES)
    ]
    if not paths:
        expected = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
        report(Place(source=folder).problem(f"holds no manifest (expected {expected})"))
    return sorted(paths)


def _read_file(path: Path, report: Report) -> Iterator[Text]:
    yield from _read(path.read_bytes, Place(source=str(path)), report, path.suffix.lower())


def _read(
    read: Callable[[], str | bytes], place: Place, report: Report, suffix: str = ""
) -> Iterator[Text]:
    try:
        text = decoded(read())
    except TextError as error:
        report(place.problem(str(error)))
    except (OSError, ValueError) as error:
        report(place.problem(_why(error)))
    else:
        yield Text(place, text, suffix)


def _why(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return f"cannot be read ({reason[:1].lower()}{reason[1:]})"
