"""A score for nodes that could hold a pod even at its limits."""

import pytest

from kubesched.builders import container, node, pod
from kubesched.model import Pod
from kubesched.plugins.resources import RESOURCE_LIMITS
from tests.plugins.asking import scores


def limited(**limits: str | int) -> Pod:
    return pod("p", limits=limits)


CASES = [
    pytest.param(pod("p"), 0, id="no limits"),
    pytest.param(pod("p", cpu=1, memory="1Gi"), 0, id="requests are no limits"),
    pytest.param(limited(cpu="1m"), 1, id="a thousandth of a core"),
    pytest.param(limited(memory=1), 1, id="a byte"),
    pytest.param(limited(cpu=4), 1, id="as much cpu as there is"),
    pytest.param(limited(cpu="4001m"), 0, id="a thousandth of a core too much"),
    pytest.param(limited(memory="8Gi"), 1, id="as much memory as there is"),
    pytest.param(limited(memory="9Gi"), 0, id="too much memory"),
    pytest.param(limited(cpu=5, memory="8Gi"), 1, id="enough memory and too little cpu"),
    pytest.param(limited(cpu=4, memory="9Gi"), 1, id="enough cpu and too little memory"),
    pytest.param(limited(cpu=0, memory=0), 0, id="a limit of 0 is none"),
    pytest.param(limited(cpu=-1), 1, id="a limit below 0 is one"),
    pytest.param(limited(**{"nvidia.com/gpu": 1}), 0, id="other resources do not count"),
    pytest.param(
        pod("p", containers=[container(limits={"cpu": 3})] * 2), 0, id="containers are added up"
    ),
    pytest.param(
        pod("p", limits={"cpu": 3}, init_containers=[container(limits={"cpu": 3})]),
        1,
        id="init containers are not",
    ),
    pytest.param(
        pod("p", limits={"cpu": 3}, init_containers=[container(limits={"cpu": 5})]),
        0,
        id="but the highest counts",
    ),
]


@pytest.mark.parametrize(("asked", "score"), CASES)
def test_a_node_scores_if_it_is_as_large_as_a_limit(asked: Pod, score: int) -> None:
    assert scores(RESOURCE_LIMITS, asked, node("n1", cpu=4, memory="8Gi")) == [score]


def test_what_other_pods_take_does_not_matter() -> None:
    full = [node("n1", cpu=4), pod("q", cpu=4, node_name="n1")]
    assert scores(RESOURCE_LIMITS, limited(cpu=4), *full) == [1]


def test_a_node_without_anything_scores_nothing() -> None:
    assert scores(RESOURCE_LIMITS, limited(cpu=1, memory=1), node("n1", cpu=0, memory=0)) == [0]
