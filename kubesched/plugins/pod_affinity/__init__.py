"""Pods that want to be near other pods, or far from them."""

from kubesched.plugins.pod_affinity.preferred import INTER_POD_AFFINITY, inter_pod_affinity
from kubesched.plugins.pod_affinity.required import MATCH_INTER_POD_AFFINITY

__all__ = ["INTER_POD_AFFINITY", "MATCH_INTER_POD_AFFINITY", "inter_pod_affinity"]
