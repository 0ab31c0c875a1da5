"""Recorded answers as they stand in files: one JSON object a line, of one of several forms.

Those of whole attempts have the form of `kubesched.testing`, which reads them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, TypeAlias

from attrs import frozen

from kubesched.testing.differential import Recording as RecordedAttempts
from kubesched.testing.differential.lines import Line, files_in, lines_of_file
from kubesched.testing.differential.wire import recording_of

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


class NothingToReplay(ValueError):  # noqa: N818 - it is no fault of the files
    """No recording has one of the names that were asked for."""


@frozen
class Recording:
    """One line of a file: what was asked, and what was answered.

    Attributes:
        name: what it is called.
        shape: its form.
        data: the line as it stands.
        attempts: the same as a value, if it has the form of whole attempts.
    """

    name: str
    shape: str
    data: Json
    attempts: RecordedAttempts | None = None

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
            yield from map(_recording, lines_of_file(file))


def _recording(line: Line) -> Recording:
    exact = line.json()
    keys = exact.keys() if isinstance(exact, dict) else ()
    shape = next((name for name, needed in _SHAPES.items() if needed <= frozenset(keys)), None)
    if shape is None:
        raise line.wrong("is not a recorded answer of a known form")
    attempts = recording_of(exact, line) if shape == "attempts" else None
    data = json.loads(line.text)
    return Recording(_name(data), shape, data, attempts)


def _name(data: Mapping[str, Any]) -> str:
    if "numAllNodes" in data:
        return f"feasible-nodes/{data['numAllNodes']}-at-{data['percentageOfNodesToScore']}"
    if "call" in data:
        return f"extender-wire/{data['name']}"
    return str(data["scenario"]["name"] if "scenario" in data else data["name"])
