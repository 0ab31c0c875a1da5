"""Hypothesis strategies for every model and for whole situations.

What they draw comes from a small world of `Words`, in which two things are often about the same.
"""

from kubesched.testing.strategies.any_models import any_models
from kubesched.testing.strategies.changes import (
    AssumePod,
    ChangeNode,
    ClusterChange,
    ConfirmPod,
    ForgetPod,
    PutObject,
    RemoveObject,
    cluster_changes,
)
from kubesched.testing.strategies.clusters import cluster_objects, clusters
from kubesched.testing.strategies.companions import companions
from kubesched.testing.strategies.containers import container_ports, containers
from kubesched.testing.strategies.metadata import labels, owner_references
from kubesched.testing.strategies.models import models
from kubesched.testing.strategies.node_infos import node_infos
from kubesched.testing.strategies.nodes import nodes
from kubesched.testing.strategies.pods import pod_keys, pods
from kubesched.testing.strategies.policies import policies
from kubesched.testing.strategies.quantities import amounts_of, quantities, resource_lists
from kubesched.testing.strategies.registries import feature_gates, profiles, registries
from kubesched.testing.strategies.selectors import (
    affinities,
    label_selector_requirements,
    label_selectors,
    node_affinities,
    node_selector_requirements,
    node_selector_terms,
    node_selectors,
    pod_affinity_terms,
)
from kubesched.testing.strategies.storage import (
    csi_nodes,
    persistent_volume_claims,
    persistent_volumes,
    storage_classes,
)
from kubesched.testing.strategies.taints import taints, tolerations
from kubesched.testing.strategies.volumes import volumes
from kubesched.testing.strategies.workloads import Workload, services, workloads

__all__ = [
    "AssumePod",
    "ChangeNode",
    "ClusterChange",
    "ConfirmPod",
    "ForgetPod",
    "PutObject",
    "RemoveObject",
    "Workload",
    "affinities",
    "amounts_of",
    "any_models",
    "cluster_changes",
    "cluster_objects",
    "clusters",
    "companions",
    "container_ports",
    "containers",
    "csi_nodes",
    "feature_gates",
    "label_selector_requirements",
    "label_selectors",
    "labels",
    "models",
    "node_affinities",
    "node_infos",
    "node_selector_requirements",
    "node_selector_terms",
    "node_selectors",
    "nodes",
    "owner_references",
    "persistent_volume_claims",
    "persistent_volumes",
    "pod_affinity_terms",
    "pod_keys",
    "pods",
    "policies",
    "profiles",
    "quantities",
    "registries",
    "resource_lists",
    "services",
    "storage_classes",
    "taints",
    "tolerations",
    "volumes",
    "workloads",
]
