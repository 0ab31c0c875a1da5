"""The loop around the algorithm: queue, binding, events, metrics, leader election, clock.

Binding volumes is there; the rest is not yet.
"""

from kubesched.runtime.volume_binding import InMemoryVolumeBinder, VolumeBinder
from kubesched.runtime.volume_edits import VolumeBindingError

__all__ = [
    "InMemoryVolumeBinder",
    "VolumeBinder",
    "VolumeBindingError",
]
