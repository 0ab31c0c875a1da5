"""Nodes: what they offer, what is wrong with them, what keeps pods away.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/types.go.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from attrs import field, frozen

from kubesched.model.frozen import Model, frozen_tuple, resource_list
from kubesched.model.meta import KubeObject
from kubesched.quantity import Quantity


@frozen(kw_only=True, repr=False)
class Taint(Model):
    """A mark that keeps away pods without a toleration for it.

    `effect` is NoSchedule, PreferNoSchedule or NoExecute.
    """

    key: str = field(default="", metadata={"keep": True})
    value: str = ""
    effect: str = field(default="", metadata={"keep": True})
    time_added: datetime | None = None


@frozen(kw_only=True, repr=False)
class NodeSpec(Model):
    """What an administrator says of a node."""

    pod_cidr: str = field(default="", metadata={"json": "podCIDR"})
    provider_id: str = field(default="", metadata={"json": "providerID"})
    unschedulable: bool = False
    taints: tuple[Taint, ...] = field(default=(), converter=frozen_tuple)


@frozen(kw_only=True, repr=False)
class NodeCondition(Model):
    """How a node is; `status` is True, False or Unknown."""

    type: str = field(default="", metadata={"keep": True})
    status: str = field(default="", metadata={"keep": True})
    last_heartbeat_time: datetime | None = None
    last_transition_time: datetime | None = None
    reason: str = ""
    message: str = ""


@frozen(kw_only=True, repr=False)
class ContainerImage(Model):
    """An image that a node holds, under all its names; the size is in bytes."""

    names: tuple[str, ...] = field(default=(), converter=frozen_tuple, metadata={"keep": True})
    size_bytes: int = 0


@frozen(kw_only=True, repr=False)
class NodeStatus(Model):
    """What a node reports of itself.

    `allocatable` is what pods may use of its `capacity`.
    """

    capacity: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)
    allocatable: Mapping[str, Quantity] = field(factory=dict, converter=resource_list)
    phase: str = ""
    conditions: tuple[NodeCondition, ...] = field(default=(), converter=frozen_tuple)
    images: tuple[ContainerImage, ...] = field(default=(), converter=frozen_tuple)
    volumes_in_use: tuple[str, ...] = field(default=(), converter=frozen_tuple)


@frozen(kw_only=True, repr=False)
class Node(KubeObject):
    """A machine that runs pods."""

    kind: ClassVar[str] = "Node"
    namespaced: ClassVar[bool] = False

    spec: NodeSpec = field(factory=NodeSpec, metadata={"keep": True})
    status: NodeStatus = field(factory=NodeStatus, metadata={"keep": True})
