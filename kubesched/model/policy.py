"""What decides between pods: priority classes, disruption budgets, namespaces.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/scheduling/v1beta1/types.go,
policy/v1beta1/types.go and core/v1/types.go.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from attrs import field, frozen

from kubesched.model.frozen import Model, frozen_map
from kubesched.model.meta import KubeObject, LabelSelector


@frozen(kw_only=True, repr=False)
class PriorityClass(KubeObject):
    """A named priority, -2^31 .. 2^31-1; at most one is the default of the cluster."""

    kind: ClassVar[str] = "PriorityClass"
    group: ClassVar[str] = "scheduling.k8s.io"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta1", "v1alpha1")
    namespaced: ClassVar[bool] = False

    value: int = field(default=0, metadata={"keep": True})
    global_default: bool = False
    description: str = ""
    preemption_policy: str | None = None


@frozen(kw_only=True, repr=False)
class PodDisruptionBudgetSpec(Model):
    """How many of the selected pods must stay, or may go, as a number or a percentage."""

    min_available: int | str | None = None
    selector: LabelSelector | None = None
    max_unavailable: int | str | None = None


@frozen(kw_only=True, repr=False)
class PodDisruptionBudgetStatus(Model):
    """How many of the selected pods may go right now, and who is going already."""

    observed_generation: int = 0
    disrupted_pods: Mapping[str, datetime] = field(factory=dict, converter=frozen_map)
    disruptions_allowed: int = field(default=0, metadata={"keep": True})
    current_healthy: int = field(default=0, metadata={"keep": True})
    desired_healthy: int = field(default=0, metadata={"keep": True})
    expected_pods: int = field(default=0, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class PodDisruptionBudget(KubeObject):
    """A promise about how many of some pods are taken away at once."""

    kind: ClassVar[str] = "PodDisruptionBudget"
    group: ClassVar[str] = "policy"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta1")

    spec: PodDisruptionBudgetSpec = field(factory=PodDisruptionBudgetSpec, metadata={"keep": True})
    status: PodDisruptionBudgetStatus = field(
        factory=PodDisruptionBudgetStatus, metadata={"keep": True}
    )


@frozen(kw_only=True, repr=False)
class Namespace(KubeObject):
    """A room for names."""

    kind: ClassVar[str] = "Namespace"
    namespaced: ClassVar[bool] = False
