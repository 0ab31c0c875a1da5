"""The wire form: which names, what is left out, and that nothing gets lost."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from kubesched import model as models
from kubesched.manifests import read_wire, to_wire
from kubesched.manifests.kinds import api_version
from kubesched.manifests.paths import wire_name
from kubesched.model import (
    KINDS,
    Affinity,
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    Container,
    ContainerPort,
    CSINodeDriver,
    LabelSelector,
    Node,
    NodeAffinity,
    NodeSelector,
    NodeSpec,
    ObjectMeta,
    Pod,
    PodAffinityTerm,
    PodDisruptionBudgetSpec,
    PodDisruptionBudgetStatus,
    PodSpec,
    PodTemplateSpec,
    ServiceSpec,
    StorageClass,
    Taint,
    Toleration,
    VolumeNodeResources,
)
from kubesched.quantity import Quantity
from tests.manifests.strategies import instances

MODELS = sorted(
    {it for it in vars(models).values() if isinstance(it, type) and attrs.has(it)}
    - {models.KubeObject},
    key=lambda it: it.__name__,
)

every_model = pytest.mark.parametrize("model", MODELS, ids=lambda it: it.__name__)
any_part = st.sampled_from(MODELS).flatmap(instances)

MOMENT = datetime(2018, 11, 29, 13, 0, tzinfo=UTC)


# -- laws ------------------------------------------------------------------------------------------


@given(any_part)
def test_what_is_written_is_read_as_what_it_was(part: Any) -> None:
    assert read_wire(type(part), to_wire(part)) == part


@given(any_part)
def test_what_is_read_is_written_as_it_was(part: Any) -> None:
    wire = to_wire(part)
    assert to_wire(read_wire(type(part), wire)) == wire


@given(any_part)
def test_the_wire_form_is_plain_data(part: Any) -> None:
    wire = to_wire(part)
    assert json.loads(json.dumps(wire)) == wire


def crowded(wire: Any) -> Any:
    """Add fields that no model knows to every mapping that is there, and null to those."""
    match wire:
        case dict():
            return {"x-unknown": None} | {key: crowded(part) for key, part in wire.items()}
        case list():
            return [crowded(part) for part in wire]
        case _:
            return wire


@given(any_part)
def test_null_is_the_same_as_absence_wherever_it_stands(part: Any) -> None:
    assert read_wire(type(part), crowded(to_wire(part))) == part


@given(any_part)
def test_any_field_may_be_null_or_unknown(part: Any) -> None:
    nulls = {wire_name(field): None for field in attrs.fields(type(part))}
    wire = nulls | {"x-unknown": {"y": [1]}} | to_wire(part)
    assert read_wire(type(part), wire) == part


@every_model
def test_the_wire_names_of_a_model_are_all_different(model: type[Any]) -> None:
    names = [wire_name(field) for field in attrs.fields(model)]
    assert len(set(names)) == len(names)
    assert not [name for name in names if "_" in name]


@every_model
def test_what_is_read_can_be_hashed(model: type[Any]) -> None:
    assert hash(read_wire(model, {})) == hash(model())


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (ContainerPort(host_ip="::1", host_port=80), {"hostIP": "::1", "hostPort": 80}),
        (NodeSpec(pod_cidr="::/8", provider_id="x"), {"podCIDR": "::/8", "providerID": "x"}),
        (AWSElasticBlockStoreVolumeSource(volume_id="vol-1"), {"volumeID": "vol-1"}),
        (AzureDiskVolumeSource(disk_uri="u", disk_name="d"), {"diskURI": "u", "diskName": "d"}),
        (CSINodeDriver(node_id="i", topology_keys=["k"]), {"nodeID": "i", "topologyKeys": ["k"]}),
        (ServiceSpec(cluster_ip="None"), {"clusterIP": "None"}),
        (
            Affinity(node_affinity=NodeAffinity(required=NodeSelector())),
            {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}
                }
            },
        ),
        (ObjectMeta(creation_timestamp=MOMENT), {"creationTimestamp": "2018-11-29T13:00:00Z"}),
    ],
    ids=lambda it: type(it).__name__,
)
def test_a_field_is_called(part: Any, expected: Mapping[str, Any]) -> None:
    assert expected.items() <= to_wire(part).items()
    assert read_wire(type(part), expected) == part


@pytest.mark.parametrize("model", KINDS, ids=lambda it: it.kind)
def test_an_object_says_first_what_it_is(model: type[models.KubeObject]) -> None:
    wire = to_wire(model(metadata=ObjectMeta(name="x")))
    assert list(wire)[:3] == ["apiVersion", "kind", "metadata"]
    assert (wire["apiVersion"], wire["kind"]) == (api_version(model), model.kind)


def test_the_newest_version_is_written() -> None:
    wire = to_wire(StorageClass())
    assert wire["apiVersion"] == "storage.k8s.io/v1"


# -- what is left out ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (Toleration(), {}),
        (PodSpec(), {"containers": []}),
        (Pod(), {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": {"containers": []},
                 "status": {}}),
        (PodTemplateSpec(), {}),
        (Container(name="main"), {"name": "main", "resources": {}}),
        (Taint(), {"key": "", "effect": ""}),
        (PodSpec(priority=0), {"containers": [], "priority": 0}),
        (Toleration(toleration_seconds=0), {"tolerationSeconds": 0}),
        (VolumeNodeResources(count=0), {"count": 0}),
        (ServiceSpec(selector={}), {"selector": {}}),
        (PodAffinityTerm(label_selector=LabelSelector()), {"labelSelector": {}, "topologyKey": ""}),
        (PodDisruptionBudgetSpec(max_unavailable=0), {"maxUnavailable": 0}),
        (PodDisruptionBudgetSpec(max_unavailable="0%"), {"maxUnavailable": "0%"}),
    ],
    ids=repr,
)  # fmt: skip
def test_only_what_means_nothing_is_left_out(part: Any, expected: dict[str, Any]) -> None:
    assert to_wire(part) == expected


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2018-11-29T13:00:00Z", MOMENT),
        ("2018-11-29T13:00:00+00:00", MOMENT),
        ("2018-11-29T14:30:00+01:30", MOMENT),
        ("2018-11-29T13:00:00.5Z", MOMENT + timedelta(milliseconds=500)),
        ("2018-11-29T13:00:00.123456Z", MOMENT + timedelta(microseconds=123456)),
        ("2018-11-29T13:00:00.123456789Z", MOMENT + timedelta(microseconds=123456)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_with_its_offset(text: str, expected: datetime) -> None:
    assert read_wire(Taint, {"timeAdded": text}).time_added == expected


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (MOMENT, "2018-11-29T13:00:00Z"),
        (MOMENT.astimezone(timezone(timedelta(hours=9))), "2018-11-29T13:00:00Z"),
        (MOMENT.replace(tzinfo=None), "2018-11-29T13:00:00Z"),
        (MOMENT.replace(microsecond=500_000), "2018-11-29T13:00:00.500000Z"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00Z"),
    ],
)
def test_a_time_is_written_in_utc(moment: datetime, expected: str) -> None:
    assert to_wire(Taint(time_added=moment))["timeAdded"] == expected


def test_times_in_a_mapping_are_times() -> None:
    wire = {"disruptedPods": {"cart": "2018-11-29T13:00:00Z"}}
    assert read_wire(PodDisruptionBudgetStatus, wire).disrupted_pods == {"cart": MOMENT}


@pytest.mark.parametrize("amount", ["1500m", 1, 1.5, Decimal("1.5"), Quantity("1500m")], ids=repr)
def test_a_quantity_may_be_text_or_a_number(amount: Any) -> None:
    read = read_wire(Node, {"status": {"capacity": {"cpu": amount}}})
    assert read.status.capacity == {"cpu": Quantity(amount)}


@pytest.mark.parametrize(("given", "written"), [("0.5", "500m"), ("1024Mi", "1Gi"), (2, "2")])
def test_a_quantity_is_written_in_its_canonical_form(given: Any, written: str) -> None:
    read = read_wire(Node, {"status": {"capacity": {"memory": given}}})
    assert to_wire(read)["status"]["capacity"] == {"memory": written}


@pytest.mark.parametrize("number", [-(2**63), 0, 2**63 - 1])
def test_an_integer_may_be_as_large_as_64_bits_allow(number: int) -> None:
    assert read_wire(PodSpec, {"priority": number}).priority == number


def test_any_mapping_and_any_tuple_will_do() -> None:
    wire = MappingProxyType({"tolerations": (MappingProxyType({"key": "a"}),)})
    assert read_wire(PodSpec, wire).tolerations == (Toleration(key="a"),)
