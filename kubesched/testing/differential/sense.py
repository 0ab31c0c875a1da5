"""Whether a recording makes sense as a whole, which no reader of single fields sees."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import NOTHING, fields

from kubesched.manifests.fault import Fault
from kubesched.manifests.paths import below, wire_name
from kubesched.model import KubeObject
from kubesched.testing.differential.recording import Recording, ScenarioObjects

_OF_SCENARIO: Final = {
    "name": "a text",
    "config": "an object",
    "objects": "an object",
    "pending": "a list",
}
_OF_RESULT: Final = {"pod": "the key of a pod", "node": "the name of a node, or null"}


def missing(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Go over what a line has to say and does not."""
    scenario, expected = data.get("scenario"), data.get("expected")
    yield from _absent(data, "", {"scenario": "an object", "expected": "an object"})
    if isinstance(scenario, Mapping):
        yield from _absent(scenario, "scenario", _OF_SCENARIO)
    if isinstance(expected, Mapping) and expected.get("error") is None:
        yield from _absent_in_results(expected.get("results"))


def _absent(data: Mapping[str, Any], path: str, needed: Mapping[str, str]) -> Iterator[Fault]:
    for key, what in needed.items():
        if key not in data or data[key] in (None, ""):
            yield Fault(below(path, key), NOTHING, f"is missing (expected {what})")


def _absent_in_results(results: object) -> Iterator[Fault]:
    for index, result in enumerate(results if isinstance(results, list) else ()):
        for key, what in _OF_RESULT.items():
            if isinstance(result, Mapping) and key not in result:
                path = below(below("expected.results", index), key)
                yield Fault(path, NOTHING, f"is missing (expected {what})")


def contradictions(recording: Recording) -> Iterator[Fault]:
    """Go over what does not go together."""
    scenario, expected = recording.scenario, recording.expected
    yield from _twins(_with_paths(recording))
    if expected.error is not None:
        return
    if len(expected.results) != len(scenario.pending):
        why = f"are {len(expected.results)} (expected one for each of {len(scenario.pending)} pods)"
        yield Fault("expected.results", NOTHING, why)
    for index, (pod, result) in enumerate(zip(scenario.pending, expected.results, strict=False)):
        if result.pod != pod.key:
            path = below("expected.results", index)
            yield Fault(below(path, "pod"), result.pod, f"is another pod (expected {pod.key!r})")


def _with_paths(recording: Recording) -> Iterator[tuple[str, KubeObject]]:
    scenario = recording.scenario
    for each in fields(ScenarioObjects):
        path = below("scenario.objects", wire_name(each))
        for index, it in enumerate(getattr(scenario.objects, each.name)):
            yield below(path, index), it
    for index, pod in enumerate(scenario.pending):
        yield below("scenario.pending", index), pod


def _twins(objects: Iterable[tuple[str, KubeObject]]) -> Iterator[Fault]:
    seen: dict[tuple[str, str], str] = {}
    for path, it in objects:
        first = seen.setdefault((it.kind, it.key), path)
        if first != path:
            yield Fault(path, NOTHING, f"is the same {it.kind} as {first}: {it.key}")
