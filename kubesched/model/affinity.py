"""Where a pod wants to be: node selectors, and affinity to nodes and to other pods.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/types.go (and v1.34.1 for the fields that
came later: matchLabelKeys, mismatchLabelKeys, namespaceSelector, topologySpreadConstraints).
"""

from attrs import field, frozen

from kubesched.model.frozen import Model, frozen_tuple
from kubesched.model.meta import LabelSelector

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


@frozen(kw_only=True, repr=False)
class NodeSelectorRequirement(Model):
    """One condition on a node's label or field.

    `operator` is In, NotIn, Exists, DoesNotExist, Gt or Lt.
    """

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] = field(default=(), converter=frozen_tuple)


@frozen(kw_only=True, repr=False)
class NodeSelectorTerm(Model):
    """Conditions on one node, all of which must hold; a term with none matches no node."""

    match_expressions: tuple[NodeSelectorRequirement, ...] = field(
        default=(), converter=frozen_tuple
    )
    match_fields: tuple[NodeSelectorRequirement, ...] = field(default=(), converter=frozen_tuple)


@frozen(kw_only=True, repr=False)
class NodeSelector(Model):
    """Terms of which at least one must match; with no terms it matches no node."""

    node_selector_terms: tuple[NodeSelectorTerm, ...] = field(
        default=(), converter=frozen_tuple, metadata={"keep": True}
    )


@frozen(kw_only=True, repr=False)
class PreferredSchedulingTerm(Model):
    """A term that is worth `weight` (1..100) on a node that it matches."""

    weight: int = field(default=0, metadata={"keep": True})
    preference: NodeSelectorTerm = field(factory=NodeSelectorTerm, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class NodeAffinity(Model):
    """What a node must be, and what it had better be."""

    required: NodeSelector | None = field(default=None, metadata={"json": _REQUIRED})
    preferred: tuple[PreferredSchedulingTerm, ...] = field(
        default=(), converter=frozen_tuple, metadata={"json": _PREFERRED}
    )


@frozen(kw_only=True, repr=False)
class PodAffinityTerm(Model):
    """Pods with these labels, in these namespaces, on a node with the same value of `topology_key`.

    No label selector matches no pod, an empty one matches all. With neither namespaces nor a
    namespace selector it is about the namespace of the pod that holds the term.
    """

    label_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] = field(default=(), converter=frozen_tuple)
    topology_key: str = field(default="", metadata={"keep": True})
    namespace_selector: LabelSelector | None = None
    match_label_keys: tuple[str, ...] = field(default=(), converter=frozen_tuple)
    mismatch_label_keys: tuple[str, ...] = field(default=(), converter=frozen_tuple)


@frozen(kw_only=True, repr=False)
class WeightedPodAffinityTerm(Model):
    """A term that is worth `weight` (1..100) for each pod that it matches."""

    weight: int = field(default=0, metadata={"keep": True})
    pod_affinity_term: PodAffinityTerm = field(factory=PodAffinityTerm, metadata={"keep": True})


# Pods are grouped by what they say about other pods, so these two remember their hashes.
@frozen(kw_only=True, repr=False, cache_hash=True)
class PodAffinity(Model):
    """Pods that must be near, and pods that had better be near."""

    required: tuple[PodAffinityTerm, ...] = field(
        default=(), converter=frozen_tuple, metadata={"json": _REQUIRED}
    )
    preferred: tuple[WeightedPodAffinityTerm, ...] = field(
        default=(), converter=frozen_tuple, metadata={"json": _PREFERRED}
    )


@frozen(kw_only=True, repr=False, cache_hash=True)
class PodAntiAffinity(Model):
    """Pods that must not be near, and pods that had better not be near."""

    required: tuple[PodAffinityTerm, ...] = field(
        default=(), converter=frozen_tuple, metadata={"json": _REQUIRED}
    )
    preferred: tuple[WeightedPodAffinityTerm, ...] = field(
        default=(), converter=frozen_tuple, metadata={"json": _PREFERRED}
    )


@frozen(kw_only=True, repr=False)
class Affinity(Model):
    """All that a pod says about its place."""

    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAntiAffinity | None = None


@frozen(kw_only=True, repr=False)
class TopologySpreadConstraint(Model):
    """How evenly pods like this one are to be spread over the values of `topology_key`."""

    max_skew: int = field(default=0, metadata={"keep": True})
    topology_key: str = field(default="", metadata={"keep": True})
    when_unsatisfiable: str = field(default="", metadata={"keep": True})
    label_selector: LabelSelector | None = None
    min_domains: int | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: tuple[str, ...] = field(default=(), converter=frozen_tuple)
