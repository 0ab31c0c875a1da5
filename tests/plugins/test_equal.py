"""The same score for every node."""

from kubesched.builders import node, pod
from kubesched.plugins.equal import EQUAL_PRIORITY
from tests.plugins.asking import scores


def test_every_node_scores_1() -> None:
    nodes = [node("a"), node("b", cpu=64), node("c", taints=["gpu:NoSchedule"])]
    assert scores(EQUAL_PRIORITY, pod("web-1"), *nodes) == [1, 1, 1]
