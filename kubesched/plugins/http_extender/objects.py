"""Objects as Go writes them in JSON, to the byte.

Where Kubernetes' types say `omitempty` an empty field is left out; all others are written, whatever
is in them: null, an empty text, or an object with nothing in it. Maps are sorted by their keys.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/types.go (the fields' tags), and Go's
encoding/json.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

import attrs
from attrs import frozen

from kubesched.manifests.paths import wire_name
from kubesched.manifests.scalars import write_time
from kubesched.model import (
    ContainerStatus,
    LabelSelectorRequirement,
    NodeCondition,
    NodeSelectorRequirement,
    NodeStatus,
    ObjectMeta,
    OwnerReference,
    PodCondition,
)
from kubesched.quantity import Quantity

_ALWAYS: Final[Mapping[type, frozenset[str]]] = {
    ObjectMeta: frozenset({"creationTimestamp"}),
    OwnerReference: frozenset({"apiVersion", "kind", "name", "uid"}),
    NodeCondition: frozenset({"lastHeartbeatTime", "lastTransitionTime"}),
    PodCondition: frozenset({"lastProbeTime", "lastTransitionTime"}),
    NodeSelectorRequirement: frozenset({"key", "operator"}),
    LabelSelectorRequirement: frozenset({"key", "operator"}),
}
"""Fields that Go writes even if they are empty, beside those whose metadata says `keep`."""

_NODE_INFO: Final = (
    "machineID",
    "systemUUID",
    "bootID",
    "kernelVersion",
    "osImage",
    "containerRuntimeVersion",
    "kubeletVersion",
    "kubeProxyVersion",
    "operatingSystem",
    "architecture",
)
_BEHIND: Final[Mapping[tuple[type, str], Mapping[str, Any]]] = {
    (NodeStatus, "conditions"): {
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 0}},
        "nodeInfo": dict.fromkeys(_NODE_INFO, ""),
    },
    (ContainerStatus, "name"): {"state": {}, "lastState": {}, "ready": False, "restartCount": 0},
    (ContainerStatus, "image"): {"imageID": ""},
}
"""What Go writes behind a field though no model has it."""


@frozen
class _Slot:
    """Where a field of a model goes, and what goes behind it."""

    attribute: str
    key: str
    default: Any
    is_kept: bool
    behind: Mapping[str, Any]


@cache
def _slots(model: Any) -> Sequence[_Slot]:
    return [_slot(model, field) for field in attrs.fields(model)]


def _slot(model: type, field: "attrs.Attribute[Any]") -> _Slot:
    key, default = wire_name(field), field.default
    if isinstance(default, _FACTORY):
        default = default.factory()
    is_kept = field.metadata.get("keep", False) or key in _ALWAYS.get(model, ())
    return _Slot(field.name, key, default, is_kept, _BEHIND.get((model, key), {}))


_FACTORY: Final[Any] = type(attrs.Factory(dict))


def plain(value: Any) -> Any:
    """Return an object, or any part of one, as plain data in Go's order.

    >>> from kubesched.builders import pod
    >>> plain(pod("web-1", cpu="0.5"))["spec"]["containers"][0]["resources"]
    {'requests': {'cpu': '500m'}}
    """
    if isinstance(value, str | int) or value is None:
        return value
    if isinstance(value, Mapping):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, Quantity):
        return str(value)
    if isinstance(value, datetime):
        return write_time(value.replace(microsecond=0))
    return _object(value)


def _object(it: Any) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for slot in _slots(it.__class__):
        value = getattr(it, slot.attribute)
        if value != slot.default:
            written[slot.key] = plain(value)
        elif slot.is_kept:
            written[slot.key] = plain(value) if value != () else None
        written.update(slot.behind)
    return written


def go_json(data: Any) -> bytes:
    r"""Write plain data as Go does: without blanks, and safe to be put into a web page.

    >>> go_json({"note": "<b>", "items": None})
    b'{"note":"\\u003cb\\u003e","items":null}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return whole_characters(_SPECIAL.sub(_escaped, text)).encode()


_SPECIAL: Final = re.compile("\\\\.|[<>&\u2028\u2029]")
_ESCAPES: Final = {r"\b": r"\u0008", r"\f": r"\u000c"}


def _escaped(found: re.Match[str]) -> str:
    piece = found[0]
    return _ESCAPES.get(piece, piece) if piece[0] == "\\" else f"\\u{ord(piece):04x}"


def whole_characters(text: str) -> str:
    """Put a replacement character for each half of a surrogate pair, which UTF-8 cannot hold."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
