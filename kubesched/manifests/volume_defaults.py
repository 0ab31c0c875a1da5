"""What an API server fills in for volumes, those of pods as well as persistent ones.

Source: kubernetes v1.12.2, pkg/apis/core/v1/defaults.go, SetDefaults_RBDVolumeSource,
SetDefaults_AzureDiskVolumeSource; v1.34.1, SetDefaults_PersistentVolumeClaimSpec
"""

from kubesched.manifests.filling import filled, given
from kubesched.model import (
    AzureDiskVolumeSource,
    EphemeralVolumeSource,
    PersistentVolumeClaimSpec,
    RBDVolumeSource,
    Volume,
)


def pod_volume(it: Volume) -> Volume:
    """Fill in the source of a pod's volume."""
    return filled(
        it,
        rbd=it.rbd and rbd(it.rbd),
        azure_disk=it.azure_disk and azure_disk(it.azure_disk),
        ephemeral=it.ephemeral and _ephemeral(it.ephemeral),
    )


def rbd(it: RBDVolumeSource) -> RBDVolumeSource:
    """Look for the image in the pool named rbd."""
    return filled(it, pool=it.pool or "rbd")


def azure_disk(it: AzureDiskVolumeSource) -> AzureDiskVolumeSource:
    """Use a disk of a shared account, with ext4 on it."""
    return filled(
        it,
        caching_mode=given(it.caching_mode, "ReadWrite"),
        kind=given(it.kind, "Shared"),
        fs_type=given(it.fs_type, "ext4"),
        read_only=given(it.read_only, default=False),
    )


def claim_spec(it: PersistentVolumeClaimSpec) -> PersistentVolumeClaimSpec:
    """Ask for a file system."""
    return filled(it, volume_mode=given(it.volume_mode, "Filesystem"))


def _ephemeral(it: EphemeralVolumeSource) -> EphemeralVolumeSource:
    template = it.volume_claim_template
    return filled(
        it, volume_claim_template=template and filled(template, spec=claim_spec(template.spec))
    )
