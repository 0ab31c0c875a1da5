"""Whether a node has room for a pod."""

from collections.abc import Mapping

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import container, node, pod
from kubesched.model import KubeObject, Node, NodeStatus, Pod
from kubesched.plugins.ports import POD_FITS_HOST_PORTS
from kubesched.plugins.resources import (
    POD_FITS_RESOURCES,
    InsufficientResource,
    pod_fits_resources_ignoring,
)
from kubesched.plugins.resources.fit import insufficient
from kubesched.state import requests_to_fit
from tests.plugins.asking import fits, nodes_of, ready, reasons, snapshot_of
from tests.strategies import nodes, pods

GPU = "nvidia.com/gpu"


def placed(name: str, **requests: str | int) -> Pod:
    return pod(name, requests=requests, node_name="n1")


SMALL = node("n1", cpu=2, memory="1Gi", allocatable={"ephemeral-storage": "1Gi", GPU: 1})
OVER_COMMITTED = [SMALL, placed("greedy", cpu=5, memory="5Gi")]

CASES = [
    pytest.param(pod("p"), [SMALL], [], id="a pod that asks for nothing"),
    pytest.param(pod("p", cpu=2, memory="1Gi"), [SMALL], [], id="exactly all there is"),
    pytest.param(pod("p", cpu="2001m"), [SMALL], ["cpu"], id="a thousandth of a core too much"),
    pytest.param(pod("p", memory=2**30 + 1), [SMALL], ["memory"], id="a byte too much"),
    pytest.param(
        pod("p", cpu="1500m"),
        [SMALL, placed("q", cpu="500m")],
        [],
        id="what is left of another pod",
    ),
    pytest.param(
        pod("p", cpu="1501m"), [SMALL, placed("q", cpu="500m")], ["cpu"], id="more than is left"
    ),
    pytest.param(
        pod("p", cpu="1500m"),
        [SMALL, placed("q", cpu="499999999n")],
        [],
        id="a thousandth is the least, rounded up",
    ),
    pytest.param(
        pod("p", cpu="1500001u"), [SMALL, placed("q", cpu="500m")], ["cpu"], id="rounded up"
    ),
    pytest.param(
        pod("p", memory="100m"),
        [node("n1", memory=1), placed("q", memory="900m")],
        ["memory"],
        id="a part of a byte is a byte",
    ),
    pytest.param(
        pod("p", requests={GPU: "500m"}), [SMALL], [], id="a part of a device is a device"
    ),
    pytest.param(
        pod("p", requests={GPU: "500m"}),
        [SMALL, placed("q", **{GPU: "500m"})],
        [GPU],
        id="and two parts are two",
    ),
    pytest.param(
        pod("p", containers=[container(cpu=1), container(cpu="1500m")]),
        [SMALL],
        ["cpu"],
        id="containers are added up",
    ),
    pytest.param(
        pod("p", cpu=1, init_containers=[container(cpu=1), container(cpu=2)]),
        [SMALL],
        [],
        id="init containers are not",
    ),
    pytest.param(
        pod("p", cpu=1, init_containers=[container(cpu=1), container(cpu=3)]),
        [SMALL],
        ["cpu"],
        id="but each must find room",
    ),
    pytest.param(
        pod("p", init_containers=[container(requests={GPU: 2})]),
        [SMALL],
        [GPU],
        id="also for a device",
    ),
    pytest.param(
        pod("p", cpu=2),
        [SMALL, pod("q", init_containers=[container(cpu=2)], node_name="n1")],
        [],
        id="init containers of placed pods are over",
    ),
    pytest.param(
        pod("p"), [node("n1", pods=1), placed("q")], ["pods"], id="no room for one more pod"
    ),
    pytest.param(
        pod("p", requests={GPU: 2, "memory": "2Gi", "ephemeral-storage": "2Gi", "cpu": 3}),
        [evolve(SMALL, status=NodeStatus(allocatable={"pods": 0}))],
        ["pods", "cpu", "memory", "ephemeral-storage", GPU],
        id="all reasons in the order of resources",
    ),
    pytest.param(
        pod("p", requests={"b.com/x": 1, "hugepages-2Mi": 1, "a.com/x": 1}),
        [SMALL],
        ["a.com/x", "b.com/x", "hugepages-2Mi"],
        id="other resources by name",
    ),
    pytest.param(
        pod("p", cpu=1),
        [evolve(SMALL, status=NodeStatus(allocatable={"pods": 1}))],
        ["cpu"],
        id="what a node does not report it does not have",
    ),
    pytest.param(pod("p"), OVER_COMMITTED, [], id="nothing fits even where there is too little"),
    pytest.param(
        pod("p", cpu=0, memory=0, requests={"ephemeral-storage": 0}),
        OVER_COMMITTED,
        [],
        id="zero is nothing",
    ),
    pytest.param(
        pod("p", requests={GPU: 0}),
        OVER_COMMITTED,
        ["cpu", "memory"],
        id="naming a device, even with 0, has all checked",
    ),
    pytest.param(
        pod("p", init_containers=[container(requests={GPU: 0})]),
        OVER_COMMITTED,
        [],
        id="unless it is an init container that names it",
    ),
    pytest.param(
        pod("p", requests={"ephemeral-storage": 1}),
        OVER_COMMITTED,
        ["cpu", "memory"],
        id="a byte of storage has all checked",
    ),
    pytest.param(
        pod("p", requests={"attachable-volumes-aws-ebs": 1, "kubernetes.io/batteries": 1}),
        [SMALL],
        ["attachable-volumes-aws-ebs", "kubernetes.io/batteries"],
        id="prefixed native resources count",
    ),
    pytest.param(
        pod("p", requests={"widgets": 9, "requests.example.com/x": 9, "storage": 9}),
        OVER_COMMITTED,
        [],
        id="other names are ignored",
    ),
]


