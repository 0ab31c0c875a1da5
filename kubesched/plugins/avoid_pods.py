"""Nodes that would rather not have the pods of some controllers.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/node_prefer_avoid_pods.go,
pkg/apis/core/v1/helper/helpers.go (GetAvoidPodsFromNodeAnnotations).
"""

import json
from functools import lru_cache
from typing import Any, Final

from kubesched.framework import MAX_SCORE, PrioritySpec
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo, Snapshot

PREFER_AVOID_PODS: Final = "scheduler.alpha.kubernetes.io/preferAvoidPods"
"""The annotation of a node that says so, as JSON."""

_CONTROLLERS: Final = frozenset({"ReplicationController", "ReplicaSet"})

Controller = tuple[str, str]
"""A controller's kind and uid."""


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
        avoided = _member(json.loads(annotation), "preferAvoidPods", list, [])
        return frozenset(_controller(each) for each in avoided)
    except (ValueError, TypeError, RecursionError):
        return frozenset()


def _controller(avoided: Any) -> Controller:
    signature = _member(avoided, "podSignature", dict, {})
    controller = _member(signature, "podController", dict, {})
    return _member(controller, "kind", str, ""), _member(controller, "uid", str, "")


def _member(holder: Any, name: str, kind: type, absent: Any) -> Any:
    """Return a member of an object whatever the case of its key, as Go reads JSON."""
    if not isinstance(holder, dict):
        raise TypeError(holder)
    matching = [value for key, value in holder.items() if key.casefold() == name.casefold()]
    value = matching[-1] if matching else None
    if value is None:
        return absent
    if not isinstance(value, kind):
        raise TypeError(value)
    return value


NODE_PREFER_AVOID_PODS: Final = PrioritySpec(
    "NodePreferAvoidPodsPriority",
    node_prefer_avoid_pods,
    prepare=prepare_controller,
    reads={Facet.ANNOTATIONS},
)
