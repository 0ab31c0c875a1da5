"""Lines of files and streams, one JSON value a line: finding them, reading them, writing them."""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from kubesched.manifests.dumping import Target
from kubesched.manifests.json_reader import read_json
from kubesched.manifests.text import TextError, decoded
from kubesched.testing.differential.errors import RecordingError

SUFFIXES: Final = (".jsonl.gz", ".jsonl")
"""The files of a folder that are read; a file that is named is read whatever its suffix."""

COMPRESSED: Final = ".gz"

_MOST_SHOWN: Final = 40
"""Characters that are shown of what is no path."""


@frozen
class Line:
    """A line that is not blank, and where it stands."""

    source: str
    number: int
    text: str

    def json(self) -> Any:
        """Read it as JSON.

        Raises:
            RecordingError: it is not.
        """
        try:
            first, *more = read_json(self.text)
        except TextError as error:
            raise self.wrong(str(error).replace("line 1, ", "")) from None
        if more:
            raise self.wrong("holds more than one value (expected one a line)")
        return first

    def wrong(self, *problems: str) -> RecordingError:
        """Return the error that says what is wrong with it."""
        return RecordingError(self.source, self.number, problems)


def files_in(path: str | os.PathLike[str]) -> Sequence[Path]:
    """Return the files of lines in a folder, by name, or the file itself.

    Raises:
        RecordingError: there are none, or it is no path.
    """
    folder, text = Path(path), str(path).lstrip()
    if text.startswith("{"):
        said = "is a recording, not where one is (expected a path, or lines in a list or stream)"
        raise RecordingError(f"{text[:_MOST_SHOWN]}…", None, [said])
    if not folder.is_dir():
        return [folder]
    files = sorted(file for file in folder.iterdir() if file.name.endswith(SUFFIXES))
    if not files:
        raise RecordingError(
            str(folder), None, [f"no file in this folder ends in {' or '.join(SUFFIXES)}"]
        )
    return files


def lines_of_file(file: Path) -> Iterator[Line]:
    """Go over the lines of a file, compressed or not.

    Raises:
        RecordingError: it cannot be read, or is not text.
    """
    try:
        with gzip.open(file) if file.suffix == COMPRESSED else file.open("rb") as content:
            for number, each in enumerate(content, 1):
                if line := line_of(each, str(file), number):
                    yield line
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise RecordingError(str(file), None, [f"cannot be read ({why})"]) from error


def line_of(content: str | bytes, source: str, number: int) -> Line | None:
    """Return a line as it is in a file or stream; None if it is blank.

    Raises:
        RecordingError: it is not text.
    """
    try:
        text = decoded(content).strip()
    except TextError as error:
        raise RecordingError(source, number, [str(error)]) from None
    return Line(source, number, text) if text else None


def write_lines(values: Iterable[Any], target: Target) -> None:
    """Write plain data, a value a line; the same data is always the same bytes.

    Args:
        values: the data.
        target: a path, which is compressed if it ends in `.gz`, or an open stream of text.

    Raises:
        OSError: the file cannot be written.
    """
    text = "".join(f"{_compact(value)}\n" for value in values)
    if not isinstance(target, str | os.PathLike):
        target.write(text)
        return
    file, content = Path(target), text.encode()
    file.write_bytes(gzip.compress(content, mtime=0) if file.suffix == COMPRESSED else content)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
