"""Claims that are bound only once it is known where their pod goes.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go
(VolumeBindingChecker), pkg/controller/volume/persistentvolume/scheduler_binder.go; v1.13.0 where
the two differ.
"""

from kubesched.plugins.volume_binding.claims import (
    BIND_COMPLETED,
    SELECTED_NODE,
    BindingModeError,
    ClaimsOfPod,
    MissingClaimError,
    UnboundClaimsError,
    claims_of,
    class_of_claim,
    is_bound,
)
from kubesched.plugins.volume_binding.matching import Choice, choose
from kubesched.plugins.volume_binding.predicate import (
    CHECK_VOLUME_BINDING,
    VOLUME_BINDING_CONFLICT,
    VOLUME_NODE_CONFLICT,
    MissingVolumeError,
    VolumesOfPod,
    volumes_of,
    without_scheduling,
)
from kubesched.plugins.volume_binding.wishes import (
    ClaimSelectorError,
    Wish,
    is_reserved_for,
    topology_selector,
)

__all__ = [
    "BIND_COMPLETED",
    "CHECK_VOLUME_BINDING",
    "SELECTED_NODE",
    "VOLUME_BINDING_CONFLICT",
    "VOLUME_NODE_CONFLICT",
    "BindingModeError",
    "Choice",
    "ClaimSelectorError",
    "ClaimsOfPod",
    "MissingClaimError",
    "MissingVolumeError",
    "UnboundClaimsError",
    "VolumesOfPod",
    "Wish",
    "choose",
    "claims_of",
    "class_of_claim",
    "is_bound",
    "is_reserved_for",
    "topology_selector",
    "volumes_of",
    "without_scheduling",
]
