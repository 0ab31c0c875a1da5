"""Lines of recordings are read, or it is told where and what is wrong."""

import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from kubesched.errors import KubeschedError
from kubesched.testing.differential import (
    Recording,
    RecordingError,
    read_recordings,
    record,
    write_recordings,
)
from tests.testing.differential.worlds import PROFILE, racks

Change = Callable[[dict[str, Any]], object]
PINNED = record(PROFILE, racks())
LEGACY = Path(__file__).parents[2] / "conformance/data/legacy"


def written(*recordings: Recording) -> str:
    stream = io.StringIO()
    write_recordings(recordings, stream)
    return stream.getvalue()


def changed(change: Change) -> str:
    data = json.loads(written(PINNED))
    change(data)
    return json.dumps(data)


def read(text: str) -> list[Recording]:
    return [*read_recordings(io.StringIO(text))]


def first_object(data: dict[str, Any]) -> dict[str, Any]:
    node: dict[str, Any] = data["scenario"]["objects"]["nodes"][0]
    return node


def result(data: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = data["expected"]["results"][0]
    return answer


# -- what is read is what was written --------------------------------------------------------------


def test_written_and_read_again_it_is_the_same() -> None:
    assert read(written(PINNED, PINNED)) == [PINNED, PINNED]
    assert written(*read(written(PINNED))) == written(PINNED)


@pytest.mark.parametrize("family", ["preemption-pdb", "policies", "invalid-policies", "edges"])
def test_what_a_real_scheduler_answered_is_read_and_written_without_loss(family: str) -> None:
    recordings = [*read_recordings(LEGACY / f"{family}.jsonl.gz")]
    assert read(written(*recordings)) == recordings


def test_a_line_has_the_keys_of_the_form_and_objects_begin_with_their_names() -> None:
    data = json.loads(written(PINNED))
    assert [*data] == ["scenario", "expected"]
    assert [*data["scenario"]] == ["name", "config", "objects", "pending"]
    assert [*data["scenario"]["objects"]] == ["nodes", "pods"]
    assert next(iter(first_object(data))) == "metadata"
    assert [*data["expected"]] == ["oracle", "results"]
    assert [*data["expected"]["results"][2]] == [
        "pod",
        "node",
        "filter",
        "each",
        "top",
        "message",
        "preemption",
    ]


def test_what_is_unknown_is_ignored() -> None:
    text = changed(lambda data: result(data).update(mood="good"))
    assert read(text) == [PINNED]


# -- bad lines -------------------------------------------------------------------------------------


def set_name(name: object) -> Change:
    return lambda data: data["scenario"].update(name=name)


def set_result(**values: object) -> Change:
    return lambda data: result(data).update(values)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(
            lambda data: data.pop("expected"),
            "expected is missing (expected an object)",
            id="half a line",
        ),
        pytest.param(
            lambda data: data["scenario"].pop("config"),
            "scenario.config is missing (expected an object)",
            id="no config",
        ),
        pytest.param(set_name(""), "scenario.name is missing (expected a text)", id="no name"),
        pytest.param(
            set_name(7), "scenario.name: 7 is not a string (put it in quotes)", id="a number"
        ),
        pytest.param(
            lambda data: data.update(scenario=[]), "scenario: a list is not a mapping", id="a list"
        ),
        pytest.param(
            lambda data: first_object(data)["status"]["allocatable"].update(cpu="4 cores"),
            "scenario.objects.nodes[0].status.allocatable.cpu: '4 cores' is not a quantity "
            "(expected something like '16Gi' or '16G')",
            id="a quantity",
        ),
        pytest.param(
            set_result(totals={"n1": "7"}),
            "expected.results[0].totals.n1: '7' is not an integer",
            id="a total",
        ),
        pytest.param(
            set_result(filter={"n1": {"fits": "yes"}}),
            "expected.results[0].filter.n1.fits: 'yes' is not a boolean (expected true or false)",
            id="a verdict",
        ),
        pytest.param(
            lambda data: result(data).pop("node"),
            "expected.results[0].node is missing (expected the name of a node, or null)",
            id="a result without a node",
        ),
        pytest.param(
            set_result(pod="shop/other"),
            "expected.results[0].pod: 'shop/other' is another pod (expected 'default/web-1')",
            id="another pod",
        ),
        pytest.param(
            lambda data: data["expected"]["results"].pop(),
            "expected.results are 2 (expected one for each of 3 pods)",
            id="too few results",
        ),
        pytest.param(
            lambda data: data["scenario"]["objects"]["nodes"].append(first_object(data)),
            "scenario.objects.nodes[3] is the same Node as scenario.objects.nodes[0]: n1",
            id="a node twice",
        ),
        pytest.param(
            lambda data: data["scenario"]["objects"]["pods"].append(data["scenario"]["pending"][1]),
            "scenario.pending[1] is the same Pod as scenario.objects.pods[1]: default/web-2",
            id="a pod that is there and comes",
        ),
        pytest.param(
            lambda data: data["scenario"]["config"].update(featureGates={"PodPriority": "on"}),
            "scenario.config.featureGates.PodPriority: 'on' is not a boolean "
            "(expected true or false)",
            id="a gate",
        ),
    ],
)
def test_what_is_wrong_with_a_line_is_told_with_its_place(change: Change, said: str) -> None:
    with pytest.raises(RecordingError) as raised:
        read(f"{written(PINNED)}\n{changed(change)}\n")
    error = raised.value
    assert str(error) == f"stream, line 3: {said}"
    assert (error.source, error.line, error.problems) == ("stream", 3, (said,))
    assert isinstance(error, KubeschedError)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("{", "is not JSON (column 2: ", id="not JSON"),
        pytest.param("{} {}", "holds more than one value (expected one a line)", id="two values"),
        pytest.param("[]", "is not a recording (expected an object with ", id="a list"),
        pytest.param('{"name": "a"}', "is not a recording (expected an object with ", id="other"),
        pytest.param('{"scenario": "\\ud83d"}', "half of a surrogate pair", id="half a character"),
        pytest.param("[" * 100_000, "is nested more than 200 levels deep", id="too deep to read"),
        pytest.param(
            '{"scenario":' + '{"x":' * 300 + "1" + "}" * 301,
            "is nested more than 200 levels deep",
            id="too deep",
        ),
        pytest.param(
            '{"scenario": {"name": "a", "name": "b"}}',
            "scenario.name occurs more than once",
            id="a key twice",
        ),
    ],
)
def test_a_line_that_is_no_recording_is_refused(line: str, said: str) -> None:
    with pytest.raises(RecordingError) as raised:
        read(line)
    assert str(raised.value).startswith("stream, line 1: ")
    assert said in str(raised.value)