@pytest.mark.parametrize(("asked", "objects", "short_of"), CASES)
def test_a_pod_is_refused_for_what_is_short(
    asked: Pod, objects: list[Node | Pod], short_of: list[str]
) -> None:
    assert reasons(POD_FITS_RESOURCES, asked, *objects) == [
        f"Insufficient {resource}" for resource in short_of
    ]


def test_a_reason_has_its_evidence_and_eviction_could_cure_it() -> None:
    snapshot = snapshot_of([SMALL, placed("q", cpu="1500m")])
    asked = pod("p", cpu=1)
    (info,) = nodes_of(snapshot)
    fit = POD_FITS_RESOURCES.check(asked, ready(POD_FITS_RESOURCES, asked, snapshot), info)
    expected = InsufficientResource(
        "Insufficient cpu",
        resolvable=True,
        resource="cpu",
        requested=1000,
        used=1500,
        capacity=2000,
    )
    assert fit.reasons == (expected,)
    assert insufficient("cpu", 1000, 1500, 2000) == expected


# -- resources that somebody else sees to ----------------------------------------------------------


IGNORED = pod_fits_resources_ignoring([GPU])


@pytest.mark.parametrize(
    ("requests_", "there", "missing"),
    [
        pytest.param({GPU: 8}, [SMALL], [], id="the resource itself"),
        pytest.param({GPU: 8, "a.b/c": 1}, [SMALL], ["a.b/c"], id="not another one"),
        pytest.param({GPU: 8, "cpu": 3}, [SMALL], ["cpu"], id="nor cpu"),
        pytest.param(
            {GPU: 0}, OVER_COMMITTED, ["cpu", "memory"], id="naming it has the rest checked"
        ),
        pytest.param({"cpu": 1}, [SMALL], [], id="a pod that does not name it"),
    ],
)
def test_a_resource_that_is_ignored_is_not_checked(
    requests_: Mapping[str, int], there: list[KubeObject], missing: list[str]
) -> None:
    asked = pod("p", requests=requests_)
    assert reasons(IGNORED, asked, *there) == [f"Insufficient {name}" for name in missing]


@pytest.mark.parametrize("names", [[], ["cpu"], ["kubernetes.io/x"], ["widgets"]])
def test_only_extended_resources_are_ignored(names: list[str]) -> None:
    assert pod_fits_resources_ignoring(names) is POD_FITS_RESOURCES


# -- laws --------------------------------------------------------------------------------------

RESOURCES = ["cpu", "memory", "ephemeral-storage", "example.com/gpu"]
requests = st.dictionaries(st.sampled_from(RESOURCES), st.integers(0, 5), max_size=4)
on_n1 = st.just("n1")
others_on_n1 = st.lists(pods(node_names=on_n1), max_size=3, unique_by=lambda each: each.key)


@given(
    asked=requests,
    smaller=st.dictionaries(st.sampled_from(RESOURCES), st.integers(0, 5)),
    allocatable=requests,
    others=st.lists(requests, max_size=2),
)
def test_a_smaller_request_never_hurts(
    asked: Mapping[str, int],
    smaller: Mapping[str, int],
    allocatable: Mapping[str, int],
    others: list[Mapping[str, int]],
) -> None:
    less = {name: min(amount, smaller.get(name, amount)) for name, amount in asked.items()}
    there = [
        node("n1", cpu=0, memory=0, allocatable=allocatable),
        *(pod(f"q{index}", requests=each, node_name="n1") for index, each in enumerate(others)),
    ]
    before = reasons(POD_FITS_RESOURCES, pod("p", requests=asked), *there)
    after = reasons(POD_FITS_RESOURCES, pod("p", requests=less), *there)
    assert set(after) <= set(before)


@given(nodes(names=on_n1), pods(), others_on_n1)
def test_removing_a_pod_never_makes_a_port_or_resource_refusal_appear(
    there: Node, asked: Pod, others: list[Pod]
) -> None:
    for spec in (POD_FITS_RESOURCES, POD_FITS_HOST_PORTS):
        crowded = reasons(spec, asked, there, *others)
        for leaving in others:
            left = [each for each in others if each is not leaving]
            assert set(reasons(spec, asked, there, *left)) <= set(crowded)


@given(nodes(names=on_n1), pods(), others_on_n1)
def test_a_pod_fits_if_what_is_left_is_enough(there: Node, asked: Pod, others: list[Pod]) -> None:
    (info,) = nodes_of(snapshot_of([there, *others]))
    needed, used, has = requests_to_fit(asked), info.requested, info.allocatable
    amounts = {
        "cpu": (needed.milli_cpu, has.milli_cpu - used.milli_cpu),
        "memory": (needed.memory, has.memory - used.memory),
        "ephemeral-storage": (
            needed.ephemeral_storage,
            has.ephemeral_storage - used.ephemeral_storage,
        ),
    } | {
        name: (amount, has.scalars.get(name, 0) - used.scalars.get(name, 0))
        for name, amount in needed.scalars.items()
    }
    asks = needed.scalars or any(amount for amount, _ in amounts.values())
    short_of = {name for name, (amount, left) in amounts.items() if asks and amount > left}
    assert fits(POD_FITS_RESOURCES, asked, there, *others) == (
        not short_of and len(others) < has.pods
    )
