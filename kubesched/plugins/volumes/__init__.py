"""Volumes: disks that cannot be shared, how many a node takes, and the zones that they are in."""

from kubesched.plugins.volumes.balance import attuned, balanced_resource_allocation_with_volumes
from kubesched.plugins.volumes.conflicts import NO_DISK_CONFLICT
from kubesched.plugins.volumes.csi_limits import MAX_CSI_VOLUME_COUNT, max_csi_volume_count
from kubesched.plugins.volumes.environment import KUBE_MAX_PD_VOLS, max_pd_volumes
from kubesched.plugins.volumes.errors import UnusableClaimError
from kubesched.plugins.volumes.limits import (
    MAX_AZURE_DISK_VOLUME_COUNT,
    MAX_EBS_VOLUME_COUNT,
    MAX_GCE_PD_VOLUME_COUNT,
    max_azure_disk_volume_count,
    max_ebs_volume_count,
    max_gce_pd_volume_count,
)
from kubesched.plugins.volumes.zones import NO_VOLUME_ZONE_CONFLICT, no_volume_zone_conflict

__all__ = [
    "KUBE_MAX_PD_VOLS",
    "MAX_AZURE_DISK_VOLUME_COUNT",
    "MAX_CSI_VOLUME_COUNT",
    "MAX_EBS_VOLUME_COUNT",
    "MAX_GCE_PD_VOLUME_COUNT",
    "NO_DISK_CONFLICT",
    "NO_VOLUME_ZONE_CONFLICT",
    "UnusableClaimError",
    "attuned",
    "balanced_resource_allocation_with_volumes",
    "max_azure_disk_volume_count",
    "max_csi_volume_count",
    "max_ebs_volume_count",
    "max_gce_pd_volume_count",
    "max_pd_volumes",
    "no_volume_zone_conflict",
]
