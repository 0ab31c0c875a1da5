"""Loading: every source, every form of list, and all that is wrong reported together."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given

from kubesched.builders import node, pod
from kubesched.manifests import ManifestError, Manifests, dump, load_objects, to_wire
from kubesched.model import Node, ObjectMeta, Pod
from tests.manifests.strategies import bundles

WEB = {"kind": "Pod", "metadata": {"name": "web"}}
DB = {"kind": "Pod", "metadata": {"name": "db"}}
WORKER = {"kind": "Node", "metadata": {"name": "worker"}}
CONFIG = {"kind": "ConfigMap", "metadata": {"name": "settings"}}


def names(manifests: Manifests) -> list[str]:
    return [f"{it.kind} {it.key}" for it in manifests]


def problems(*sources: Any) -> list[str]:
    with pytest.raises(ManifestError) as caught:
        load_objects(*sources)
    return [str(problem) for problem in caught.value.problems]


def without(thing: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in thing.items() if key not in keys}


# -- sources ---------------------------------------------------------------------------------------

TEXT = json.dumps(WEB)
BOTH_AS_YAML = "kind: Pod\nmetadata: {name: web}\n---\nkind: Pod\nmetadata: {name: db}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{json.dumps(WEB)}{json.dumps(DB)}",
        f"{json.dumps(WEB, indent=4)}\n\n{json.dumps(DB, indent=4)}\n",
        f"{json.dumps(WEB)}\n{json.dumps(DB)}\n",
        f"\n  {json.dumps([WEB, DB])}",
        BOTH_AS_YAML,
        f"---\n---\n# nothing\n---\n{BOTH_AS_YAML}---\n",
        f"--- {json.dumps(WEB)}\n--- {json.dumps(DB)}\n...\n",
        f"{json.dumps(WEB)}\nnull\n{json.dumps(DB)}",
        f"\ufeff{json.dumps([WEB, DB])}",
        f"\ufeff{BOTH_AS_YAML}",
    ],
    ids=[
        "JSON after JSON",
        "JSON over several lines",
        "JSON lines",
        "an array",
        "YAML",
        "YAML with empty documents",
        "YAML that begins with a bracket after its mark",
        "a null among JSON",
        "JSON with a byte-order mark",
        "YAML with a byte-order mark",
    ],
)
@pytest.mark.parametrize(
    "stream", [io.StringIO, lambda text: io.BytesIO(text.encode())], ids=["text", "bytes"]
)
def test_a_stream_may_hold(stream: Callable[[str], Any], text: str) -> None:
    assert names(load_objects(stream(text))) == ["Pod web", "Pod db"]


@pytest.mark.parametrize("text", ["", " \n", "---\n", "# nothing\n", "null", "[]"])
def test_an_empty_text_holds_nothing(text: str) -> None:
    assert load_objects(io.StringIO(text)) == Manifests()


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.yaml", "a.yml", "a.txt", "a", "a.JSON"])
def test_a_file_that_is_named_is_loaded_whatever_its_suffix(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(TEXT)
    assert names(load_objects(tmp_path / name)) == ["Pod web"]
    assert names(load_objects(str(tmp_path / name))) == ["Pod web"]


def test_a_file_of_yaml_may_begin_like_json(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("{kind: Pod, metadata: {name: web}}")
    assert names(load_objects(tmp_path / "a.yaml")) == ["Pod web"]


def test_a_folder_is_loaded_in_the_order_of_its_paths(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for path in ("c.yaml", "b/z.json", "b/a.yml", "a.jsonl", "notes.txt", "b.md"):
        (tmp_path / path).write_text(f"kind: Node\nmetadata: {{name: {Path(path).stem}}}")
    (tmp_path / "b/z.json").write_text(json.dumps(WEB))
    (tmp_path / "a.jsonl").write_text(json.dumps(DB))
    assert names(load_objects(tmp_path)) == ["Pod db", "Node a", "Pod web", "Node c"]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert names(load_objects("-")) == ["Pod web"]


def test_a_standard_input_that_is_closed_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ManifestError, match=r"standard input: cannot be read \(it is closed\)"):
        load_objects("-")


def test_plain_data_and_objects_are_taken_as_they_are() -> None:
    worker, web = node("worker"), pod("web")
    assert load_objects(to_wire(worker), web).objects == (worker, web)
    assert load_objects(web).objects[0] is web


def test_sources_may_be_nested_and_are_loaded_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(TEXT)
    found = load_objects([WORKER, [tmp_path / "a.json"]], (each for each in [DB]), Manifests())
    assert names(found) == ["Node worker", "Pod web", "Pod db"]


def test_a_stream_gives_its_name_to_its_problems(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("metadata: {name: web}")
    with file.open("rb") as stream:
        assert problems(stream) == [f"{file}, document 1, web: kind is missing"]


@given(bundles())
def test_objects_that_go_in_come_out(bundle: Manifests) -> None:
    assert load_objects(bundle) == bundle
    assert load_objects(*bundle) == bundle
    assert load_objects([to_wire(it) for it in bundle]) == bundle


# -- lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        {"kind": "List", "apiVersion": "v1", "items": [WEB, DB]},
        {"kind": "PodList", "apiVersion": "v1", "items": [WEB, DB]},
        {"kind": "PodList", "apiVersion": "v1", "items": [without(WEB, "kind"), DB]},
        {"kind": "PodList", "items": [{**WEB, "kind": None, "apiVersion": None}, DB]},
        {"kind": "List", "items": [{"kind": "List", "items": [WEB]}, DB]},
        {"kind": "List", "items": [{"kind": "PodList", "items": [without(WEB, "kind")]}, DB]},
        [WEB, [DB]],
        [{"kind": "List", "items": [WEB, DB], "metadata": {"resourceVersion": "7"}}],
        {"kind": "List", "items": (WEB, DB)},
    ],
    ids=[
        "a List",
        "a typed list",
        "a typed list whose items have no kind",
        "a typed list whose items have null for a kind",
        "a List in a List",
        "a typed list in a List",
        "an array in an array",
        "a List in an array",
        "a List with a tuple",
    ],
)
def test_the_items_of_a_list_are_found(document: Any) -> None:
    assert names(load_objects([document])) == ["Pod web", "Pod db"]


@pytest.mark.parametrize("kind", ["List", "PodList", "ConfigMapList"])
@pytest.mark.parametrize("rest", [{"items": []}, {"items": None}], ids=str)
def test_a_list_may_be_empty(kind: str, rest: dict[str, Any]) -> None:
    assert load_objects({"kind": kind, **rest}) == Manifests()


def test_a_typed_list_gives_its_api_version_to_its_items() -> None:
    found = load_objects(
        {
            "kind": "ServiceList",
            "apiVersion": "serving.knative.dev/v1",
            "items": [{"metadata": {"name": "web"}}],
        }
    )
    assert (names(found), found.skipped) == ([], {"Service.serving.knative.dev": 1})


# -- what is passed over ---------------------------------------------------------------------------


def test_kinds_without_a_model_are_counted() -> None:
    found = load_objects(CONFIG, WEB, {"kind": "ConfigMapList", "items": [CONFIG, CONFIG]})
    assert (names(found), found.skipped) == (["Pod web"], {"ConfigMap": 3})


@pytest.mark.parametrize(
    ("version", "kind", "name"),
    [
        ("serving.knative.dev/v1", "Service", "Service.serving.knative.dev"),
        ("extensions/v1beta1", "StatefulSet", "StatefulSet.extensions"),
        ("apps/v3", "Deployment", "Deployment.v3.apps"),
        ("v2", "Pod", "Pod.v2"),
        ("example.com/v1", "Gadget", "Gadget"),
        ("v1", "AccessList", "AccessList"),
    ],
)
def test_a_kind_of_a_foreign_group_or_version_is_counted(
    version: str, kind: str, name: str
) -> None:
    found = load_objects({"apiVersion": version, "kind": kind, "metadata": {"name": "x"}})
    assert (len(found), found.skipped) == (0, {name: 1})


@pytest.mark.parametrize(
    ("version", "kind"),
    [
        ("apps/v1", "Deployment"),
        ("apps/v1beta2", "Deployment"),
        ("extensions/v1beta1", "Deployment"),
        ("extensions/v1beta1", "ReplicaSet"),
        ("policy/v1beta1", "PodDisruptionBudget"),
        ("storage.k8s.io/v1beta1", "StorageClass"),
        ("scheduling.k8s.io/v1alpha1", "PriorityClass"),
        ("v1", "Pod"),
        ("", "Pod"),
        (None, "Deployment"),
    ],
)
def test_former_versions_and_none_at_all_are_read(version: str | None, kind: str) -> None:
    found = load_objects({"apiVersion": version, "kind": kind, "metadata": {"name": "x"}})
    assert names(found) == [f"{kind} x"]


def test_unknown_fields_are_passed_over_and_null_is_absence() -> None:
    found = load_objects(
        {
            **WEB,
            "spec": {"dnsPolicy": "Default", "nodeName": None, "tolerations": None},
            "status": None,
            "metadata": {"name": "web", "labels": {"app": None, "tier": "front"}},
        }
    )
    assert found.objects == (Pod(metadata=ObjectMeta(name="web", labels={"tier": "front"})),)


# -- problems --------------------------------------------------------------------------------------


def test_all_problems_of_all_sources_are_reported_together(tmp_path: Path) -> None:
    first, second = tmp_path / "first.yaml", tmp_path / "second.jsonl"
    first.write_text(
        "kind: Node\nmetadata: {name: a}\nspec: {unschedulable: 1, podCIDR: 2}\n---\n["
    )
    second.write_text(f'{json.dumps(WEB)}\n{{"kind": 7}}\n')
    assert problems(first, second, "missing.json", WEB, {"kind": "Pod", "metadata": {}}) == [
        f"{first}, document 1, Node a: spec.podCIDR: 2 is not a string (put it in quotes)",
        f"{first}, document 1, Node a: spec.unschedulable: 1 is not a boolean "
        "(expected true or false)",
        f"{first}, document 2: is not YAML (line 6, column 1: did not find expected node content)",
        f"{second}, document 2: kind: 7 is not a string",
        "missing.json: cannot be read (no such file or directory)",
        f"argument 4, Pod web: is the same object as in {second}, document 1",
        "argument 5, Pod: metadata.name is missing",
    ]


def test_the_text_of_several_problems_has_a_line_for_each() -> None:
    with pytest.raises(ManifestError) as caught:
        load_objects({}, {"kind": "Pod"})
    assert str(caught.value) == (
        "2 problems:\n  argument 1: kind is missing\n  argument 2, Pod: metadata.name is missing"
    )


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (WEB, WEB, "argument 2, Pod web: is the same object as in argument 1"),
        (
            WEB,
            pod("default/web"),
            "argument 2, Pod default/web: is the same object as in argument 1",
        ),
        (
            WORKER,
            [DB, WORKER],
            "argument 2, item 2, Node worker: is the same object as in argument 1",
        ),
        (
            [WEB, WEB],
            DB,
            "argument 1, item 2, Pod web: is the same object as in argument 1, item 1",
        ),
        (
            {"kind": "List", "items": [{"kind": "List", "items": [DB, WEB]}]},
            WEB,
            "argument 2, Pod web: is the same object as in argument 1, item 1.2",
        ),
    ],
    ids=["as data", "in the default namespace", "in a sequence", "in one source", "in a list"],
)
def test_an_object_that_is_there_twice_is_a_problem(first: Any, second: Any, expected: str) -> None:
    assert problems(first, second) == [expected]


def test_objects_of_other_kinds_and_namespaces_are_others() -> None:
    things = [pod("a/x"), pod("b/x"), node("x"), evolve(node("y"), metadata=ObjectMeta(name="a"))]
    assert load_objects(things).objects == tuple(things)


def test_a_model_without_a_name_is_a_problem() -> None:
    generated = Pod(metadata=ObjectMeta(generate_name="web-"))
    assert problems(Node(), generated) == [
        "argument 1, Node: metadata.name is missing",
        "argument 2, Pod: metadata.name is missing (only an API server makes one of generateName)",
    ]


# -- bundles ---------------------------------------------------------------------------------------


class TestManifests:
    def test_of_returns_the_objects_of_one_kind_in_their_order(self) -> None:
        bundle = load_objects(WEB, WORKER, DB)
        assert [it.name for it in bundle.of(Pod)] == ["web", "db"]
        assert [it.name for it in bundle.of(Node)] == ["worker"]

    def test_two_are_put_together(self) -> None:
        both = load_objects(WEB, CONFIG) + load_objects(WORKER, CONFIG, {"kind": "Secret"})
        assert names(both) == ["Pod web", "Node worker"]
        assert both.skipped == {"ConfigMap": 2, "Secret": 1}

    def test_what_both_hold_is_a_problem(self) -> None:
        with pytest.raises(ManifestError, match=r"^Pod web: is there more than once$"):
            load_objects(WEB) + load_objects(WORKER, WEB)

    def test_only_bundles_are_put_together(self) -> None:
        with pytest.raises(TypeError):
            load_objects(WEB) + [pod("web")]  # type: ignore[operator] # noqa: RUF005

    def test_it_is_iterated_and_counted(self) -> None:
        bundle = load_objects(WEB, DB)
        assert (list(bundle), len(bundle)) == (list(bundle.objects), 2)

    def test_it_can_be_hashed_and_compared(self) -> None:
        assert len({load_objects(WEB, CONFIG), load_objects(WEB, CONFIG), load_objects(WEB)}) == 2


def test_the_example_cluster_loads_and_survives_being_written() -> None:
    folder = Path(__file__).parents[2] / "examples"
    found = load_objects(folder)
    assert len(found) > 100
    assert load_objects(io.StringIO(dump(found, format="yaml"))).objects == found.objects
