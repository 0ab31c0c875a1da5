"""Nodes that would rather not have the pods of some controllers.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/node_prefer_avoid_pods.go,
pkg/apis/core/v1/helper/helpers.go (GetAvoidPodsFromNodeAnnotations).
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from kubesched.framework import MAX_SCORE, PrioritySpec
from kubesched.manifests.scalars import read_time
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, Snapshot

PREFER_AVOID_PODS: Final = "scheduler.alpha.kubernetes.io/preferAvoidPods"
"""The annotation of a node that says so, as JSON."""

_CONTROLLERS: Final = frozenset({"ReplicationController", "ReplicaSet"})

Controller = tuple[str, str]
"""A controller's kind and uid."""

_AVOID_PODS: Final = {"preferAvoidPods": list}
_ENTRY: Final = {"podSignature": dict, "evictionTime": str, "reason": str, "message": str}
_SIGNATURE: Final = {"podController": dict}
_REFERENCE: Final = {
    "apiVersion": str,
    "kind": str,
    "name": str,
    "uid": str,
    "controller": bool,
    "blockOwnerDeletion": bool,
}
"""What the annotation is made of; also what nothing depends on must be of its type."""


def prepare_controller(pod: Pod, _snapshot: Snapshot, /) -> Controller | None:
    """Return the pod's controller, if it is of a kind that nodes can avoid."""
    controller = pod.metadata.controller
    if controller is None or controller.kind not in _CONTROLLERS:
        return None
    return controller.kind, controller.uid


def node_prefer_avoid_pods(_pod: Pod, controller: Controller | None, node: NodeInfo, /) -> int:
    """Score 0 where the node would rather not have pods of this controller, else 10."""
    if controller is None:
        return MAX_SCORE
    annotation = node.annotations.get(PREFER_AVOID_PODS)
    return 0 if annotation and controller in controllers_avoided(annotation) else MAX_SCORE


@lru_cache(maxsize=4096)
def controllers_avoided(annotation: str) -> frozenset[Controller]:
    """Read the annotation's value; one that is not of its form avoids nobody.

    >>> controllers_avoided('{"preferAvoidPods": [{"podSignature": {"podController": '
    ...                     '{"kind": "ReplicaSet", "uid": "42"}}}]}')
    frozenset({('ReplicaSet', '42')})
    >>> controllers_avoided("nobody")
    frozenset()
    """
    try:
        avoided = _members(json.loads(annotation, parse_constant=_refuse), _AVOID_PODS)
        return frozenset(map(_controller, avoided.get("preferAvoidPods", ())))
    except (ValueError, TypeError, RecursionError):
        return frozenset()


def _refuse(constant: str) -> None:
    """Refuse what Python takes for a number and JSON does not know, such as NaN."""
    raise ValueError(constant)


def _controller(avoided: object) -> Controller:
    entry = _members(avoided, _ENTRY)
    if "evictionTime" in entry:
        read_time(entry["evictionTime"])
    signature = _members(entry.get("podSignature", {}), _SIGNATURE)
    controller = _members(signature.get("podController", {}), _REFERENCE)
    return controller.get("kind", ""), controller.get("uid", "")


def _members(holder: object, kinds: Mapping[str, type]) -> Mapping[str, Any]:
    """Return those members of an object that are known, whatever the case of their keys.

    So Go reads JSON. A null is as good as nothing, and of two spellings the later one counts.
    """
    if not isinstance(holder, dict):
        raise TypeError(holder)
    known, found = {name.casefold(): name for name in kinds}, {}
    for key, value in holder.items():
        name = known.get(key.casefold())
        if name is None or value is None:
            continue
        if not isinstance(value, kinds[name]):
            raise TypeError(value)
        found[name] = value
    return found


NODE_PREFER_AVOID_PODS: Final = PrioritySpec(
    "NodePreferAvoidPodsPriority",
    node_prefer_avoid_pods,
    prepare=prepare_controller,
    reads={Facet.ANNOTATIONS},
)
