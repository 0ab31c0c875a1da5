"""Lets one pod in ten onto the nodes that new software is tried on.

What is wrong: it goes by the pod's uid. Pods that differ in their uid alone share remembered
answers, so all pods of a set get the answer of the first.
"""

from typing import Final
from zlib import crc32

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

FOR_FEW: Final = Reason("node(s) were canaries", resolvable=False)


def may_try(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    if node.labels.get("track") != "canary":
        return FITS
    return FITS if crc32(pod.uid.encode()) % 10 == 0 else Fit(FOR_FEW)


RULE: Final = PredicateSpec("UidCanary", may_try, reads={Facet.LABELS})
