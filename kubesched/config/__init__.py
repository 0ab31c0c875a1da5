"""Names to rules: stock registries, providers, profiles."""

from kubesched.config.component import SchedulerConfiguration, read_configuration
from kubesched.config.errors import ConfigurationError, PolicyError
from kubesched.config.gates import FeatureGates
from kubesched.config.policy import ConfigMap
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
    "ConfigMap",
    "ConfigurationError",
    "FeatureGates",
    "PolicyError",
    "Profile",
    "Provider",
    "SchedulerConfiguration",
    "mandatory_predicates",
    "provider",
    "read_configuration",
    "stock_registry",
]
