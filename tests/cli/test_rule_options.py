"""`kubesched simulate` by other rules than the default provider's."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest

from kubesched.builders import node, pod
from kubesched.cli import main
from kubesched.manifests import dump
from kubesched.model import GCEPersistentDiskVolumeSource, KubeObject, Volume

Simulate: TypeAlias = Callable[..., tuple[int, str, str]]

PACKING: Mapping[str, Any] = {
    "kind": "Policy",
    "apiVersion": "v1",
    "priorities": [{"name": "MostRequestedPriority", "weight": 1}],
}
CONFIG_MAP = {
    "kind": "ConfigMap",
    "apiVersion": "v1",
    "metadata": {"namespace": "kube-system", "name": "scheduler-policy"},
    "data": {"policy.cfg": json.dumps(PACKING)},
}
HALF_FULL = (node("a"), node("b"), pod("busy", cpu=1, memory="4Gi", node_name="b"))


def configuration(**fields: Any) -> dict[str, Any]:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1alpha1",
        "kind": "KubeSchedulerConfiguration",
        **fields,
    }


@pytest.fixture
def kubesched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Simulate:
    """Run `kubesched simulate` in this process; it tells the exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def simulate(*options: str) -> tuple[int, str, str]:
        call = ["kubesched", "simulate", "cluster.json", *options, "-o", "json"]
        monkeypatch.setattr(sys, "argv", call)
        with pytest.raises(SystemExit) as ended:
            main()
        return cast("int", ended.value.code), *capsys.readouterr()

    return simulate


def write(folder: Path, *objects: KubeObject, **files: Mapping[str, Any]) -> None:
    dump(objects, folder / "cluster.json")
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))


def placements(output: str) -> list[str | None]:
    return [each["node"] for each in json.loads(output)["placements"]]


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        pytest.param([], "a", id="nothing said"),
        pytest.param(["--policy", "policy.json"], "b", id="a Policy"),
        pytest.param(["--policy", "map.json"], "b", id="a config map"),
        pytest.param(["--config", "by-file.json"], "b", id="a configuration with a file"),
        pytest.param(["--config", "by-provider.json"], "b", id="a configuration with a provider"),
        pytest.param(["--config", "empty.json"], "a", id="a configuration that says nothing"),
        pytest.param(
            ["--config", "by-map.json", "--policy", "map.json"],
            "b",
            id="a configuration with a config map",
        ),
    ],
)
def test_the_rules_that_are_named_decide(
    tmp_path: Path, kubesched: Simulate, options: list[str], chosen: str
) -> None:
    config_map = {"name": "scheduler-policy"}
    write(
        tmp_path,
        *HALF_FULL,
        pod("web-1", cpu=1, memory="4Gi"),
        **{
            "policy": PACKING,
            "map": CONFIG_MAP,
            "empty": configuration(),
            "by-file": configuration(algorithmSource={"policy": {"file": {"path": "policy.json"}}}),
            "by-map": configuration(algorithmSource={"policy": {"configMap": config_map}}),
            "by-provider": configuration(algorithmSource={"provider": "ClusterAutoscalerProvider"}),
        },
    )
    code, output, errors = kubesched(*options)
    assert (code, placements(output), errors) == (0, [chosen], "")


def test_a_configuration_names_the_scheduler_unless_the_option_does(
    tmp_path: Path, kubesched: Simulate
) -> None:
    own = pod("web-1", scheduler_name="packer")
    write(tmp_path, node("a"), own, config=configuration(schedulerName="packer"))
    assert placements(kubesched("--config", "config.json")[1]) == ["a"]
    _, output, _ = kubesched("--config", "config.json", "--scheduler-name", "spreader")
    assert placements(output) == []


def test_feature_gates_are_named_as_in_the_original(tmp_path: Path, kubesched: Simulate) -> None:
    write(tmp_path, node("a", conditions={"Ready": "False"}), pod("web-1"))
    assert placements(kubesched()[1]) == ["a"]
    gates = "TaintNodesByCondition=false, PodPriority=true"
    assert placements(kubesched("--feature-gates", gates)[1]) == [None]


