"""Lets the pods of a node have so many volumes and no more, the new one's included.

What is wrong: it collects the volumes in a list of the module, to spare a new one for every node.
Asked by two threads at once, one empties the list while the other one fills it.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

TOO_MANY: Final = Reason("node(s) had too many volumes")
MOST: Final = 2

_volumes: list[str] = []


def has_few_volumes(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    _volumes.clear()
    for each in (pod, *node.pods.values()):
        _volumes.extend(volume.name for volume in each.spec.volumes)
    return FITS if len(_volumes) <= MOST else Fit(TOO_MANY)


RULE: Final = PredicateSpec("FewVolumes", has_few_volumes, reads={Facet.PODS})
