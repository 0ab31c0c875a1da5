"""Keeps pods that no service selects off the nodes for services.

What is wrong: what it prepares depends on the services, and it declares nothing of the cluster.
"""

from typing import Final

from kubesched import FITS, SKIP, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.framework import Skip
from kubesched.model import Service

FOR_SERVICES: Final = Reason("node(s) were kept for services", resolvable=False)


def _selects(service: Service, pod: Pod) -> bool:
    wanted = service.spec.selector or {}
    is_here = service.namespace == pod.namespace
    return is_here and bool(wanted) and wanted.items() <= pod.labels.items()


def prepare(pod: Pod, snapshot: Snapshot, /) -> bool | Skip:
    """Return True for a pod that no service selects."""
    return SKIP if any(_selects(it, pod) for it in snapshot.of(Service).values()) else True


def may_use(_pod: Pod, _has_none: bool, node: NodeInfo, /) -> Fit:  # noqa: FBT001
    return Fit(FOR_SERVICES) if node.labels.get("pool") == "services" else FITS


RULE: Final = PredicateSpec("ServicePool", may_use, prepare=prepare, reads={Facet.LABELS})
