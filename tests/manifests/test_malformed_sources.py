"""Sources that cannot be read, are none, or do not go together; and errors as such."""

import copy
import io
import os
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kubesched.errors import KubeschedError, MissingExtraError
from kubesched.manifests import ManifestError, Place, load_objects, read_wire
from kubesched.model import Node, Pod, PodSpec, Toleration

NODE = {"kind": "Node", "metadata": {"name": "a1"}}


def refusal(*sources: Any) -> str:
    with pytest.raises(ManifestError) as caught:
        load_objects(*sources)
    return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- paths -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("missing.yaml", "missing.yaml: cannot be read (no such file or directory)"),
        ("", "argument 1: '' is no path (give text as io.StringIO(text))"),
        ("a\0b", "a\0b: cannot be read (embedded null byte)"),
        ("loop.json", "loop.json: cannot be read (too many levels of symbolic links)"),
        ("empty", "empty: holds no manifest (expected *.json, *.jsonl, *.yaml, *.yml)"),
        ("dangling", "dangling/a.yaml: cannot be read (no such file or directory)"),
        (
            "kind: Node\nmetadata: {name: a1}",
            "argument 1: 'kind: Node\\nmetadata: {name: a1}' is no path "
            "(give text as io.StringIO(text))",
        ),
        ('{"kind": "Node"}', """argument 1: '{"kind": "Node"}' is no path """
         "(give text as io.StringIO(text))"),
    ],
    ids=[
        "that is not there",
        "that is empty",
        "with a null byte",
        "that leads round in a circle",
        "of a folder without manifests",
        "of a folder with a link to nowhere",
        "that is YAML",
        "that is JSON",
    ],
)  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_a_path(path: str, expected: str) -> None:
    Path("loop.json").symlink_to("loop.json")
    for name in ("empty", "dangling"):
        Path(name).mkdir()
    Path("empty/notes.txt").touch()
    Path("dangling/a.yaml").symlink_to("nowhere")
    assert refusal(path) == expected


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_and_a_folder_without_permission(folder: Path) -> None:
    (folder / "a.yaml").touch(mode=0)
    (folder / "shut").mkdir(mode=0)
    try:
        assert refusal(".") == (
            "2 problems:\n"
            "  shut: cannot be read (permission denied)\n"
            "  a.yaml: cannot be read (permission denied)"
        )
    finally:
        (folder / "shut").chmod(0o700)


# -- what is handed over ---------------------------------------------------------------------------


class Unreadable(io.StringIO):
    def read(self, _size: int | None = None, /) -> str:
        raise OSError(5, "Input/output error")


def never_ending() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (None, "argument 1: null is no source"),
        (5, "argument 1: 5 is no source"),
        (b"kind: Node", "argument 1: an object of type bytes is no source"),
        ([NODE, [None]], "argument 1, item 2.1: null is no source"),
    ],
    ids=["null", "a number", "bytes", "null among others"],
)
def test_what_is_no_source(source: Any, expected: str) -> None:
    what = "(expected a path, a stream, a mapping, an object, or several)"
    assert refusal(source) == f"{expected} {what}"


def test_a_list_that_contains_itself() -> None:
    assert refusal(never_ending()) == "argument 1: is nested more than 200 levels deep"


def test_data_that_contains_itself() -> None:
    assert refusal({"kind": "List", "items": never_ending()}) == (
        "argument 1: is nested more than 200 levels deep"
    )


def test_lists_may_be_nested_as_deep_as_any_document() -> None:
    document: dict[str, Any] = NODE
    for _ in range(99):
        document = {"kind": "List", "items": [document]}
    assert [it.name for it in load_objects(document)] == ["a1"]
    assert refusal({"kind": "List", "items": [document]}).endswith("200 levels deep")


def test_keys_that_are_not_text() -> None:
    labelled = {"kind": "Node", "metadata": {"name": "a1", "labels": {1: "x", (): "y"}}}
    assert refusal(labelled) == (
        "2 problems:\n"
        "  argument 1, Node a1: metadata.labels[1]: 1 is not a string, as a key must be\n"
        "  argument 1, Node a1: metadata.labels['()']: a list is not a string, as a key must be"
    )


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (Unreadable(), "argument 1: cannot be read (input/output error)"),
        (io.BytesIO(b"\xff"), "argument 1: is not text in UTF-8 (byte 0xff at offset 0)"),
        (io.StringIO("["), "argument 1, document 1: is not JSON "
            "(line 1, column 2: expecting value)"),
        (
            io.TextIOWrapper(io.BytesIO(b"\xff"), "utf-8"),
            "argument 1: cannot be read ('utf-8' codec can't decode byte 0xff in position 0: "
            "invalid start byte)",
        ),
    ],
    ids=["that fails", "of bytes that are no text", "of text that is nothing", "of bad text"],
)  # fmt: skip
def test_a_stream(stream: Any, expected: str) -> None:
    assert refusal(stream) == expected


