"""Keeps the first pod of a database, `db-0`, off the nodes for replicas.

What is wrong: it goes by the pod's name. Pods that differ in their name alone share remembered
answers, so `db-1` gets the answer of `db-0`.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

FOR_REPLICAS: Final = Reason("node(s) were for replicas", resolvable=False)


def may_go(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    is_first = pod.name.endswith("-0")
    return Fit(FOR_REPLICAS) if is_first and node.labels.get("role") == "replica" else FITS


RULE: Final = PredicateSpec("FirstApart", may_go, reads={Facet.LABELS})
