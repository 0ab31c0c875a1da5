"""The ports that pods take of their node's own addresses.

Source: kubernetes v1.12.2, pkg/scheduler/cache/host_ports.go (HostPortInfo),
pkg/scheduler/util/utils.go (GetUsedPorts).
"""

from collections.abc import Iterable, Iterator
from typing import Final

from attrs import define, field, frozen

from kubesched.model import Pod

ALL_ADDRESSES: Final = "0.0.0.0"  # noqa: S104 - a word of the manifest; nothing is bound


@frozen
class HostPort:
    """A port of a node, 1..65535, on one of its addresses or on all."""

    protocol: str
    port: int
    address: str


def host_ports(pod: Pod) -> tuple[HostPort, ...]:
    """Return the host ports that a pod's containers take; those of init containers do not count.

    >>> from kubesched.builders import pod
    >>> host_ports(pod("exporter", host_ports=["9100"]))
    (HostPort(protocol='TCP', port=9100, address='0.0.0.0'),)
    """
    return tuple(
        HostPort(port.protocol or "TCP", port.host_port, port.host_ip or ALL_ADDRESSES)
        for container in pod.spec.containers
        for port in container.ports
        if port.host_port > 0
    )


@define(eq=False)
class UsedPorts:
    """The host ports in use on a node; the same port on all addresses clashes with any address.

    Pods that take the very same port clash, and so are on one node only if something other than a
    scheduler put them there. As in the original, the port is free again when the first of them has
    left.
    """

    _taken: dict[tuple[str, int], set[str]] = field(factory=dict)

    def add(self, ports: Iterable[HostPort]) -> None:
        """Take the ports, whether they are free or not."""
        for port in ports:
            self._taken.setdefault((port.protocol, port.port), set()).add(port.address)

    def remove(self, ports: Iterable[HostPort]) -> None:
        """Give the ports back; those that are free already stay so."""
        for port in ports:
            key = (port.protocol, port.port)
            addresses = self._taken.get(key, set())
            addresses.discard(port.address)
            if not addresses:
                self._taken.pop(key, None)

    def conflicts_with(self, port: HostPort) -> bool:
        """Tell whether the port is taken; O(1)."""
        addresses = self._taken.get((port.protocol, port.port))
        if not addresses:
            return False
        return (
            port.address == ALL_ADDRESSES or ALL_ADDRESSES in addresses or port.address in addresses
        )

    def copy(self) -> "UsedPorts":
        """Return ports of their own."""
        return UsedPorts({key: addresses.copy() for key, addresses in self._taken.items()})

    def __iter__(self) -> Iterator[HostPort]:
        """Go over the ports in use."""
        for (protocol, port), addresses in self._taken.items():
            for address in addresses:
                yield HostPort(protocol, port, address)
