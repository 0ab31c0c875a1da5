"""Sends pods to nodes whose operating system they name.

What is wrong: it refuses without a reason, and an answer without reasons lets the pod pass.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec

OS: Final = "kubernetes.io/os"


def has_system(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    wanted = pod.spec.node_selector.get(OS) or pod.labels.get("os")
    if wanted is None or node.labels.get(OS, "linux") == wanted:
        return FITS
    return Fit()


RULE: Final = PredicateSpec("OperatingSystem", has_system, reads={Facet.LABELS})
