"""`kubesched simulate` as a person runs it: exit codes, tables, JSON, and no traceback ever."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kubesched.builders import node, pod
from kubesched.manifests import dump
from kubesched.model import KubeObject

ROOM_FOR_ONE = (node("worker-1", cpu=2, memory="4Gi"), pod("first", cpu=1), pod("second", cpu=2))


def kubesched(
    *arguments: str | Path, stdin: str = "", where: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - it runs the command line under test
        [sys.executable, "-m", "kubesched", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd=where,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
    )


def written(folder: Path, *objects: KubeObject, name: str = "cluster.json") -> Path:
    path = folder / name
    dump(objects, path)
    return path


def test_all_pods_placed_ends_with_0(tmp_path: Path) -> None:
    done = kubesched("simulate", written(tmp_path, node("worker-1"), pod("web-1")))
    assert done.stdout.splitlines() == [
        "POD            NODE      SCORE  WHY",
        "default/web-1  worker-1",
        "1 of 1 pods placed.",
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_some_pods_not_placed_ends_with_1(tmp_path: Path) -> None:
    done = kubesched("simulate", written(tmp_path, *ROOM_FOR_ONE))
    assert done.stdout.splitlines() == [
        "POD             NODE      SCORE  WHY",
        "default/first   worker-1",
        "default/second  \N{EN DASH}                0/1 nodes are available: 1 Insufficient cpu.",
        "1 of 2 pods placed.",
    ]
    assert (done.returncode, done.stderr) == (1, "")


def test_a_score_is_shown_where_there_was_a_choice(tmp_path: Path) -> None:
    cluster = written(tmp_path, node("a", cpu=4), node("b", cpu=2), pod("web-1", cpu=1))
    done = kubesched("simulate", cluster)
    assert "default/web-1  a     100035" in done.stdout


def test_kubectl_may_be_piped_in(tmp_path: Path) -> None:
    text = written(tmp_path, node("worker-1"), pod("web-1")).read_text()
    done = kubesched("simulate", "-", stdin=text)
    assert done.stdout.endswith("1 of 1 pods placed.\n")


def test_pods_of_other_files_are_placed_instead_of_the_pending_ones(tmp_path: Path) -> None:
    cluster = written(tmp_path, node("worker-1"), pod("waiting"))
    asked = written(tmp_path, pod("asked"), name="asked.json")
    done = kubesched("simulate", cluster, asked)
    assert "default/asked" in done.stdout
    assert "default/waiting" not in done.stdout


def test_what_the_cluster_has_already_is_replaced(tmp_path: Path) -> None:
    there = pod("asked", cpu=1, node_name="worker-1")
    cluster = written(tmp_path, node("worker-1", cpu=2), there, pod("other", cpu=1))
    asked = written(tmp_path, node("worker-1", cpu=4), pod("asked", cpu=3), name="asked.json")
    done = kubesched("simulate", cluster, asked)
    assert done.stdout.splitlines()[1:] == ["default/asked  worker-1", "1 of 1 pods placed."]


def test_a_workload_is_asked_about_as_its_pods(tmp_path: Path) -> None:
    cluster = written(tmp_path, node("worker-1"))
    deployment = tmp_path / "deployment.yaml"
    deployment.write_text(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
        "spec: {replicas: 2, template: {spec: {containers: [{name: main, image: nginx}]}}}\n"
    )
    done = kubesched("simulate", cluster, deployment)
    assert done.stdout.splitlines()[-1] == "2 of 2 pods placed."


def test_defaults_are_filled_in_unless_that_is_refused(tmp_path: Path) -> None:
    cluster = written(tmp_path, node("worker-1", cpu=2))
    asked = written(tmp_path, pod("asked", limits={"cpu": 3}), name="asked.json")
    assert kubesched("simulate", cluster, asked).returncode == 1
    assert kubesched("simulate", cluster, asked, "--no-defaults").returncode == 0


def test_the_provider_decides(tmp_path: Path) -> None:
    busy = pod("busy", cpu=1, memory="4Gi", node_name="b")
    cluster = written(tmp_path, node("a"), node("b"), busy, pod("web-1", cpu=1, memory="4Gi"))
    packed = kubesched("simulate", cluster, "--provider", "ClusterAutoscalerProvider", "-o", "json")
    assert json.loads(packed.stdout)["placements"][0]["node"] == "b"


def test_it_says_who_would_be_evicted(tmp_path: Path) -> None:
    objects = [
        node("worker-1", cpu=2),
        pod("batch/report-9", cpu=2, node_name="worker-1"),
        pod("batch/etl-42", cpu=2, priority=5),
    ]
    cluster = written(tmp_path, *objects)
    line = kubesched("simulate", cluster).stdout.splitlines()[1]
    assert line.split() == ["batch/etl-42", "worker-1", "would", "evict", "batch/report-9"]
    answer = json.loads(kubesched("simulate", cluster, "-o", "json").stdout)
    assert answer["placements"][0]["evicted"] == ["batch/report-9"]


def test_json_has_the_evidence(tmp_path: Path) -> None:
    done = kubesched("simulate", written(tmp_path, *ROOM_FOR_ONE), "-o", "json")
    answer = json.loads(done.stdout)
    assert (answer["placed"], answer["total"], answer["skipped"]) == (1, 2, {})
    first, second = answer["placements"]
    assert first["node"] == "worker-1"
    assert first["feasible"] == ["worker-1"]
    assert second["node"] is None
    assert second["refusals"] == {"worker-1": ["Insufficient cpu"]}
    assert second["message"] == "0/1 nodes are available: 1 Insufficient cpu."


def test_yaml_says_the_same_as_json(tmp_path: Path) -> None:
    cluster = written(tmp_path, node("a"), *ROOM_FOR_ONE)
    as_json = json.loads(kubesched("simulate", cluster, "-o", "json").stdout)
    assert yaml.safe_load(kubesched("simulate", cluster, "-o", "yaml").stdout) == as_json


def test_wide_shows_each_score(tmp_path: Path) -> None:
    cluster = written(tmp_path, node("a", cpu=8), node("b", cpu=2), pod("web-1", cpu=1, priority=7))
    header, row, _ = kubesched("simulate", cluster, "-o", "wide").stdout.splitlines()
    assert header.split()[:4] == ["POD", "NODE", "SCORE", "PRIORITY"]
    assert header.split()[4:] == ["FIT", "TIED", "SCORES", "WHY"]
    assert row.split()[:6] == ["default/web-1", "a", "100036", "7", "2", "1"]
    assert "LeastRequestedPriority=8" in row


def test_skipped_kinds_are_counted(tmp_path: Path) -> None:
    text = written(tmp_path, node("worker-1"), pod("web-1")).read_text()
    config = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}}'
    done = kubesched("simulate", "-", stdin=f"{text}{config}{config.replace('settings', 'more')}")
    assert done.stdout.endswith("1 of 1 pods placed.\nSkipped: 2 ConfigMap.\n")


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        pytest.param(
            "kind: Node\nmetadata: {name: a}\nstatus: {allocatable: {memory: 16 GB}}\n",
            "Error: cluster.yaml, document 1, Node a: status.allocatable.memory: '16 GB' is not a "
            "quantity (expected something like '16Gi' or '16G')\n",
            id="a quantity that is none",
        ),
        pytest.param(
            "kind: Pod\nmetadata: {name: a}\n---\nkind: Pod\nmetadata: {name: a}\n",
            "Pod a",
            id="the same pod twice",
        ),
        pytest.param("kind: [", "cluster.yaml", id="no YAML at all"),
        pytest.param(
            "kind: Pod\nmetadata: {name: a}\nspec: {priorityClassName: none}\n",
            "none",
            id="a priority class that is not there",
        ),
    ],
)
def test_bad_input_ends_with_2_and_without_a_traceback(
    tmp_path: Path, manifest: str, said: str
) -> None:
    (tmp_path / "cluster.yaml").write_text(manifest)
    done = kubesched("simulate", "cluster.yaml", where=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["simulate"], "Missing argument 'CLUSTER'", id="no cluster"),
        pytest.param(["simulate", "nowhere.yaml"], "nowhere.yaml", id="a file that is not there"),
        pytest.param(["simulate", "-", "-o", "xml"], "'xml' is not one of", id="another format"),
        pytest.param(["simulate", "-", "--fast"], "No such option", id="an unknown option"),
        pytest.param(
            ["simulate", "-", "--provider", "DefaultProvide"],
            "did you mean 'DefaultProvider'?",
            id="an unknown provider",
        ),
        pytest.param(["ask"], "No such command", id="an unknown command"),
    ],
)
def test_a_wrong_call_ends_with_2_and_says_what_is_wrong(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    done = kubesched(
        *arguments, stdin='{"kind": "Node", "metadata": {"name": "a"}}', where=tmp_path
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_help_and_version_end_with_0() -> None:
    assert "simulate" in kubesched("--help").stdout
    assert kubesched("simulate", "--help").returncode == 0
    assert "kubesched" in kubesched("--version").stdout
