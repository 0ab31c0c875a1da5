"""Keeps tenants apart: a namespace's labels name the tenant, and so do the node's taints."""

from enum import Enum
from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.model import Namespace

OTHERS: Final = Reason("node(s) were of another tenant", resolvable=False)


class Mode(Enum):
    """Which nodes a tenant may use: those of nobody, its own as well, or its own alone."""

    SHARED = "shared"
    OWN = "own"
    STRICT = "strict"


def tenant(pod: Pod, snapshot: Snapshot, /) -> tuple[Mode, str]:
    namespace = snapshot.of(Namespace).get(pod.namespace)
    labels = namespace.labels if namespace else {}
    text = labels.get("tenancy", "shared")
    mode = Mode(text) if text in {each.value for each in Mode} else Mode.SHARED
    return mode, labels.get("tenant", pod.namespace)


def is_for_tenant(_pod: Pod, meta: tuple[Mode, str], node: NodeInfo, /) -> Fit:
    mode, name = meta
    tenants = {taint.value for taint in node.taints if taint.key == "tenant"}
    match mode:
        case Mode.SHARED:
            return FITS if not tenants else Fit(OTHERS)
        case Mode.OWN:
            return FITS if tenants <= {name} else Fit(OTHERS)
        case Mode.STRICT:
            return FITS if tenants == {name} else Fit(OTHERS)


RULE: Final = PredicateSpec(
    "Tenancy", is_for_tenant, prepare=tenant, reads={Facet.TAINTS, Facet.NAMESPACES}
)
