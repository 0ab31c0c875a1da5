"""Volumes that are made for claims."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from kubesched.builders import node
from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    CSIPersistentVolumeSource,
    GCEPersistentDiskVolumeSource,
)
from kubesched.plugins.volume_binding import is_reserved_for
from kubesched.runtime.volumes.provisioning import REGION, ZONE, provisioned_volume
from kubesched.selectors import node_selection
from tests.plugins.volume_binding.objects import claim, waiting_class

EAST = node("n1", zone="east-1", region="east", labels={"rack": "r1"}).labels
SAME_ZONE = node("n2", zone="east-1", region="east", labels={"rack": "r2"}).labels
WEST = node("n3", zone="west-1", region="west", labels={"rack": "r1"}).labels
BARE: Mapping[str, str] = {}


def test_a_volume_is_named_by_its_claims_uid_if_there_is_one() -> None:
    named = [
        provisioned_volume(each, waiting_class(provisioner="csi.example.com"), EAST).name
        for each in (claim(uid="7-7"), claim())
    ]
    assert named == ["pvc-7-7", "pvc-default-data"]


def test_it_is_what_its_claim_asks_for() -> None:
    asked = claim(asks="3Gi", modes=["ReadWriteOnce"], volume_mode="Block", uid="7")
    made = provisioned_volume(asked, waiting_class(provisioner="csi.example.com"), EAST)
    assert made.spec.capacity == asked.spec.resources.requests
    assert made.spec.access_modes == ("ReadWriteOnce",)
    assert made.spec.volume_mode == "Block"
    assert made.spec.persistent_volume_reclaim_policy == "Delete"
    assert made.status.phase == "Bound"
    assert made.annotations["pv.kubernetes.io/provisioned-by"] == "csi.example.com"
    assert is_reserved_for(made, asked)


SOURCES = [
    pytest.param(
        "kubernetes.io/aws-ebs",
        "aws_elastic_block_store",
        AWSElasticBlockStoreVolumeSource(volume_id="pvc-7"),
        id="EBS",
    ),
    pytest.param(
        "kubernetes.io/gce-pd",
        "gce_persistent_disk",
        GCEPersistentDiskVolumeSource(pd_name="pvc-7"),
        id="GCE",
    ),
    pytest.param(
        "kubernetes.io/azure-disk",
        "azure_disk",
        AzureDiskVolumeSource(disk_name="pvc-7"),
        id="Azure",
    ),
    pytest.param(
        "csi.example.com",
        "csi",
        CSIPersistentVolumeSource(driver="csi.example.com", volume_handle="pvc-7"),
        id="a CSI driver",
    ),
]


@pytest.mark.parametrize(("provisioner", "field", "source"), SOURCES)
def test_it_is_of_the_kind_that_the_provisioner_makes(
    provisioner: str, field: str, source: object
) -> None:
    made = provisioned_volume(claim(uid="7"), waiting_class(provisioner=provisioner), EAST)
    assert getattr(made.spec, field) == source


def reached(provisioner: str, allowed: Iterable[Any], labels: Mapping[str, str]) -> list[bool]:
    """Tell for each of four nodes whether a volume made for the first of them can be reached."""
    made = provisioned_volume(
        claim(), waiting_class(provisioner=provisioner, allowed=allowed), labels
    )
    if made.spec.node_affinity is None or made.spec.node_affinity.required is None:
        return [True] * 4
    selection = node_selection(made.spec.node_affinity.required)
    return [selection.matches(each, "") for each in (EAST, SAME_ZONE, WEST, BARE)]


REACHED = [
    pytest.param("csi.example.com", (), EAST, [True, False, False, False], id="from its node"),
    pytest.param("kubernetes.io/gce-pd", (), EAST, [True, True, False, False], id="its zone"),
    pytest.param("csi.example.com", (), BARE, [True] * 4, id="everywhere, if nothing is known"),
    pytest.param(
        "csi.example.com",
        [{"rack": ["r9"]}, {"rack": ["r1", "r2"]}],
        EAST,
        [True, False, True, False],
        id="what the class speaks about",
    ),
]


@pytest.mark.parametrize(("provisioner", "allowed", "labels", "nodes"), REACHED)
def test_it_can_be_reached_from(
    provisioner: str, allowed: Iterable[Any], labels: Mapping[str, str], nodes: list[bool]
) -> None:
    assert reached(provisioner, allowed, labels) == nodes


def test_a_disk_of_a_cloud_is_labelled_with_its_zone() -> None:
    disk = provisioned_volume(claim(), waiting_class(provisioner="kubernetes.io/aws-ebs"), EAST)
    assert disk.labels == {ZONE: "east-1", REGION: "east"}
    other = provisioned_volume(claim(), waiting_class(provisioner="csi.example.com"), EAST)
    assert not other.labels
