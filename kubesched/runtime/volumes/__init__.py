"""Giving pods that have been placed the volumes that they wait for."""

from kubesched.runtime.volumes.volume_binder import InMemoryVolumeBinder, VolumeBinder
from kubesched.runtime.volumes.volume_edits import VolumeBindingError

__all__ = [
    "InMemoryVolumeBinder",
    "VolumeBinder",
    "VolumeBindingError",
]
