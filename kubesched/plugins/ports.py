"""Whether the host ports that a pod wants are free.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go, PodFitsHostPorts.
"""

from typing import Final

from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Reason, Skip
from kubesched.model import Pod
from kubesched.state import Facet, HostPort, NodeInfo, Snapshot, host_ports

PORTS_TAKEN: Final = Reason("node(s) didn't have free ports for the requested pod ports")
_REFUSAL: Final = Fit(PORTS_TAKEN)


def prepare_ports(pod: Pod, _snapshot: Snapshot, /) -> tuple[HostPort, ...] | Skip:
    """Collect the host ports that the pod wants."""
    return host_ports(pod) or SKIP


def pod_fits_host_ports(_pod: Pod, wanted: tuple[HostPort, ...], node: NodeInfo, /) -> Fit:
    """Check that no pod of the node has one of the ports."""
    for port in wanted:
        if node.used_ports.conflicts_with(port):
            return _REFUSAL
    return FITS


POD_FITS_HOST_PORTS: Final = PredicateSpec(
    "PodFitsHostPorts",
    pod_fits_host_ports,
    prepare=prepare_ports,
    order=50,
    reads={Facet.PORTS},
)
