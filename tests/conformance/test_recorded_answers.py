"""Our answers are the recorded ones, and the tool that says so can tell when they are not."""

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from kubesched.testing.differential import Comparison
from kubesched.testing.differential.lines import SUFFIXES
from tests.conformance.recordings import recorded_in
from tests.conformance.replay import LEGACY, main, replayed
from tests.conformance.report import report
from tests.conformance.tally import Tally


def family_of(file: Path) -> str:
    return file.name.partition(".")[0]


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=family_of(file))
        for file in sorted(LEGACY.iterdir())
        if file.name.endswith(SUFFIXES)
    ],
)
def test_our_answers_are_the_recorded_ones(file: Path) -> None:
    tally = replayed(recorded_in([file]))
    if tally.differences:
        pytest.fail("\n".join(report(tally, show=5)), pytrace=False)
    assert tally.parts.compared, "nothing could be compared"


@pytest.mark.parametrize("family", ["mixtures", "nominated-pods", "sequences"])
def test_neither_workers_nor_what_is_remembered_change_anything(family: str) -> None:
    file = LEGACY / f"{family}.jsonl.gz"
    plain = replayed(recorded_in([file]))
    remembering = replayed(recorded_in([file]), workers=16, remembers=True)
    assert [*report(plain, 5)] == [*report(remembering, 5)]


# -- the tool itself -------------------------------------------------------------------------------

Alter = Callable[[dict[str, Any]], None]


def altered(family: str, folder: Path, alter: Alter) -> Path:
    """Write a copy of a family in which the first result with scores is altered."""
    with gzip.open(LEGACY / f"{family}.jsonl.gz", "rt") as file:
        lines = [json.loads(line) for line in file]
    results = [result for line in lines for result in line["expected"]["results"]]
    alter(next(result for result in results if "scores" in result))
    copy = folder / f"{family}.jsonl.gz"
    with gzip.open(copy, "wt") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in lines)
    return copy


def change_a_score(result: dict[str, Any]) -> None:
    scores = result["scores"]["LeastRequestedPriority"]
    scores[max(scores)] += 1


def change_a_verdict(result: dict[str, Any]) -> None:
    each = result["each"]
    each[max(each)]["HostName"]["fits"] ^= True


def change_a_filter(result: dict[str, Any]) -> None:
    verdicts = result["filter"]
    verdicts[max(verdicts)]["reasons"].append("Insufficient patience")


def change_a_total(result: dict[str, Any]) -> None:
    totals = result["totals"]
    totals[max(totals)] += 1


def change_the_top(result: dict[str, Any]) -> None:
    result["top"] = ["nowhere"]


def change_the_node(result: dict[str, Any]) -> None:
    result["node"] = None
    result["message"] = "0/0 nodes are available: ."


def last_line_of(output: str) -> str:
    return output.splitlines()[-1]


def test_a_replay_that_agrees_ends_with_the_counts_and_exits_0(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([str(LEGACY / "select-host.jsonl")]) == 0
    assert last_line_of(capsys.readouterr().out) == (
        "22 of 22 scenarios agree, 143 of 143 parts agree"
    )


@pytest.mark.parametrize(
    ("family", "alter", "told"),
    [
        pytest.param("least-requested", change_a_score, "scores[LeastReq", id="a score"),
        pytest.param(
            "least-requested", change_a_verdict, "][HostName]", id="a predicate's verdict"
        ),
        pytest.param("node-label-priority", change_a_filter, ", filter[", id="a node's verdict"),
        pytest.param("node-label-priority", change_a_total, ", totals[", id="a total"),
        pytest.param("node-label-priority", change_the_top, ", top", id="the best nodes"),
        pytest.param("node-label-priority", change_the_node, ", node", id="the node"),
        pytest.param("node-label-priority", change_the_node, ", message", id="the message"),
    ],
)
def test_a_recorded_answer_that_differs_is_shown_and_makes_it_exit_1(
    family: str, alter: Alter, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(altered(family, tmp_path, alter))]) == 1
    output = capsys.readouterr().out
    assert f"{family}/" in output
    assert told in output