def test_the_environment_says_how_many_volumes_a_node_takes(
    tmp_path: Path, kubesched: Simulate, monkeypatch: pytest.MonkeyPatch
) -> None:
    disks = [
        Volume(name=name, gce_persistent_disk=GCEPersistentDiskVolumeSource(pd_name=name))
        for name in ("one", "two")
    ]
    write(tmp_path, node("a"), pod("web-1", volumes=disks))
    assert placements(kubesched()[1]) == ["a"]
    monkeypatch.setenv("KUBE_MAX_PD_VOLS", "1")
    assert placements(kubesched()[1]) == [None]


def test_a_predicate_that_never_runs_is_told_of_beside_the_answer(
    tmp_path: Path, kubesched: Simulate, caplog: pytest.LogCaptureFixture
) -> None:
    policy = {"predicates": [{"name": "PodFitsPorts"}]}
    write(tmp_path, node("a"), pod("web-1"), policy=policy)
    assert kubesched("--policy", "policy.json")[0] == 0
    assert "'PodFitsPorts' is accepted and never run" in caplog.text
    assert "'PodFitsHostPorts'" in caplog.text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(["--policy", "gone.json"], "gone.json: cannot be read", id="no such file"),
        pytest.param(
            ["--policy", "bad.json"],
            "bad.json, predicate HostNam: predicates[0].name: 'HostNam' is not registered; "
            "did you mean 'HostName'?",
            id="an unknown name",
        ),
        pytest.param(
            ["--policy", "bad.json"],
            "bad.json, priority EqualPriority: priorities[0].weight: 0 is out of range",
            id="another error of the same file",
        ),
        pytest.param(
            ["--config", "policy.json"],
            "policy.json: kind: 'Policy' is not 'KubeSchedulerConfiguration'",
            id="a Policy for a configuration",
        ),
        pytest.param(
            ["--policy", "by-map.json"],
            "by-map.json: kind: 'KubeSchedulerConfiguration' is not 'Policy'",
            id="a configuration for a Policy",
        ),
        pytest.param(
            ["--config", "by-map.json"],
            "configMap is kube-system/scheduler-policy, which is not at hand",
            id="a config map that nobody gave",
        ),
        pytest.param(
            ["--config", "by-provider.json"],
            "did you mean 'DefaultProvider'?",
            id="a provider that there is not",
        ),
        pytest.param(
            ["--provider", "DefaultProvider", "--policy", "policy.json"],
            "--provider stands by itself",
            id="a provider and a Policy",
        ),
        pytest.param(
            ["--config", "by-provider.json", "--policy", "policy.json"],
            "--policy goes with a --config that names a config map, or alone",
            id="a Policy that nobody asks for",
        ),
        pytest.param(
            ["--feature-gates", "PodPriorty=true"],
            "did you mean 'PodPriority'?",
            id="an unknown gate",
        ),
        pytest.param(
            ["--feature-gates", "PodPriority=perhaps"],
            "'PodPriority=perhaps' is not like",
            id="a gate that is neither on nor off",
        ),
    ],
)
def test_what_is_wrong_with_the_rules_ends_with_2(
    tmp_path: Path, kubesched: Simulate, options: list[str], said: str
) -> None:
    config_map = {"policy": {"configMap": {"name": "scheduler-policy"}}}
    bad = {
        "predicates": [{"name": "HostNam"}],
        "priorities": [{"name": "EqualPriority", "weight": 0}],
    }
    write(
        tmp_path,
        node("a"),
        pod("web-1"),
        **{
            "policy": PACKING,
            "bad": bad,
            "by-map": configuration(algorithmSource=config_map),
            "by-provider": configuration(algorithmSource={"provider": "DefaultProvide"}),
        },
    )
    code, output, errors = kubesched(*options)
    assert (code, output) == (2, "")
    assert said in " ".join(errors.split())
    assert "Traceback" not in errors
