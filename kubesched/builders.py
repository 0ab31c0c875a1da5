"""Pods and nodes in one readable line, for tests, examples and questions.

    pod("shop/web-1", cpu="500m", memory="1Gi", tolerations=["dedicated=gpu:NoSchedule"])
    node("worker-1", cpu=4, memory="16Gi", zone="eu-1a", taints=["dedicated=gpu:NoSchedule"])

Each returns a finished model object. Texts are written as kubectl takes them; what has no keyword
here is set with `attrs.evolve`, or the models are used directly.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from kubesched.errors import OptionError
from kubesched.model import (
    Affinity,
    Container,
    ContainerImage,
    ContainerPort,
    Node,
    NodeCondition,
    NodeSpec,
    NodeStatus,
    ObjectMeta,
    OwnerReference,
    Pod,
    PodSpec,
    PodStatus,
    ResourceRequirements,
    Taint,
    Toleration,
    Volume,
)
from kubesched.quantity import Quantity

Amount = Quantity | str | int
"""A quantity, or what one is read from."""

_ZONE_LABELS: Final = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")
_REGION_LABELS: Final = (
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/region",
)


def taint(text: str) -> Taint:
    """Read a taint as `kubectl taint` writes it: `key=value:Effect` or `key:Effect`.

    Raises:
        OptionError: there is no effect.

    >>> taint("dedicated=gpu:NoSchedule")
    Taint(key='dedicated', value='gpu', effect='NoSchedule')
    """
    rest, colon, effect = text.rpartition(":")
    if not colon:
        raise OptionError(f"{text!r} is not a taint (expected something like 'gpu:NoSchedule')")
    key, _, value = rest.partition("=")
    return Taint(key=key, value=value, effect=effect)


def toleration(text: str) -> Toleration:
    """Read a toleration written like the taint that it tolerates.

    `key=value:Effect` tolerates just that, `key:Effect` any value, `key` any value and effect,
    `key=value` any effect, and `*` everything.

    >>> toleration("dedicated:NoSchedule").operator
    'Exists'
    """
    if text == "*":
        return Toleration(operator="Exists")
    rest, colon, effect = text.partition(":")
    key, equals, value = rest.partition("=")
    return Toleration(
        key=key,
        operator="Equal" if equals else "Exists",
        value=value,
        effect=effect if colon else "",
    )


def host_port(text: str | int) -> ContainerPort:
    """Read a host port: `9100`, `53/UDP`, `10.0.0.1:9100/TCP`.

    Raises:
        OptionError: the port is not a number.

    >>> host_port("10.0.0.1:53/UDP").host_ip
    '10.0.0.1'
    """
    address_and_port, _, protocol = str(text).partition("/")
    address, _, port = address_and_port.rpartition(":")
    if not port.isdecimal():
        raise OptionError(f"{text!r} is not a host port (expected something like '53/UDP')")
    number = int(port)
    return ContainerPort(
        container_port=number, host_port=number, host_ip=address, protocol=protocol or "TCP"
    )


def container(  # noqa: PLR0913 - each keyword is one field of a manifest
    name: str = "main",
    *,
    image: str = "",
    cpu: Amount | None = None,
    memory: Amount | None = None,
    requests: Mapping[str, Amount] | None = None,
    limits: Mapping[str, Amount] | None = None,
    host_ports: Iterable[str | int] = (),
) -> Container:
    """Return a container; `cpu` and `memory` are requests, `requests` holds any others.

    >>> container(cpu="500m", requests={"nvidia.com/gpu": 1}).resources.requests["cpu"]
    Quantity('500m')
    """
    return Container(
        name=name,
        image=image,
        ports=tuple(host_port(port) for port in host_ports),
        resources=ResourceRequirements(
            requests=_amounts({"cpu": cpu, "memory": memory, **(requests or {})}),
            limits=_amounts(limits or {}),
        ),
    )


def pod(  # noqa: PLR0913 - each keyword is one field of a manifest
    name: str,
    *,
    cpu: Amount | None = None,
    memory: Amount | None = None,
    requests: Mapping[str, Amount] | None = None,
    limits: Mapping[str, Amount] | None = None,
    image: str = "",
    host_ports: Iterable[str | int] = (),
    containers: Iterable[Container] | None = None,
    init_containers: Iterable[Container] = (),
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    owner: OwnerReference | None = None,
    node_name: str = "",
    node_selector: Mapping[str, str] | None = None,
    affinity: Affinity | None = None,
    tolerations: Iterable[str | Toleration] = (),
    volumes: Iterable[Volume] = (),
    priority: int | None = None,
    scheduler_name: str = "",
    phase: str = "",
    created: datetime | None = None,
) -> Pod:
    """Return a pod called `name` or `namespace/name`, in the namespace default unless it says so.

    Without `containers` it has one, made of `cpu`, `memory`, `requests`, `limits`, `image` and
    `host_ports`.

    >>> web = pod("shop/web-1", cpu="500m", labels={"app": "web"}, tolerations=["spot"])
    >>> web.key, web.spec.containers[0].resources.requests["cpu"]
    ('shop/web-1', Quantity('500m'))
    """
    namespace, _, short_name = name.rpartition("/")
    only = container(
        image=image,
        cpu=cpu,
        memory=memory,
        requests=requests,
        limits=limits,
        host_ports=host_ports,
    )
    return Pod(
        metadata=ObjectMeta(
            name=short_name,
            namespace=namespace or "default",
            labels=labels or {},
            annotations=annotations or {},
            owner_references=() if owner is None else (owner,),
            creation_timestamp=created,
        ),
        spec=PodSpec(
            containers=(only,) if containers is None else containers,
            init_containers=init_containers,
            node_name=node_name,
            node_selector=node_selector or {},
            affinity=affinity,
            tolerations=tuple(
                toleration(each) if isinstance(each, str) else each for each in tolerations
            ),
            volumes=volumes,
            priority=priority,
            scheduler_name=scheduler_name,
        ),
        status=PodStatus(phase=phase),
    )


def node(  # noqa: PLR0913 - each keyword is one field of a manifest
    name: str,
    *,
    cpu: Amount = 4,
    memory: Amount = "16Gi",
    pods: Amount = 110,
    allocatable: Mapping[str, Amount] | None = None,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    zone: str = "",
    region: str = "",
    taints: Iterable[str | Taint] = (),
    unschedulable: bool = False,
    conditions: Mapping[str, str] | None = None,
    images: Mapping[str, int] | None = None,
) -> Node:
    """Return a node with its host name label; `allocatable` holds resources beside the common ones.

    `conditions` are a status by type (`{"Ready": "True"}`), `images` a size in bytes by name.

    >>> gpu = node("gpu-1", cpu=8, allocatable={"nvidia.com/gpu": 2}, zone="eu-1a")
    >>> gpu.labels["kubernetes.io/hostname"], gpu.labels["topology.kubernetes.io/zone"]
    ('gpu-1', 'eu-1a')
    """
    amounts = _amounts({"cpu": cpu, "memory": memory, "pods": pods, **(allocatable or {})})
    places = dict.fromkeys(_ZONE_LABELS, zone) | dict.fromkeys(_REGION_LABELS, region)
    return Node(
        metadata=ObjectMeta(
            name=name,
            labels={
                "kubernetes.io/hostname": name,
                **{label: place for label, place in places.items() if place},
                **(labels or {}),
            },
            annotations=annotations or {},
        ),
        spec=NodeSpec(
            unschedulable=unschedulable,
            taints=tuple(taint(each) if isinstance(each, str) else each for each in taints),
        ),
        status=NodeStatus(
            capacity=amounts,
            allocatable=amounts,
            conditions=tuple(
                NodeCondition(type=kind, status=status)
                for kind, status in (conditions or {}).items()
            ),
            images=tuple(
                ContainerImage(names=(image,), size_bytes=size)
                for image, size in (images or {}).items()
            ),
        ),
    )


def _amounts(given: Mapping[str, Amount | None]) -> dict[str, Quantity]:
    return {name: Quantity.parse(amount) for name, amount in given.items() if amount is not None}
