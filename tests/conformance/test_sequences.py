"""Whole sequences of decisions are the recorded ones, and the tool can tell when they are not."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.replay import HERE, main
from tests.conformance.report import report
from tests.conformance.sequences import replayed_sequences
from tests.conformance.setting import Setting

SEQUENCES = HERE / "data" / "sequences"
DECISIONS, WORKLOADS = SEQUENCES / "legacy", SEQUENCES / "workloads"


@pytest.mark.parametrize(
    ("name", "remembers"),
    [
        pytest.param("A-300", False, id="pods all alike"),
        pytest.param("C-300", False, id="pods all different"),
        pytest.param("E-300", False, id="every kind of preference"),
        pytest.param("E-300", True, id="the same with the equivalence cache"),
    ],
)
def test_our_decisions_are_the_recorded_ones(name: str, *, remembers: bool) -> None:
    tally = replayed_sequences(DECISIONS, WORKLOADS, Setting(remembers=remembers), [name])
    if tally.differences:
        pytest.fail("\n".join(report(tally, show=5)), pytrace=False)
    assert tally.scenarios.compared == 600


# -- the tool itself -------------------------------------------------------------------------------

Alter = Callable[[dict[str, Any]], None]


def altered(folder: Path, alter: Alter, *, length: int = 3) -> Path:
    """Write the first decisions of a sequence, the last one altered."""
    with gzip.open(DECISIONS / "E-300.jsonl.gz", "rt") as file:
        decisions = [json.loads(next(file)) for _ in range(length)]
    alter(decisions[-1])
    copy = folder / "E-300.jsonl"
    copy.write_text("".join(f"{json.dumps(each)}\n" for each in decisions))
    return copy


def replay(decisions: Path, *more: str, workloads: Path = WORKLOADS) -> int:
    return main(["--sequences", str(decisions), "--workloads", str(workloads), *more])


def test_a_sequence_that_agrees_ends_with_the_counts_and_exits_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(altered(tmp_path, lambda _: None)) == 0
    last_line = capsys.readouterr().out.splitlines()[-1]
    assert last_line == "3 of 3 scenarios agree, 39 of 39 parts agree"


def change(key: str, value: object) -> Alter:
    return lambda decision: decision.update({key: value})


def change_a_sum(decision: dict[str, Any]) -> None:
    decision["sumScores"]["ImageLocalityPriority"] += 1


@pytest.mark.parametrize(
    ("alter", "told"),
    [
        pytest.param(change("node", "elsewhere"), ", node", id="the node"),
        pytest.param(change("feasible", 7), ", feasible", id="how many nodes fit"),
        pytest.param(change("top", 7), ", top", id="the highest total"),
        pytest.param(change("tied", 7), ", tied", id="how many nodes share it"),
        pytest.param(change("sumTotals", 7), ", sumTotals", id="the sum of the totals"),
        pytest.param(change_a_sum, ", scores[ImageLocality", id="the sum of a priority's scores"),
        pytest.param(change("message", "0/0 nodes"), ", message", id="a message"),
        pytest.param(change("preemption", {}), ", preemption", id="a preemption"),
    ],
)
def test_a_recorded_answer_that_differs_is_shown_and_makes_it_exit_1(
    alter: Alter, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(altered(tmp_path, alter)) == 1
    output = capsys.readouterr().out
    assert "E-300/3, pod shop/" in output
    assert told in output
    assert output.splitlines()[-1].startswith("2 of 3 scenarios agree")


def test_a_pod_goes_where_the_recording_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = change("node", "ip-10-0-0-17.eu-central-1.compute.internal")
    moved = altered(tmp_path, elsewhere, length=1).read_text()
    followers = altered(tmp_path, lambda _: None, length=40).read_text().splitlines()[1:]
    (tmp_path / "E-300.jsonl").write_text("\n".join([moved.strip(), *followers]))
    assert replay(tmp_path / "E-300.jsonl") == 1
    differing = 40 - int(capsys.readouterr().out.splitlines()[-1].partition(" ")[0])
    assert differing > 1  # the first, and those that would have seen it elsewhere


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        pytest.param("E-300.jsonl", "{", "line 1: is not JSON", id="not JSON"),
        pytest.param("E-300.jsonl", "[]", "line 1: is not a recorded decision", id="another form"),
        pytest.param("F-300.jsonl", "", "F-300: no such folder, the workload of", id="no workload"),
        pytest.param(
            "E-300.jsonl",
            '{"pod": "shop/stranger", "node": null, "feasible": 0}',
            "the pods are not those of the decisions",
            id="another workload",
        ),
    ],
)
def test_what_is_no_sequence_is_refused_with_exit_code_2(
    name: str, content: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(content)
    assert replay(tmp_path / name) == 2
    assert told in capsys.readouterr().err


def test_a_name_that_no_sequence_has_and_a_workload_without_files_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(DECISIONS, "--only", "Z-*") == 2
    assert "no sequence is called Z-*" in capsys.readouterr().err
    (tmp_path / "A-300").mkdir()
    assert replay(DECISIONS, "--only", "A-300", workloads=tmp_path) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--sequences", "x"], id="no workloads"),
        pytest.param(["--workloads", "x"], id="no sequences"),
        pytest.param(["--sequences", "x", "--workloads", "y", "z"], id="a path besides"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
