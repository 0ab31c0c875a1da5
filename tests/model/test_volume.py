from typing import Any

import pytest

from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    CSIVolumeSource,
    EphemeralVolumeSource,
    GCEPersistentDiskVolumeSource,
    ISCSIVolumeSource,
    NFSVolumeSource,
    PersistentVolumeClaimVolumeSource,
    RBDVolumeSource,
    Volume,
)

DISKS: dict[str, Any] = {
    "gce_persistent_disk": GCEPersistentDiskVolumeSource(),
    "aws_elastic_block_store": AWSElasticBlockStoreVolumeSource(),
    "nfs": NFSVolumeSource(),
    "iscsi": ISCSIVolumeSource(),
    "rbd": RBDVolumeSource(),
    "azure_disk": AzureDiskVolumeSource(),
    "csi": CSIVolumeSource(),
}
OTHERS: dict[str, Any] = {
    "persistent_volume_claim": PersistentVolumeClaimVolumeSource(),
    "ephemeral": EphemeralVolumeSource(),
}


@pytest.mark.parametrize("source", DISKS)
def test_a_source_is_the_disk_even_if_nothing_is_set_in_it(source: str) -> None:
    assert Volume(**{source: DISKS[source]}).disk is DISKS[source]


@pytest.mark.parametrize("source", OTHERS)
def test_what_goes_by_a_claim_is_no_disk(source: str) -> None:
    assert Volume(**{source: OTHERS[source]}).disk is None


def test_a_volume_that_nobody_looks_at_is_no_disk() -> None:
    assert Volume(name="secret").disk is None
