"""Sends the pods of a namespace to the nodes that an annotation of the namespace selects.

What is wrong: it reads the namespace, and declares that it reads the node's labels alone.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.model import Namespace

ELSEWHERE: Final = Reason("node(s) were not for this namespace", resolvable=False)
SELECTOR: Final = "scheduler.alpha.kubernetes.io/node-selector"


def selector_of(pod: Pod, snapshot: Snapshot, /) -> tuple[tuple[str, str], ...]:
    """Read what stands in the annotation as `key=value,key=value`."""
    namespace = snapshot.of(Namespace).get(pod.namespace)
    text = namespace.annotations.get(SELECTOR, "") if namespace else ""
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return tuple(sorted((key.strip(), value.strip()) for key, _, value in pairs))


def is_selected(_pod: Pod, wanted: tuple[tuple[str, str], ...], node: NodeInfo, /) -> Fit:
    is_match = all(node.labels.get(key, "") == value for key, value in wanted)
    return FITS if is_match else Fit(ELSEWHERE)


RULE: Final = PredicateSpec(
    "NamespaceSelector", is_selected, prepare=selector_of, reads={Facet.LABELS}
)
