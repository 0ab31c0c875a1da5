"""Of recorded errors of extenders only the words that matter are compared."""

from typing import Any

import pytest

from kubesched.testing.differential import Comparison
from tests.conformance.recordings import Json, recorded_in
from tests.conformance.replay import LEGACY, REPLAYS
from tests.conformance.setting import Setting
from tests.conformance.wording import words_that_matter

OWN = "Failed filter with extender at URL http://h/filter, code 500"


@pytest.mark.parametrize(
    ("recorded", "sent", "words"),
    [
        pytest.param("out of cheese", {"Error": "out of cheese"}, "out of cheese", id="sent"),
        pytest.param("two", {"Error": "one", "error": "two"}, "two", id="sent in another case"),
        pytest.param("50%!(NOVERB)", {"Error": "50%"}, "50%", id="formatted"),
        pytest.param("50% of it", {"error": "50%% of it"}, "50%% of it", id="formatted well"),
        pytest.param(OWN, {"Error": "boom"}, OWN, id="the scheduler's own"),
        pytest.param("unexpected EOF", {"Error": "boom"}, None, id="one of Go's"),
        pytest.param("unexpected EOF", {"Error": "50%"}, None, id="Go's, and not what was sent"),
        pytest.param("EOF", ["Error"], None, id="one of Go's about a list"),
    ],
)
def test_the_words_that_matter_are_the_schedulers_and_the_extenders(
    recorded: str, sent: object, words: str | None
) -> None:
    assert words_that_matter(recorded, {"body": "EOF"}, {"json": sent}) == words


def parts_of(
    name: str, calls: Json, entry: dict[str, Any] | None = None, **result: Any
) -> dict[str, Comparison]:
    """Replay an attempt that is recorded, with other answers, another entry or another outcome."""
    cases = recorded_in([LEGACY / "extender-cases.jsonl"])
    case = next(each for each in cases if each.name == f"extender-cases/{name}")
    case.data["extenders"][0]["responses"] = calls
    case.data["scenario"]["config"]["policy"]["extenders"][0].update(entry or {})
    case.data["expected"]["results"][0].update(result)
    found: dict[str, Comparison] = {}
    for part in REPLAYS["extender attempts"](case, Setting()):
        found.setdefault(part.part, part)
    return found


GARBAGE = {"body": "<html>"}
NO_JSON = "invalid character '<' looking for beginning of value"


def test_an_attempt_may_end_with_other_words_than_gos() -> None:
    name, calls = "filter/error-text", {"filter": GARBAGE}
    assert parts_of(name, calls, message=NO_JSON)["message"].agrees
    assert not parts_of(name, calls, message=OWN)["message"].agrees
    none_left: Json = {"filter": {"json": {}}}
    assert not parts_of(name, none_left, message=NO_JSON)["message"].agrees


def test_an_error_that_was_formatted_is_compared_as_it_was_sent() -> None:
    name, calls = "filter/error-text", {"filter": {"json": {"Error": "50%"}}}
    assert parts_of(name, calls, message="50%!(NOVERB)")["message"].agrees


def test_preemption_may_end_with_other_words_than_gos() -> None:
    name, calls = "preempt/status-500", {"preempt": GARBAGE}
    recorded = parts_of(name, calls)["preemption"].expected
    assert isinstance(recorded, dict)
    assert not parts_of(name, calls)["preemption"].agrees
    assert parts_of(name, calls, preemption={**recorded, "error": NO_JSON})["preemption"].agrees


def test_a_binding_may_fail_with_other_words_than_gos() -> None:
    name = "bind/error-pod-is-forgotten"
    assert parts_of(name, {"bind": GARBAGE}, bindError=NO_JSON)["bindError"].agrees
    assert not parts_of(name, {"bind": {"json": {}}}, bindError=NO_JSON)["bindError"].agrees


def test_nodes_may_be_kept_with_a_status_and_verbs_may_lie_deeper() -> None:
    calls = {"filter": {"keep": ["node-0", "node-2"], "failed": {"node-1": "noisy"}}}
    deeper = parts_of("filter/keeps-two", calls, {"filterVerb": "v1/filter"})
    assert all(part.agrees for part in deeper.values())
    failing = {"filter": {**calls["filter"], "status": 500}}
    assert not parts_of("filter/keeps-two", failing)["node"].agrees
