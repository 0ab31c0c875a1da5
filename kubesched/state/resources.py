"""How much of what: the resources that pods ask for and nodes have, as whole numbers.

Source: kubernetes v1.12.2, pkg/scheduler/cache/node_info.go (Resource),
pkg/scheduler/algorithm/predicates/predicates.go (GetResourceRequest),
pkg/scheduler/algorithm/priorities/util/non_zero.go.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import define, field

from kubesched.model import Container, Pod
from kubesched.quantity import Quantity
from kubesched.selectors import faults_of_qualified_name

DEFAULT_MILLI_CPU_REQUEST: Final = 100
"""Thousandths of a core that a container counts for in scores when it requests no cpu."""

DEFAULT_MEMORY_REQUEST: Final = 200 * 1024 * 1024
"""Bytes that a container counts for in scores when it requests no memory."""


def is_native(name: str) -> bool:
    """Tell whether a resource name is Kubernetes' own: without a domain, or in its domain.

    >>> is_native("cpu"), is_native("node.kubernetes.io/x"), is_native("nvidia.com/gpu")
    (True, True, False)
    """
    return "/" not in name or "kubernetes.io/" in name


def is_extended(name: str) -> bool:
    """Tell whether a resource name is somebody else's, such as `nvidia.com/gpu`.

    Source: kubernetes v1.12.2, pkg/apis/core/v1/helper/helpers.go, IsExtendedResourceName.
    """
    if is_native(name) or name.startswith("requests."):
        return False
    return not faults_of_qualified_name(f"requests.{name}")


def is_scalar(name: str) -> bool:
    """Tell whether a resource beside cpu, memory and storage is counted at all.

    Source: kubernetes v1.12.2, pkg/apis/core/v1/helper/helpers.go, IsScalarResourceName.

    >>> [is_scalar(name) for name in ("nvidia.com/gpu", "hugepages-2Mi", "widgets")]
    [True, True, False]
    """
    return (
        name.startswith(("hugepages-", "attachable-volumes-"))
        or "kubernetes.io/" in name
        or is_extended(name)
    )


@define
class Resources:
    """Amounts that are added up: cpu in thousandths of a core, memory and storage in bytes.

    `scalars` are all others in whole units, by name; one that is there with 0 was asked for.
    """

    milli_cpu: int = 0
    memory: int = 0
    ephemeral_storage: int = 0
    pods: int = 0
    scalars: dict[str, int] = field(factory=dict)

    @classmethod
    def of(cls, amounts: Mapping[str, Quantity]) -> "Resources":
        """Read the amounts of a manifest, each rounded up; names that do not count are left out.

        >>> Resources.of({"cpu": Quantity("0.5"), "memory": Quantity("1Ki")})
        Resources(milli_cpu=500, memory=1024, ephemeral_storage=0, pods=0, scalars={})
        """
        made = cls()
        for name, amount in amounts.items():
            match name:
                case "cpu":
                    made.milli_cpu = amount.milli_value()
                case "memory":
                    made.memory = amount.value()
                case "ephemeral-storage":
                    made.ephemeral_storage = amount.value()
                case "pods":
                    made.pods = amount.value()
                case _ if is_scalar(name):
                    made.scalars[name] = amount.value()
        return made

    def add(self, other: "Resources") -> None:
        """Add other amounts to these."""
        self.milli_cpu += other.milli_cpu
        self.memory += other.memory
        self.ephemeral_storage += other.ephemeral_storage
        self.pods += other.pods
        for name, amount in other.scalars.items():
            self.scalars[name] = self.scalars.get(name, 0) + amount

    def subtract(self, other: "Resources") -> None:
        """Take other amounts from these; a name that was added stays, with what is left."""
        self.milli_cpu -= other.milli_cpu
        self.memory -= other.memory
        self.ephemeral_storage -= other.ephemeral_storage
        self.pods -= other.pods
        for name, amount in other.scalars.items():
            self.scalars[name] = self.scalars.get(name, 0) - amount

    def raise_to(self, amounts: Mapping[str, Quantity]) -> None:
        """Make each amount at least that of a manifest; a scalar of 0 does not come in this way.

        What the manifest does not name stays as it is, and so do the pods.
        """
        other = Resources.of(amounts)
        if "cpu" in amounts:
            self.milli_cpu = max(self.milli_cpu, other.milli_cpu)
        if "memory" in amounts:
            self.memory = max(self.memory, other.memory)
        if "ephemeral-storage" in amounts:
            self.ephemeral_storage = max(self.ephemeral_storage, other.ephemeral_storage)
        for name, amount in other.scalars.items():
            if amount > self.scalars.get(name, 0):
                self.scalars[name] = amount

    def copy(self) -> "Resources":
        """Return amounts of their own."""
        return Resources(
            self.milli_cpu, self.memory, self.ephemeral_storage, self.pods, self.scalars.copy()
        )


def sum_of_requests(containers: Iterable[Container]) -> Resources:
    """Add up what the containers request."""
    total = Resources()
    for container in containers:
        total.add(Resources.of(container.resources.requests))
    return total


def requests_to_fit(pod: Pod) -> Resources:
    """Return what a pod that is to be placed needs: its containers, or an init container's more.

    Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go,
    GetResourceRequest.
    """
    needed = sum_of_requests(pod.spec.containers)
    for container in pod.spec.init_containers:
        needed.raise_to(container.resources.requests)
    return needed


def requests_once_placed(pod: Pod) -> Resources:
    """Return what a pod takes of the node that it is on: its containers; init containers are over.

    Source: kubernetes v1.12.2, pkg/scheduler/cache/node_info.go, calculateResource.
    """
    return sum_of_requests(pod.spec.containers)


@define
class NonzeroRequests:
    """Cpu (thousandths of a core) and memory (bytes) where each container counts for something."""

    milli_cpu: int = 0
    memory: int = 0

    def copy(self) -> "NonzeroRequests":
        """Return amounts of their own."""
        return NonzeroRequests(self.milli_cpu, self.memory)


def nonzero_requests(pod: Pod) -> NonzeroRequests:
    """Return what a pod counts for in scores: what it does not request is taken as a default.

    A request of 0 that is written down stays 0.

    Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/util/non_zero.go,
    GetNonzeroRequests.

    >>> from kubesched.model import PodSpec
    >>> nonzero_requests(Pod(spec=PodSpec(containers=[Container(name="main")])))
    NonzeroRequests(milli_cpu=100, memory=209715200)
    """
    total = NonzeroRequests()
    for container in pod.spec.containers:
        requests = container.resources.requests
        cpu, memory = requests.get("cpu"), requests.get("memory")
        total.milli_cpu += DEFAULT_MILLI_CPU_REQUEST if cpu is None else cpu.milli_value()
        total.memory += DEFAULT_MEMORY_REQUEST if memory is None else memory.value()
    return total
