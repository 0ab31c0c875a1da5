"""Whether a node has room for a pod.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go, PodFitsResources.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from attrs import evolve, frozen

from kubesched.framework import FITS, Fit, PredicateSpec, Reason, fit_of
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, Resources, Snapshot, requests_to_fit
from kubesched.state.resources import is_extended


@frozen
class InsufficientResource(Reason):
    """A node has too little of a resource; amounts are in its unit (thousandths for cpu).

    Attributes:
        resource: the name of the resource.
        requested: what the pod asks for.
        used: what the node's pods have already.
        capacity: what all of them together may have.
    """

    resource: str = ""
    requested: int = 0
    used: int = 0
    capacity: int = 0


def insufficient(resource: str, requested: int, used: int, capacity: int) -> InsufficientResource:
    """Return the reason that says so.

    >>> insufficient("cpu", 500, 3800, 4000).text
    'Insufficient cpu'
    """
    return InsufficientResource(
        f"Insufficient {resource}",
        resource=resource,
        requested=requested,
        used=used,
        capacity=capacity,
    )


def prepare_requests(pod: Pod, _snapshot: Snapshot, /) -> Resources:
    """Work out what the pod needs."""
    return requests_to_fit(pod)


def pod_fits_resources(_pod: Pod, needed: Resources, node: NodeInfo, /) -> Fit:
    """Check that the node has room for one more pod and for all that this one requests.

    A pod that requests nothing at all needs no more than the room for a pod. One that names a
    scalar resource, even with 0, has cpu, memory and storage checked as well.

    Differs: reasons for scalar resources come sorted by name, which the original leaves to chance.
    """
    allocatable, used = node.allocatable, node.requested
    if len(node.pods) < allocatable.pods and (
        not (needed.milli_cpu or needed.memory or needed.ephemeral_storage or needed.scalars)
        or (
            not needed.scalars
            and needed.milli_cpu + used.milli_cpu <= allocatable.milli_cpu
            and needed.memory + used.memory <= allocatable.memory
            and needed.ephemeral_storage + used.ephemeral_storage <= allocatable.ephemeral_storage
        )
    ):
        return FITS
    return fit_of(_shortages(needed, node))


def _shortages(needed: Resources, node: NodeInfo) -> Iterator[Reason]:
    allocatable, used = node.allocatable, node.requested
    if len(node.pods) + 1 > allocatable.pods:
        yield insufficient("pods", 1, len(node.pods), allocatable.pods)
    if not (needed.milli_cpu or needed.memory or needed.ephemeral_storage or needed.scalars):
        return
    amounts = (
        ("cpu", needed.milli_cpu, used.milli_cpu, allocatable.milli_cpu),
        ("memory", needed.memory, used.memory, allocatable.memory),
        (
            "ephemeral-storage",
            needed.ephemeral_storage,
            used.ephemeral_storage,
            allocatable.ephemeral_storage,
        ),
        *(
            (name, amount, used.scalars.get(name, 0), allocatable.scalars.get(name, 0))
            for name, amount in sorted(needed.scalars.items())
        ),
    )
    for resource, requested, taken, capacity in amounts:
        if requested + taken > capacity:
            yield insufficient(resource, requested, taken, capacity)


POD_FITS_RESOURCES: Final = PredicateSpec(
    "PodFitsResources",
    pod_fits_resources,
    prepare=prepare_requests,
    order=70,
    reads={Facet.REQUESTED, Facet.ALLOCATABLE, Facet.PODS},
)


def pod_fits_resources_ignoring(names: Iterable[str]) -> PredicateSpec[Resources]:
    """Return PodFitsResources that leaves some extended resources to somebody else.

    A pod that names one of them still has cpu, memory and storage checked, like one that names any.

    Args:
        names: what is ignored; names that are not of extended resources have no effect.

    Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go, PodFitsResources
    (ignoredExtendedResources).

    >>> from kubesched.builders import node, pod
    >>> spec = pod_fits_resources_ignoring(["example.com/gpu"])
    >>> needed = requests_to_fit(pod("train-1", requests={"example.com/gpu": 8}))
    >>> bool(spec.check(pod("train-1"), needed, NodeInfo.of(node("worker-1"))))
    True
    """
    ignored = frozenset(filter(is_extended, names))
    if not ignored:
        return POD_FITS_RESOURCES

    def check(pod: Pod, needed: Resources, node: NodeInfo, /) -> Fit:
        fit = pod_fits_resources(pod, needed, node)
        return fit_of(
            reason
            for reason in fit.reasons
            if not (isinstance(reason, InsufficientResource) and reason.resource in ignored)
        )

    return evolve(POD_FITS_RESOURCES, check=check)
