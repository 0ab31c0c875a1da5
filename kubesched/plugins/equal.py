"""The same score for every node.

Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go, EqualPriorityMap.
"""

from typing import Final

from kubesched.framework import PrioritySpec
from kubesched.model import Pod
from kubesched.state import NodeInfo


def equal_priority(_pod: Pod, _meta: None, _node: NodeInfo, /) -> int:
    """Score 1."""
    return 1


EQUAL_PRIORITY: Final = PrioritySpec("EqualPriority", equal_priority, reads=())
