"""Writing: what is written is read again as what it was."""

import json
import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given

from kubesched.builders import node, pod
from kubesched.errors import KubeschedError
from kubesched.manifests import Manifests, dump, load_objects, to_wire
from kubesched.manifests.dumping import Format
from kubesched.model import KubeObject, Namespace, ObjectMeta
from tests.manifests.strategies import bundles, objects

FORMATS: tuple[Format, ...] = get_args(Format)
SHOP = Namespace(metadata=ObjectMeta(name="shop"))
NOTE = Namespace(metadata=ObjectMeta(name="n", labels={"version": "1e3"}))

every_format = pytest.mark.parametrize("form", FORMATS)


@every_format
@given(thing=objects)
def test_what_is_dumped_loads_as_what_it_was(form: Format, thing: KubeObject) -> None:
    text = dump(thing, format=form)
    assert load_objects(StringIO(text)).objects == (thing,)


@every_format
@given(bundle=bundles())
def test_several_objects_keep_their_order(form: Format, bundle: Manifests) -> None:
    text = dump(bundle, format=form)
    assert load_objects(StringIO(text)).objects == bundle.objects


@every_format
@given(thing=objects)
def test_dumping_again_writes_the_same(form: Format, thing: KubeObject) -> None:
    text = dump(thing, format=form)
    assert dump(load_objects(StringIO(text)).objects[0], format=form) == text


def test_an_object_is_written_as_itself() -> None:
    assert json.loads(dump(SHOP)) == to_wire(SHOP)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_any_number_of_objects_is_written_as_a_list(count: int) -> None:
    things = [node(f"worker-{number}") for number in range(count)]
    assert json.loads(dump(things)) == {
        "apiVersion": "v1",
        "kind": "List",
        "items": [to_wire(thing) for thing in things],
    }


def test_json_lines_hold_an_object_each() -> None:
    lines = dump([SHOP, pod("shop/web-1")], format="jsonl").splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["Namespace", "Pod"]


def test_yaml_is_written_as_kubectl_writes_it() -> None:
    assert dump([NOTE], format="yaml") == (
        "apiVersion: v1\n"
        "kind: List\n"
        "items:\n"
        "- apiVersion: v1\n"
        "  kind: Namespace\n"
        "  metadata:\n"
        '    name: "n"\n'
        "    labels:\n"
        '      version: "1e3"\n'
    )


def test_letters_are_written_as_they_are() -> None:
    accented = Namespace(metadata=ObjectMeta(name="café"))
    assert all("café" in dump(accented, format=form) for form in FORMATS)


def test_an_unknown_format_is_an_error_that_names_the_others() -> None:
    with pytest.raises(KubeschedError, match=r"^format 'xml' is none of json, yaml, jsonl$"):
        dump(SHOP, format="xml")  # type: ignore[arg-type]


class TestTarget:
    def test_a_stream_gets_the_text(self) -> None:
        stream = StringIO()
        text = dump(SHOP, stream)
        assert stream.getvalue() == text == dump(SHOP)

    @pytest.mark.parametrize("as_path", [str, Path])
    def test_a_file_is_written(self, tmp_path: Path, as_path: Callable[[Path], Any]) -> None:
        file = tmp_path / "shop.json"
        text = dump(SHOP, as_path(file))
        assert file.read_text("utf-8") == text == dump(SHOP)

    def test_a_file_is_replaced_and_keeps_its_mode(self, tmp_path: Path) -> None:
        file = tmp_path / "shop.json"
        file.write_text("something longer" * 1000)
        file.chmod(0o640)
        dump(SHOP, file)
        assert file.read_text("utf-8") == dump(SHOP)
        assert file.stat().st_mode & 0o777 == 0o640

    def test_a_new_file_can_be_read_by_whoever_the_umask_allows(self, tmp_path: Path) -> None:
        mask = os.umask(0o022)
        try:
            dump(SHOP, tmp_path / "shop.json")
        finally:
            os.umask(mask)
        assert (tmp_path / "shop.json").stat().st_mode & 0o777 == 0o644

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        file, link = tmp_path / "shop.json", tmp_path / "link.json"
        link.symlink_to(file)
        dump(SHOP, link)
        assert link.is_symlink()
        assert file.read_text("utf-8") == dump(SHOP)

    def test_a_pipe_is_written_to(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        dump(SHOP, pipe)
        assert os.read(reader, 10_000).decode() == dump(SHOP)
        assert pipe.is_fifo()
        os.close(reader)

    def test_a_failure_leaves_the_file_as_it_was(self, tmp_path: Path) -> None:
        file = tmp_path / "shop.json"
        file.write_text("precious")
        half = Namespace(metadata=ObjectMeta(name="half a character \ud83d"))
        with pytest.raises(UnicodeEncodeError):
            dump(half, file)
        assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [
            ("shop.json", "precious")
        ]

    def test_a_full_disk_leaves_the_file_as_it_was(self, tmp_path: Path) -> None:
        resource = pytest.importorskip("resource")
        file = tmp_path / "shop.json"
        file.write_text("precious")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
        try:
            with pytest.raises(OSError, match="File too large") as caught:
                dump(SHOP, file)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert caught.value.filename == str(file)
        assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [
            ("shop.json", "precious")
        ]

    def test_a_folder_is_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(IsADirectoryError):
            dump(SHOP, tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_an_error_names_the_file_that_was_asked_for(self, tmp_path: Path) -> None:
        file = tmp_path / "missing" / "shop.json"
        with pytest.raises(FileNotFoundError) as caught:
            dump(SHOP, file)
        assert caught.value.filename == str(file)
