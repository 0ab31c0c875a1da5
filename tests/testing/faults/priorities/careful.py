"""Sends pods that say what they need to large nodes.

What is wrong: it adds up floats in the order in which a container lists its requests, and cuts off
what comes of it: 0.7 + 0.1 + 0.2 is less than 0.2 + 0.1 + 0.7.
"""

from collections.abc import Mapping
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE

WORTH: Final[Mapping[str, float]] = {"cpu": 0.7, "memory": 0.1, "ephemeral-storage": 0.2}


def care(pod: Pod) -> float:
    said = 0.0
    for container in pod.spec.containers[:1]:
        for name in container.resources.requests:
            said += WORTH.get(name, 0.0)
    return said


def careful(pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    is_large = node.labels.get("size") == "large"
    return int(care(pod) * MAX_SCORE) if is_large else 0


RULE: Final = PrioritySpec("Careful", careful, reads={Facet.LABELS})
