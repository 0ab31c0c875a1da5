"""Rules named in a Policy: from a dict, a file or a config map."""

from kubesched.config.policy.reading import (
    POLICY_KEY,
    ConfigMap,
    PolicySource,
    named_policy,
    read_policy,
)
from kubesched.config.policy.rules import Basis, PolicyRules, policy_rules

__all__ = [
    "POLICY_KEY",
    "Basis",
    "ConfigMap",
    "PolicyRules",
    "PolicySource",
    "named_policy",
    "policy_rules",
    "read_policy",
]