def test_no_more_differences_are_shown_than_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = altered("node-label-priority", tmp_path, change_the_node)
    assert main([str(file), "--show", "1"]) == 1
    output = capsys.readouterr().out
    assert output.count("expected") == 1
    assert "more differences" in output


@pytest.mark.parametrize(
    ("patterns", "scenarios"),
    [
        pytest.param(["node-tree"], 56, id="a family"),
        pytest.param(["node-tree/empty"], 1, id="a name"),
        pytest.param(["node-tree/empty", "select-*"], 23, id="several patterns"),
    ],
)
def test_only_what_is_named_is_replayed(
    patterns: list[str], scenarios: int, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(LEGACY / "node-tree.jsonl"), str(LEGACY / "select-host.jsonl")]
    assert main([*files, "--only", *patterns]) == 0
    assert last_line_of(capsys.readouterr().out).startswith(f"{scenarios} of {scenarios} ")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        pytest.param("gone.jsonl", None, "No such file", id="no such file"),
        pytest.param("bad.jsonl", b"{", "line 1: is not JSON", id="not JSON"),
        pytest.param("bad.jsonl", b"\n[1]", "line 2: is not a recorded", id="another form"),
        pytest.param("bad.jsonl", b"\xff", "is not text in UTF-8", id="not UTF-8"),
        pytest.param("bad.jsonl.gz", b"plain", "gzip", id="not compressed"),
        pytest.param(
            "bad.jsonl",
            b'{"scenario": {"name": "a/1"}, "expected": {}}',
            "scenario.config is missing",
            id="an incomplete scenario",
        ),
        pytest.param(
            "bad.jsonl",
            b'{"scenario": {"name": "a", "config": {}, "objects": {}, "pending": [{}]},'
            b'"expected": {"results": []}}',
            "expected.results are 0 (expected one for each of 1 pods)",
            id="too few results",
        ),
    ],
)
def test_what_is_no_recording_is_refused_with_exit_code_2(
    name: str,
    content: bytes | None,
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    assert main([str(file)]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert name in error


def test_a_folder_without_recordings_and_a_name_that_nothing_has_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no file in this folder" in capsys.readouterr().err
    assert main([str(LEGACY / "node-tree.jsonl"), "--only", "node-bush"]) == 2
    assert "no scenario is called node-bush" in capsys.readouterr().err


def test_an_error_of_ours_is_a_difference_and_does_not_end_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = (
        '{"name": "node-tree/odd", "ops": [{"op": "next", "times": "once"}], "results": [{}]}\n'
    )
    file = tmp_path / "odd.jsonl"
    file.write_text(broken + (LEGACY / "node-tree.jsonl").read_text())
    assert main([str(file)]) == 1
    assert last_line_of(capsys.readouterr().out).startswith("56 of 57 scenarios agree")


def part(expected: object = 1, got: object = 1, left_out: str = "") -> Comparison:
    return Comparison(
        scenario="family/1", part="node", expected=expected, got=got, left_out=left_out
    )


@pytest.mark.parametrize(
    ("parts", "scenarios", "counted"),
    [
        pytest.param([part(), part()], "1 of 1", "2 of 2", id="all parts agree"),
        pytest.param([part(), part(1, 2)], "0 of 1", "1 of 2", id="one differs"),
        pytest.param([part(), part(1, 1, "x")], "1 of 1", "1 of 1", id="one is left out"),
        pytest.param(
            [part(1, 2), part(1, 1, "x")], "0 of 1", "0 of 1", id="one differs, one is left out"
        ),
        pytest.param([part(1, 1, "x")], "0 of 0", "0 of 0", id="all are left out"),
    ],
)
def test_what_is_left_out_never_counts_as_agreeing(
    parts: Iterable[Comparison], scenarios: str, counted: str
) -> None:
    tally = Tally()
    tally.note("family", parts)
    assert (str(tally.scenarios), str(tally.parts)) == (scenarios, counted)
    assert tally.all_agree == (counted in {"1 of 1", "2 of 2"})


def test_what_is_left_out_is_counted_by_the_reason() -> None:
    tally = Tally()
    tally.note("family", [part(), part(1, None, "we know better"), part(1, 2, "we know better")])
    assert "left out: 2 parts, we know better" in [*report(tally, show=5)]
