"""Recorded answers as they stand in files: one JSON object a line."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, TypeAlias

from attrs import frozen

SUFFIXES: Final = (".jsonl.gz", ".jsonl")

_SHAPES: Final[Mapping[str, frozenset[str]]] = {
    "extender attempts": frozenset({"scenario", "extenders", "expected"}),
    "attempts": frozenset({"scenario", "expected"}),
    "node tree": frozenset({"name", "ops", "results"}),
    "feasible nodes": frozenset(
        {"numAllNodes", "percentageOfNodesToScore", "numFeasibleNodesToFind"}
    ),
    "select host": frozenset({"name", "startIndex", "calls", "chosen"}),
    "extender call": frozenset({"name", "call", "extender"}),
}
"""What a line holds, by the keys that tell; the first that are all there decide."""


Json: TypeAlias = Mapping[str, Any]


class RecordingError(ValueError):
    """Files that are not there, or do not hold recorded answers."""


@frozen
class Recording:
    """One line of a file: what was asked, and what was answered."""

    name: str
    shape: str
    data: Mapping[str, Any]

    @property
    def family(self) -> str:
        """What it belongs to: the name as far as its slash."""
        return self.name.partition("/")[0]

    def is_one_of(self, patterns: Sequence[str]) -> bool:
        """Tell whether its name or family matches one of the patterns."""
        return any(
            fnmatchcase(name, pattern) for name in (self.name, self.family) for pattern in patterns
        )


def recorded_in(paths: Iterable[Path]) -> Iterator[Recording]:
    """Read all recordings of files, and of the files in folders.

    Raises:
        RecordingError: a path or a line that is none.
    """
    for path in paths:
        for file in files_in(path):
            for number, line in lines_in(file):
                yield _recording(line, f"{file}, line {number}")


def files_in(path: Path) -> Sequence[Path]:
    """Return the files of recordings in a folder, or the file itself.

    Raises:
        RecordingError: there are none.
    """
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.name.endswith(SUFFIXES))
    if not files:
        raise RecordingError(f"{path}: no file in this folder ends in {' or '.join(SUFFIXES)}")
    return files


def lines_in(file: Path) -> Iterator[tuple[int, str]]:
    """Go over the lines of a file, compressed or not, that are not blank, with their numbers.

    Raises:
        RecordingError: it cannot be read.
    """
    try:
        with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as lines:
            yield from ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise RecordingError(f"{file}: {why}") from error


def _recording(line: str, where: str) -> Recording:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise RecordingError(f"{where}: not JSON: {error}") from error
    keys = data.keys() if isinstance(data, dict) else ()
    shape = next((name for name, needed in _SHAPES.items() if needed <= frozenset(keys)), None)
    if shape is None:
        raise RecordingError(f"{where}: not a recorded answer of a known form")
    if shape == "attempts":
        _check_attempts(data, where)
    return Recording(_name(data), shape, data)


def _name(data: Mapping[str, Any]) -> str:
    if "numAllNodes" in data:
        return f"feasible-nodes/{data['numAllNodes']}-at-{data['percentageOfNodesToScore']}"
    if "call" in data:
        return f"extender-wire/{data['name']}"
    return str(data["scenario"]["name"] if "scenario" in data else data["name"])


def _check_attempts(data: Mapping[str, Any], where: str) -> None:
    scenario, expected = data["scenario"], data["expected"]
    if not isinstance(scenario, dict) or not isinstance(expected, dict):
        raise RecordingError(f"{where}: scenario and expected are not both objects")
    absent = [key for key in ("name", "config", "objects", "pending") if key not in scenario]
    if absent:
        raise RecordingError(f"{where}: the scenario has no {absent[0]}")
    if "error" not in expected and len(expected.get("results", ())) != len(scenario["pending"]):
        raise RecordingError(f"{where}: there is not one result for each pending pod")
