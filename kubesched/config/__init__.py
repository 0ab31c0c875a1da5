"""Names to rules: stock registries, providers, profiles."""

from kubesched.config.gates import FeatureGates
from kubesched.config.profile import Profile
from kubesched.config.providers import (
    CLUSTER_AUTOSCALER_PROVIDER,
    DEFAULT_PROVIDER,
    Provider,
    mandatory_predicates,
    provider,
)
from kubesched.config.registries import stock_registry

__all__ = [
    "CLUSTER_AUTOSCALER_PROVIDER",
    "DEFAULT_PROVIDER",
    "FeatureGates",
    "Profile",
    "Provider",
    "mandatory_predicates",
    "provider",
    "stock_registry",
]
