"""Keeps pods off nodes on which the port that they are measured by is taken, at any address.

What is wrong: it says that evicting pods cannot help, and evicting the one with the port would.
"""

from typing import Final

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason
from kubesched.state import host_ports

TAKEN: Final = Reason("node(s) had the metrics port taken", resolvable=False)
METRICS: Final = range(9100, 9200)


def is_port_free(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    wanted = {each.port for each in host_ports(pod) if each.port in METRICS}
    taken = {each.port for each in node.used_ports}
    return Fit(TAKEN) if wanted & taken else FITS


RULE: Final = PredicateSpec("MetricsPortFree", is_port_free, reads={Facet.PORTS})
