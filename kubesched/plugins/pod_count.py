"""Scores by how many of a node's places for pods would be taken.

Kubernetes has no such scores: a scheduler that has to answer like the original does without them.
They are to pods what LeastRequestedPriority and MostRequestedPriority are to cpu and memory.
"""

from typing import Final

from kubesched.framework import MAX_SCORE, PrioritySpec
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo


def least_pods(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Score the part of a node's places that would stay free: 10 for all, 0 for none or too few.

    `(allocatable - pods) * 10 // allocatable`, where `pods` is how many there would be with this
    one, whatever they request; those that are being deleted count as long as they are there.

    >>> from kubesched.builders import node, pod
    >>> web = [pod(f"web-{number}") for number in range(4)]
    >>> least_pods(web[3], None, NodeInfo.of(node("worker-1", pods=10), web[:3]))
    6
    """
    allocatable, pods = node.allocatable.pods, len(node.pods) + 1
    return (allocatable - pods) * MAX_SCORE // allocatable if pods < allocatable else 0


def most_pods(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Score the part of a node's places that would be taken: 10 for all, 0 for too few places.

    `pods * 10 // allocatable`, where `pods` is how many there would be with this one. It fills one
    node up before it goes to the next.

    >>> from kubesched.builders import node, pod
    >>> web = [pod(f"web-{number}") for number in range(4)]
    >>> most_pods(web[3], None, NodeInfo.of(node("worker-1", pods=10), web[:3]))
    4
    """
    allocatable, pods = node.allocatable.pods, len(node.pods) + 1
    return pods * MAX_SCORE // allocatable if pods <= allocatable else 0


_READS: Final = frozenset({Facet.ALLOCATABLE, Facet.PODS})

LEAST_PODS: Final = PrioritySpec("LeastPodsPriority", least_pods, reads=_READS)

MOST_PODS: Final = PrioritySpec("MostPodsPriority", most_pods, reads=_READS)
