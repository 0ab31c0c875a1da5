"""Where a Policy may stand: plain data, files, streams, config maps."""

import json
from collections.abc import Callable, Mapping
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from attrs import frozen

from kubesched.config import PolicyError, Profile
from kubesched.framework import RuleSet

POLICY: Mapping[str, Any] = {
    "kind": "Policy",
    "apiVersion": "v1",
    "predicates": [{"name": "GeneralPredicates"}, {"name": "MatchInterPodAffinity"}],
    "priorities": [{"name": "EqualPriority", "weight": 7}],
    "alwaysCheckAllPredicates": True,
}
TEXT = json.dumps(POLICY)


@frozen
class ClientsConfigMap:
    data: Mapping[str, str] | None


def config_map(text: object = TEXT) -> dict[str, Any]:
    metadata = {"namespace": "kube-system", "name": "scheduler-policy"}
    data = {"policy.cfg": text}
    return {"kind": "ConfigMap", "apiVersion": "v1", "metadata": metadata, "data": data}


def written(name: str, text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_text(text)
        return folder / name

    return write


def picture(rules: RuleSet) -> object:
    weights = {spec.name: spec.weight for spec in rules.priorities}
    return [spec.name for spec in rules.predicates], weights, rules.options


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(written("policy.json", TEXT), id="a JSON file"),
        pytest.param(written("policy.yaml", yaml.safe_dump(dict(POLICY))), id="a YAML file"),
        pytest.param(written("policy", TEXT), id="a file without a suffix"),
        pytest.param(written("map.yaml", yaml.safe_dump(config_map())), id="a config map's file"),
        pytest.param(lambda _: config_map(), id="a config map"),
        pytest.param(
            lambda _: config_map(yaml.safe_dump(dict(POLICY))), id="a config map that holds YAML"
        ),
        pytest.param(lambda _: ClientsConfigMap({"policy.cfg": TEXT}), id="a client's config map"),
        pytest.param(lambda _: StringIO(TEXT), id="a stream of text"),
        pytest.param(lambda _: BytesIO(TEXT.encode()), id="a stream of bytes"),
    ],
)
def test_it_means_the_same_wherever_it_stands(
    tmp_path: Path, source: Callable[[Path], Any]
) -> None:
    found = source(tmp_path)
    assert picture(Profile.from_policy(found)) == picture(Profile.from_policy(POLICY))
    if isinstance(found, Path):
        assert picture(Profile.from_policy(str(found))) == picture(Profile.from_policy(POLICY))


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        pytest.param("policy.json", "{", "is not JSON (line 1, column 2", id="no JSON"),
        pytest.param("policy.yaml", "a: [", "is not YAML", id="no YAML"),
        pytest.param("policy.json", "", "holds nothing (expected one Policy)", id="nothing"),
        pytest.param("policy.json", "{} {}", "holds 2 documents (expected one Policy)", id="two"),
        pytest.param("policy.json", "[1]", "a list is no Policy (expected a mapping)", id="a list"),
        pytest.param(
            "policy.json",
            '{"priorities": [], "priorities": []}',
            "priorities occurs more than",
            id="a key twice",
        ),
        pytest.param("policy.json", "[" * 250 + "]" * 250, "200 levels deep", id="too deep"),
        pytest.param(
            "policy.json",
            '{"hardPodAffinitySymmetricWeight": 1e999}',
            "hardPodAffinitySymmetricWeight: 1e999 is out of range",
            id="a number out of range",
        ),
        pytest.param(
            "map.json",
            '{"kind": "ConfigMap", "metadata": {"name": "m"}, "data": {}}',
            "ConfigMap m: data['policy.cfg'] holds no text (expected a Policy)",
            id="a config map without a Policy",
        ),
        pytest.param(
            "map.json",
            json.dumps(config_map('{"kind": 1}')),
            "ConfigMap kube-system/scheduler-policy, policy.cfg: kind: 1 is not 'Policy'",
            id="a config map with another thing",
        ),
        pytest.param(
            "map.json",
            json.dumps(config_map("{")),
            "ConfigMap kube-system/scheduler-policy, policy.cfg, document 1: is not JSON",
            id="a config map with no JSON",
        ),
    ],
)
def test_a_file_that_holds_no_policy_is_told_of_by_its_name(
    tmp_path: Path, name: str, text: str, told: str
) -> None:
    with pytest.raises(PolicyError) as caught:
        Profile.from_policy(written(name, text)(tmp_path))
    [error] = caught.value.errors
    assert str(error).startswith(str(tmp_path / name))
    assert told in str(error)


def test_what_is_wrong_in_a_file_is_told_with_the_file() -> None:
    with pytest.raises(PolicyError) as caught:
        Profile.from_policy(StringIO('{"priorities": [{"name": "EqualPriority"}]}'))
    [error] = caught.value.errors
    assert (error.source, error.object) == ("argument 1", "priority EqualPriority")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        pytest.param(Path("gone.json"), "gone.json: cannot be read", id="no such file"),
        pytest.param("{}", "is no path (give text as io.StringIO(text))", id="text"),
        pytest.param(7, "is no source", id="a number"),
        pytest.param(None, "is no source", id="nothing"),
        pytest.param(ClientsConfigMap(None), "holds no text", id="an empty config map"),
    ],
)
def test_what_is_no_source_is_told_of(source: Any, told: str) -> None:
    with pytest.raises(PolicyError) as caught:
        Profile.from_policy(source)
    assert told in str(caught.value)


def test_the_page_on_policies_shows_the_example() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs/how-to/policies.md").read_text("utf-8")
    assert f"```json\n{(root / 'examples/policy.json').read_text('utf-8')}```" in page