def test_a_stream_that_is_closed() -> None:
    stream = io.StringIO("kind: Node")
    stream.close()
    assert refusal(stream) == "argument 1: cannot be read (i/O operation on closed file)"


# -- several at once -------------------------------------------------------------------------------


def sources(folder: Path) -> Iterator[Any]:
    (folder / "a.yaml").write_text("kind: Pod\nspec: {priority: high, nodeName: 1}\n---\n{")
    (folder / "b.jsonl").write_text('{"kind": "Node", "metadata": {"name": "a1"}}\n[]\n}')
    yield "a.yaml"
    yield "b.jsonl"
    yield NODE
    yield "c.json"


def test_everything_wrong_with_everything_is_told_at_once(folder: Path) -> None:
    assert refusal(*sources(folder)) == (
        "6 problems:\n"
        "  a.yaml, document 1, Pod: spec.nodeName: 1 is not a string (put it in quotes)\n"
        "  a.yaml, document 1, Pod: spec.priority: 'high' is not an integer\n"
        "  a.yaml, document 2: is not YAML (line 5, column 1: did not find expected node content)\n"
        "  b.jsonl, document 3: is not JSON (line 3, column 1: expecting value)\n"
        "  argument 3, Node a1: is the same object as in b.jsonl, document 1\n"
        "  c.json: cannot be read (no such file or directory)"
    )


def test_a_field_is_named_once_however_much_is_wrong_with_it() -> None:
    text = io.StringIO('{"kind": "Pod", "metadata": {"name": "a"}, "spec": {"priority": NaN}}')
    assert refusal(text) == "argument 1, document 1, Pod a: spec.priority: NaN is not a number"


# -- the error -------------------------------------------------------------------------------------


def error() -> ManifestError:
    with pytest.raises(ManifestError) as caught:
        load_objects({**NODE, "spec": {"unschedulable": "no"}}, {"kind": "Node"})
    return caught.value


def test_an_error_holds_its_problems_as_data() -> None:
    first = error().problems[0]
    assert (first.source, first.document, first.item) == ("argument 1", None, ())
    assert (first.object, first.path, first.value) == ("Node a1", "spec.unschedulable", "no")
    assert first.why == "is not a boolean (expected true or false)"


def test_an_error_is_one_of_ours_and_a_value_error() -> None:
    assert isinstance(error(), KubeschedError)
    assert isinstance(error(), ValueError)


@pytest.mark.parametrize("copied", [copy.copy, lambda it: pickle.loads(pickle.dumps(it))])  # noqa: S301
def test_an_error_survives_being_copied(copied: Any) -> None:
    one = error()
    assert str(copied(one)) == str(one)
    assert copied(one).problems == one.problems


def test_a_place_may_be_unknown() -> None:
    assert str(Place().problem("is wrong")) == "is wrong"
    assert str(Place().problem("is wrong", "spec")) == "spec is wrong"


# -- a single object -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "wire", "expected"),
    [
        (Pod, {"kind": "Node"}, "kind: 'Node' is not 'Pod'"),
        (Pod, {"kind": []}, "kind: a list is not 'Pod'"),
        (Pod, [], "a list is not a mapping"),
        (PodSpec, None, "null is not a mapping"),
        (Toleration, {"tolerationSeconds": "5"}, "tolerationSeconds: '5' is not an integer"),
        (Node, {"spec": {"taints": {}}}, "spec.taints: a mapping is not a list"),
    ],
)
def test_wire_data_that_does_not_fit(model: type[Any], wire: Any, expected: str) -> None:
    with pytest.raises(ManifestError) as caught:
        read_wire(model, wire)
    assert str(caught.value) == expected


def test_the_source_of_wire_data_is_named_if_it_is_known() -> None:
    with pytest.raises(ManifestError, match=r"^watch: 5 is not a mapping$"):
        read_wire(Pod, 5, "watch")  # type: ignore[arg-type]


# -- without PyYAML --------------------------------------------------------------------------------


@pytest.fixture
def without_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "kubesched.manifests.yaml_reader", raising=False)


@pytest.mark.usefixtures("without_yaml")
def test_yaml_needs_an_extra() -> None:
    with pytest.raises(MissingExtraError) as caught:
        load_objects(io.StringIO("kind: Node"))
    assert str(caught.value) == "reading YAML needs an extra: pip install 'kubesched[yaml]'"


@pytest.mark.usefixtures("without_yaml")
def test_json_needs_none() -> None:
    assert len(load_objects(io.StringIO('{"kind": "Node", "metadata": {"name": "a1"}}'))) == 1
    assert refusal(io.StringIO("{")).startswith("argument 1, document 1: is not JSON")
