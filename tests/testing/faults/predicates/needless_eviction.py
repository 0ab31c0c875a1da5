"""Keeps pods that ask for a graphics card of a model on nodes that have it.

What is wrong: its reason counts as resolvable, as reasons do where nobody says otherwise. For every
such pod the scheduler looks for pods to evict from nodes that will never do.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

OTHER_MODEL: Final = Reason("node(s) had another model of graphics card")
MODEL: Final = "example.com/gpu-model"


def has_model(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    wanted = pod.annotations.get(MODEL)
    return FITS if wanted in {None, node.labels.get(MODEL)} else Fit(OTHER_MODEL)


RULE: Final = PredicateSpec("GpuModel", has_model, reads={Facet.LABELS})
