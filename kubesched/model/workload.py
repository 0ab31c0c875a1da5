"""What makes pods, and what finds them: controllers, services, templates.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/types.go and apps/v1/types.go.
"""

from collections.abc import Mapping
from typing import ClassVar

from attrs import field, frozen

from kubesched.model.frozen import Model, optional_string_map, string_map
from kubesched.model.meta import KubeObject, LabelSelector, ObjectMeta
from kubesched.model.pod import PodSpec


@frozen(kw_only=True, repr=False)
class PodTemplateSpec(Model):
    """What the pods of a controller look like."""

    metadata: ObjectMeta = field(factory=ObjectMeta)
    spec: PodSpec = field(factory=PodSpec)


@frozen(kw_only=True, repr=False)
class ServiceSpec(Model):
    """The labels of the pods behind a service; no selector selects none."""

    selector: Mapping[str, str] | None = field(default=None, converter=optional_string_map)
    cluster_ip: str = field(default="", metadata={"json": "clusterIP"})
    type: str = ""


@frozen(kw_only=True, repr=False)
class Service(KubeObject):
    """A name for some pods."""

    kind: ClassVar[str] = "Service"

    spec: ServiceSpec = field(factory=ServiceSpec, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class ReplicationControllerSpec(Model):
    """How many pods, which ones, and what they look like."""

    replicas: int | None = None
    selector: Mapping[str, str] = field(factory=dict, converter=string_map)
    template: PodTemplateSpec | None = None


@frozen(kw_only=True, repr=False)
class ReplicationController(KubeObject):
    """Keeps a number of pods running; the elder of ReplicaSet."""

    kind: ClassVar[str] = "ReplicationController"

    spec: ReplicationControllerSpec = field(
        factory=ReplicationControllerSpec, metadata={"keep": True}
    )


@frozen(kw_only=True, repr=False)
class WorkloadSpec(Model):
    """How many pods, which ones, and what they look like."""

    replicas: int | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None
    service_name: str = ""


@frozen(kw_only=True, repr=False)
class ReplicaSet(KubeObject):
    """Keeps a number of pods running."""

    kind: ClassVar[str] = "ReplicaSet"
    group: ClassVar[str] = "apps"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta2", "v1beta1")

    spec: WorkloadSpec = field(factory=WorkloadSpec, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class StatefulSet(KubeObject):
    """Keeps a number of pods running, each with a name of its own."""

    kind: ClassVar[str] = "StatefulSet"
    group: ClassVar[str] = "apps"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta2", "v1beta1")

    spec: WorkloadSpec = field(factory=WorkloadSpec, metadata={"keep": True})


@frozen(kw_only=True, repr=False)
class Deployment(KubeObject):
    """Keeps a number of pods running through replica sets."""

    kind: ClassVar[str] = "Deployment"
    group: ClassVar[str] = "apps"
    versions: ClassVar[tuple[str, ...]] = ("v1", "v1beta2", "v1beta1")

    spec: WorkloadSpec = field(factory=WorkloadSpec, metadata={"keep": True})
