"""Field paths in wire names: `spec.containers[0].resources.requests['nvidia.com/gpu']`."""

import re

from attrs import Attribute

_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


def wire_name(attribute: "Attribute[object]") -> str:
    """Name a field as Kubernetes does: in camel case, unless its metadata says otherwise.

    >>> from attrs import fields
    >>> from kubesched.model import ContainerPort
    >>> wire_name(fields(ContainerPort).container_port), wire_name(fields(ContainerPort).host_ip)
    ('containerPort', 'hostIP')
    """
    first, *rest = attribute.name.split("_")
    name: str = attribute.metadata.get("json") or first + "".join(map(str.capitalize, rest))
    return name


def below(path: str, step: str | int) -> str:
    """Append a field, a key or an index to a path.

    >>> below(below("spec.containers", 0), "image"), below("metadata.labels", "a/b")
    ('spec.containers[0].image', "metadata.labels['a/b']")
    """
    if isinstance(step, int):
        return f"{path}[{step}]"
    if not _PLAIN.fullmatch(step):
        return f"{path}[{step!r}]"
    return f"{path}.{step}" if path else step
