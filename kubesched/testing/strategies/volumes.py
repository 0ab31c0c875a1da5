"""What pods mount."""

from typing import Any

from hypothesis import strategies as st

from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    GCEPersistentDiskVolumeSource,
    ISCSIVolumeSource,
    PersistentVolumeClaimVolumeSource,
    RBDVolumeSource,
    Volume,
)
from kubesched.testing.strategies.drawing import mostly
from kubesched.testing.words import WORDS, Words


def volumes(*, words: Words = WORDS) -> st.SearchStrategy[Volume]:
    """Draw volumes of a pod: claims, disks of every kind that is counted, and something else.

    >>> from hypothesis import find
    >>> find(volumes(), lambda volume: volume.disk)
    Volume(gce_persistent_disk=GCEPersistentDiskVolumeSource(pd_name='v1'))
    """
    disk, read_only = st.sampled_from(words.volume_names), st.booleans()
    claims = st.sampled_from([*map(claim_volume, words.claim_names), Volume(name="secret")])
    disks = st.one_of(
        _disks(
            "gce_persistent_disk", GCEPersistentDiskVolumeSource, pd_name=disk, read_only=read_only
        ),
        _disks(
            "aws_elastic_block_store",
            AWSElasticBlockStoreVolumeSource,
            volume_id=disk,
            read_only=read_only,
        ),
        _disks("azure_disk", AzureDiskVolumeSource, disk_name=disk, read_only=read_only),
        _disks("iscsi", ISCSIVolumeSource, iqn=disk, read_only=read_only),
        _disks("rbd", RBDVolumeSource, monitors=st.just(("m1",)), image=disk, read_only=read_only),
    )
    return mostly(claims, disks, one_in=2)


def claim_volume(claim_name: str) -> Volume:
    """Return the volume that a claim of the pod's namespace stands for.

    >>> claim_volume("c1").persistent_volume_claim.claim_name
    'c1'
    """
    source = PersistentVolumeClaimVolumeSource(claim_name=claim_name)
    return Volume(persistent_volume_claim=source)


def _disks(kind: str, source: type, **parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Volume]:
    return st.builds(Volume, **{kind: st.builds(source, **parts)})
