"""Keeps pods behind a load balancer on nodes with a public address.

What is wrong: which services select the pod is read, and not declared. It shows only with a service
of the one type whose selector the pod happens to match.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.model import Service
from kubesched.selectors import label_map_selector

INTERNAL: Final = Reason("node(s) had no public address", resolvable=False)


def is_public(pod: Pod, snapshot: Snapshot, /) -> bool:
    for service in snapshot.of(Service).values():
        selector = service.spec.selector
        if service.namespace != pod.namespace or not selector:
            continue
        is_balanced = service.spec.type == "LoadBalancer"
        if is_balanced and label_map_selector(selector).matches(pod.labels):
            return True
    return False


def has_address(_pod: Pod, is_public: bool, node: NodeInfo, /) -> Fit:  # noqa: FBT001
    is_internal = "example.com/public-ip" not in node.labels
    return Fit(INTERNAL) if is_public and is_internal else FITS


RULE: Final = PredicateSpec("PublicNode", has_address, prepare=is_public, reads={Facet.LABELS})
