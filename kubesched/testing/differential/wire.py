"""Recordings in files and streams: from and to JSON, a recording a line."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from kubesched.manifests import Place
from kubesched.manifests.dumping import Target
from kubesched.manifests.fault import Fault
from kubesched.manifests.flaws import TOO_DEEP, State, flaws, state_of
from kubesched.manifests.structuring import structured, unstructured
from kubesched.testing.differential.errors import RecordingError
from kubesched.testing.differential.lines import (
    Line,
    files_in,
    line_of,
    lines_of_file,
    write_lines,
)
from kubesched.testing.differential.recording import Recording
from kubesched.testing.differential.sense import contradictions, missing

RecordingSource: TypeAlias = (
    str | os.PathLike[str] | Recording | Iterable[str | bytes] | Iterable[Recording]
)
"""A file or folder of recordings, an open stream, recordings themselves."""


def read_recordings(source: RecordingSource) -> Iterator[Recording]:
    """Go over recordings, one at a time.

    Args:
        source: a path of a file (compressed if it ends in `.gz`) or of a folder, whose `*.jsonl`
            and `*.jsonl.gz` are read in the order of their names; an open stream of text or bytes;
            or recordings, which are given back.

    Raises:
        RecordingError: a file that cannot be read, a line that is no recording, or one of which
            the answers are not those to its scenario.

    >>> for recording in read_recordings(['{"scenario": {}}']):
    ...     print(recording.scenario.name)
    Traceback (most recent call last):
        ...
    kubesched.testing.differential.errors.RecordingError: stream, line 1: 5 problems:
      expected is missing (expected an object)
      scenario.name is missing (expected a text)
      scenario.config is missing (expected an object)
      scenario.objects is missing (expected an object)
      scenario.pending is missing (expected a list)
    """
    match source:
        case Recording():
            yield _sound(source)
        case str() | os.PathLike():
            for file in files_in(source):
                yield from map(recording_on, lines_of_file(file))
        case _:
            yield from _in_stream(source)


def write_recordings(recordings: Recording | Iterable[Recording], target: Target) -> None:
    """Write recordings, one a line; the same recordings are always the same bytes.

    Args:
        recordings: one or several.
        target: a path, which is replaced, and compressed if it ends in `.gz`; or an open stream of
            text.

    Raises:
        OSError: the file cannot be written.
    """
    each = [recordings] if isinstance(recordings, Recording) else recordings
    write_lines(map(_written, each), target)


def recording_on(line: Line) -> Recording:
    """Read a line.

    Raises:
        RecordingError: with all that is wrong with it.
    """
    return recording_of(line.json(), line)


def recording_of(data: Any, line: Line) -> Recording:
    """Make a recording of plain data.

    Args:
        data: what the line says.
        line: where it stands, for errors.

    Raises:
        RecordingError: with all that is wrong with it.
    """
    if not isinstance(data, Mapping) or not {"scenario", "expected"} & data.keys():
        raise line.wrong("is not a recording (expected an object with scenario and expected)")
    state = state_of(data)
    if state is State.TOO_DEEP:
        raise line.wrong(TOO_DEEP)
    found = [*(flaws(data) if state is State.FLAWED else ()), *missing(data)]
    recording = structured(Recording, data, found)
    if recording is not None and not found:
        found.extend(contradictions(recording))
    if recording is None or found:
        raise line.wrong(*_told(found))
    return recording


def _sound(recording: Recording) -> Recording:
    """Return a recording that was made by hand, if it makes sense.

    Raises:
        RecordingError: with all that does not go together.
    """
    found = _told(contradictions(recording))
    if found:
        raise RecordingError(f"recording {recording.scenario.name}".rstrip(), None, found)
    return recording


def _told(faults: Iterable[Fault]) -> list[str]:
    return [str(Place().problem(why, path, value)) for path, value, why in faults]


def _written(recording: Recording) -> dict[str, Any]:
    """Return a recording as plain data, in which objects begin with their metadata."""
    wire = unstructured(recording)
    scenario = wire["scenario"]
    scenario["objects"] = {key: _named_first(each) for key, each in scenario["objects"].items()}
    scenario["pending"] = _named_first(scenario["pending"])
    return wire


def _named_first(objects: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"metadata": it.pop("metadata", {}), **it} for it in objects]


def _in_stream(source: Iterable[Any]) -> Iterator[Recording]:
    named = getattr(source, "name", None)
    name = named if isinstance(named, str) else "stream"
    for number, item in enumerate(source, 1):
        if isinstance(item, Recording):
            yield _sound(item)
        elif not isinstance(item, str | bytes):
            raise RecordingError(name, number, ["is neither a line nor a Recording"])
        elif line := line_of(item, name, number):
            yield recording_on(line)
