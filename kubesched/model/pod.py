"""Pods: what is to be placed.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/types.go (and v1.34.1 for the fields that
came later: overhead, preemptionPolicy, schedulingGates, pod-level resources, restartable init
containers).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar, Final

from attrs import evolve, field, frozen

from kubesched.model.affinity import Affinity, TopologySpreadConstraint
from kubesched.model.frozen import Model, frozen_tuple, resource_list, string_map
from kubesched.model.meta import KubeObject, ObjectMeta, ObjectReference
from kubesched.model.volume import Volume
from kubesched.quantity import Quantity

DEFAULT_SCHEDULER: Final = "default-scheduler"
"""The scheduler that places a pod which names none.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/types.go, DefaultSchedulerName.
"""


@frozen(kw_only=True, repr=False)
class ResourceClaim(Model):
    """A claim of the pod that a container uses."""

    name: str = field(default="", metadata={"keep": True})
    request: str = ""


@frozen(kw_only=True, repr=False)
class ResourceRequirements(Model):
    """What is set aside for a container or pod (requests), and what it may use at most (limits)."""

    limits: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)
    requests: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)
    claims: tuple[ResourceClaim, ...] = field(default=(), converter=frozen_tuple)


@frozen(kw_only=True, repr=False)
class ContainerPort(Model):
    """A port of a container; `host_port` 0 is none, no `host_ip` is all addresses of the node.

    No `protocol` counts as TCP.
    """

    name: str = ""
    host_port: int = 0
    container_port: int = field(default=0, metadata={"keep": True})
    protocol: str = ""
    host_ip: str = field(default="", metadata={"json": "hostIP"})


@frozen(kw_only=True, repr=False)
class Container(Model):
    """A container of a pod.

    An init container whose `restart_policy` is Always goes on running beside the others.
    """

    name: str = field(default="", metadata={"keep": True})
    image: str = ""
    ports: tuple[ContainerPort, ...] = field(default=(), converter=frozen_tuple)
    resources: ResourceRequirements = field(factory=ResourceRequirements, metadata={"keep": True})
    restart_policy: str | None = None


@frozen(kw_only=True, repr=False)
class Toleration(Model):
    """A taint that a pod puts up with.

    `operator` is Exists or Equal (also when empty); an empty key with Exists matches every taint,
    an empty effect every effect.
    """

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


@frozen(kw_only=True, repr=False)
class PodSchedulingGate(Model):
    """Something that must be taken away before the pod may be scheduled."""

    name: str = field(default="", metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class PodResourceClaim(Model):
    """A claim on devices that the pod brings."""

    name: str = field(default="", metadata={"keep": True})
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


@frozen(kw_only=True, repr=False)
class PodSpec(Model):
    """What a pod is made of, and where it may go."""

    volumes: tuple[Volume, ...] = field(default=(), converter=frozen_tuple)
    init_containers: tuple[Container, ...] = field(default=(), converter=frozen_tuple)
    containers: tuple[Container, ...] = field(
        default=(), converter=frozen_tuple, metadata={"keep": True}
    )
    restart_policy: str = ""
    termination_grace_period_seconds: int | None = None
    node_selector: Mapping[str, str] = field(factory=dict, converter=string_map)
    service_account_name: str = ""
    node_name: str = ""
    host_network: bool = False
    affinity: Affinity | None = None
    scheduler_name: str = ""
    tolerations: tuple[Toleration, ...] = field(default=(), converter=frozen_tuple)
    priority_class_name: str = ""
    priority: int | None = None
    runtime_class_name: str | None = None
    preemption_policy: str | None = None
    overhead: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] = field(
        default=(), converter=frozen_tuple
    )
    scheduling_gates: tuple[PodSchedulingGate, ...] = field(default=(), converter=frozen_tuple)
    resource_claims: tuple[PodResourceClaim, ...] = field(default=(), converter=frozen_tuple)
    resources: ResourceRequirements | None = None


@frozen(kw_only=True, repr=False)
class PodCondition(Model):
    """How far a pod has come; `status` is True, False or Unknown."""

    type: str = field(default="", metadata={"keep": True})
    status: str = field(default="", metadata={"keep": True})
    last_probe_time: datetime | None = None
    last_transition_time: datetime | None = None
    reason: str = ""
    message: str = ""


@frozen(kw_only=True, repr=False)
class ContainerStatus(Model):
    """What a container really got of its node."""

    name: str = field(default="", metadata={"keep": True})
    image: str = field(default="", metadata={"keep": True})
    allocated_resources: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)
    resources: ResourceRequirements | None = None


@frozen(kw_only=True, repr=False)
class PodStatus(Model):
    """What became of a pod; `phase` is Pending, Running, Succeeded, Failed or Unknown."""

    phase: str = ""
    conditions: tuple[PodCondition, ...] = field(default=(), converter=frozen_tuple)
    message: str = ""
    reason: str = ""
    nominated_node_name: str = ""
    start_time: datetime | None = None
    init_container_statuses: tuple[ContainerStatus, ...] = field(default=(), converter=frozen_tuple)
    container_statuses: tuple[ContainerStatus, ...] = field(default=(), converter=frozen_tuple)
    qos_class: str = ""
    resize: str = ""


@frozen(kw_only=True, repr=False)
class Pod(KubeObject):
    """One or more containers that are placed together."""

    kind: ClassVar[str] = "Pod"

    spec: PodSpec = field(factory=PodSpec, metadata={"keep": True})
    status: PodStatus = field(factory=PodStatus, metadata={"keep": True})

    @property
    def node_name(self) -> str:
        """The node it is bound to; empty while it is pending."""
        return self.spec.node_name

    @property
    def priority(self) -> int:
        """Its priority, -2^31 .. 2^31-1; 0 where none is set."""
        return self.spec.priority or 0

    @property
    def is_terminating(self) -> bool:
        """Whether it is being deleted."""
        return self.metadata.deletion_timestamp is not None

    @property
    def is_terminated(self) -> bool:
        """Whether it has ended, so that it takes nothing of its node any more."""
        return self.status.phase in {"Succeeded", "Failed"}

    @property
    def claim_keys(self) -> tuple[str, ...]:
        """The claims that its volumes name, `namespace/name`, in order; one named twice is twice.

        >>> from kubesched.builders import pod
        >>> from kubesched.model import PersistentVolumeClaimVolumeSource
        >>> source = PersistentVolumeClaimVolumeSource(claim_name="data")
        >>> data = Volume(persistent_volume_claim=source)
        >>> pod("shop/db-0", volumes=[Volume(name="tmp"), data]).claim_keys
        ('shop/data',)
        """
        return tuple(
            f"{self.namespace}/{volume.persistent_volume_claim.claim_name}"
            for volume in self.spec.volumes
            if volume.persistent_volume_claim is not None
        )

    def bound_to(self, node_name: str) -> "Pod":
        """Return the same pod, bound to a node."""
        return evolve(self, spec=evolve(self.spec, node_name=node_name))


@frozen(kw_only=True, repr=False)
class Binding(KubeObject):
    """The scheduler's word that the pod of this name goes to a node, which is the target."""

    kind: ClassVar[str] = "Binding"

    target: ObjectReference = field(factory=ObjectReference, metadata={"keep": True})

    @classmethod
    def of(cls, pod: Pod, node_name: str) -> "Binding":
        """Return the binding of a pod to a node.

        >>> from kubesched.model import ObjectMeta, Pod
        >>> web = Pod(metadata=ObjectMeta(namespace="shop", name="web-1"))
        >>> binding = Binding.of(web, "worker-1")
        >>> binding.key, binding.target.name
        ('shop/web-1', 'worker-1')
        """
        metadata = ObjectMeta(name=pod.name, namespace=pod.namespace, uid=pod.uid)
        return cls(metadata=metadata, target=ObjectReference(kind="Node", name=node_name))