def test_everything_that_is_wrong_with_a_line_is_told_at_once() -> None:
    def spoil(data: dict[str, Any]) -> None:
        result(data).update(totals=[], top="n2")

    with pytest.raises(RecordingError) as raised:
        read(changed(spoil))
    assert str(raised.value) == (
        "stream, line 1: 2 problems:\n"
        "  expected.results[0].totals: a list is not a mapping\n"
        "  expected.results[0].top: 'n2' is not a list"
    )


def test_good_lines_before_a_bad_one_are_read() -> None:
    lines = read_recordings(io.StringIO(f"{written(PINNED)}oops\n"))
    assert next(lines) == PINNED
    with pytest.raises(RecordingError, match="line 2"):
        next(lines)


# -- where from ------------------------------------------------------------------------------------


def sources(folder: Path) -> Iterable[object]:
    plain, packed = folder / "a.jsonl", folder / "a.jsonl.gz"
    for file in (plain, packed):
        write_recordings(PINNED, file)
    text = written(PINNED)
    yield from (plain, str(plain), packed, io.StringIO(text), io.BytesIO(text.encode()))
    yield from (PINNED, [PINNED], iter([PINNED]), text.splitlines(), ["", text, ""])
    yield io.BytesIO(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())


def test_files_streams_lines_and_recordings_are_read(tmp_path: Path) -> None:
    for source in sources(tmp_path):
        assert [*read_recordings(source)] == [PINNED]  # type: ignore[arg-type]


def test_of_a_folder_all_files_of_recordings_are_read(tmp_path: Path) -> None:
    for source in sources(tmp_path):
        assert source
    assert [*read_recordings(tmp_path)] == [PINNED, PINNED]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        pytest.param("gone.jsonl", None, "cannot be read (No such file", id="no file"),
        pytest.param("bad.jsonl", b"\n\xff", "line 2: is not text in UTF-8", id="no text"),
        pytest.param("bad.jsonl.gz", b"plain", "cannot be read (Not a gzipped", id="not packed"),
        pytest.param("", None, "no file in this folder ends in .jsonl.gz or .jsonl", id="a folder"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_name(
    name: str, content: bytes | None, said: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RecordingError) as raised:
        [*read_recordings(path)]
    assert str(raised.value).startswith(str(path))
    assert said in str(raised.value)


def test_a_packed_file_that_breaks_off_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.gz"
    write_recordings(PINNED, file)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(RecordingError, match=r"a\.jsonl\.gz: cannot be read"):
        [*read_recordings(file)]


def test_a_stream_is_called_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text("{")
    with file.open() as stream, pytest.raises(RecordingError) as raised:
        [*read_recordings(stream)]
    assert raised.value.source == str(file)


def test_text_is_taken_for_no_path() -> None:
    with pytest.raises(RecordingError) as raised:
        [*read_recordings(written(PINNED))]
    assert str(raised.value) == (
        '{"scenario":{"name":"recorded/1","config…: is a recording, not where one is '
        "(expected a path, or lines in a list or stream)"
    )


def test_answers_that_belong_to_other_pods_are_refused() -> None:
    expected = evolve(PINNED.expected, results=PINNED.expected.results[1:])
    odd = evolve(PINNED, expected=expected)
    for source in (odd, [PINNED, odd]):
        with pytest.raises(RecordingError) as raised:
            [*read_recordings(source)]
        first, second, *_ = str(raised.value).splitlines()
        assert first == "recording recorded/1: 3 problems:"
        assert second == "  expected.results are 2 (expected one for each of 3 pods)"


def test_what_is_neither_a_line_nor_a_recording_is_refused() -> None:
    with pytest.raises(RecordingError, match="stream, line 2: is neither a line nor a Recording"):
        [*read_recordings([PINNED, 7])]  # type: ignore[arg-type]
