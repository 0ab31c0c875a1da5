"""Predicates that read what they do not declare, so that verdicts are remembered too long."""

from kubesched.framework import FITS, Fit, PredicateSpec, Reason
from kubesched.model import Pod, Service
from kubesched.state import Facet, NodeInfo, Snapshot

CLOSED = Reason("node(s) were in a rack under maintenance", resolvable=False)
CROWDED = Reason("node(s) had three pods already")
UNKNOWN = Reason("node(s) had no service to offer", resolvable=False)


def rack_is_open(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    return Fit(CLOSED) if node.labels.get("rack") == "r7" else FITS


def has_company(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    return Fit(CROWDED) if len(node.pods) >= 2 else FITS


def services_of(_pod: Pod, snapshot: Snapshot, /) -> int:
    return len(snapshot.of(Service))


def has_a_service(_pod: Pod, services: int, _node: NodeInfo, /) -> Fit:
    return FITS if services else Fit(UNKNOWN)


RACK_IS_OPEN = PredicateSpec("RackIsOpen", rack_is_open, reads={Facet.TAINTS})
HAS_COMPANY = PredicateSpec("HasCompany", has_company, reads={Facet.LABELS, Facet.ALLOCATABLE})
HONEST_RACK = PredicateSpec("RackIsOpen", rack_is_open, reads={Facet.LABELS})
HONEST_COMPANY = PredicateSpec("HasCompany", has_company, reads={Facet.PODS})
HONEST_SERVICE = PredicateSpec(
    "HasAService", has_a_service, prepare=services_of, reads={Facet.SERVICES}
)
