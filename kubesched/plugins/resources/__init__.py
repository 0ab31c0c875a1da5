"""Room on nodes: whether there is enough, and how much of it would be taken."""

from kubesched.plugins.resources.capacity_ratio import (
    DEFAULT_SHAPE,
    REQUESTED_TO_CAPACITY_RATIO,
    ShapePoint,
    requested_to_capacity_ratio,
)
from kubesched.plugins.resources.fit import (
    POD_FITS_RESOURCES,
    InsufficientResource,
    pod_fits_resources_ignoring,
)
from kubesched.plugins.resources.limits import RESOURCE_LIMITS
from kubesched.plugins.resources.requested import (
    BALANCED_RESOURCE_ALLOCATION,
    LEAST_REQUESTED,
    MOST_REQUESTED,
)

__all__ = [
    "BALANCED_RESOURCE_ALLOCATION",
    "DEFAULT_SHAPE",
    "LEAST_REQUESTED",
    "MOST_REQUESTED",
    "POD_FITS_RESOURCES",
    "REQUESTED_TO_CAPACITY_RATIO",
    "RESOURCE_LIMITS",
    "InsufficientResource",
    "ShapePoint",
    "pod_fits_resources_ignoring",
    "requested_to_capacity_ratio",
]
