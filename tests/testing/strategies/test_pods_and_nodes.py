"""Every keyword of pods and nodes takes a value or a strategy, and holds."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from kubesched import builders
from kubesched.builders import node, pod
from kubesched.model import Container, Node, OwnerReference, Pod, Toleration
from kubesched.testing import containers, nodes, pods, taints, tolerations, workloads
from kubesched.testing.strategies.workloads import Workload
from kubesched.testing.words import WORDS
from tests.testing.finding import comes_up

POD_FIELDS: dict[str, Any] = {
    "name": "shop/web-1",
    "cpu": "500m",
    "memory": "1Gi",
    "requests": {"example.com/gpu": 1},
    "limits": {"cpu": 2},
    "image": "web:1",
    "host_ports": ["80"],
    "labels": {"app": "web"},
    "annotations": {"note": "x"},
    "owner": OwnerReference(kind="Job", controller=True),
    "node_name": "n7",
    "node_selector": {"disk": "ssd"},
    "affinity": None,
    "tolerations": ["spot:NoSchedule", Toleration(key="gpu")],
    "volumes": [],
    "priority": 7,
    "scheduler_name": "mine",
    "phase": "Running",
    "created": datetime(2020, 1, 1, tzinfo=UTC),
    "init_containers": [],
    "containers": [Container(name="main")],
}
NODE_FIELDS: dict[str, Any] = {
    "name": "n7",
    "cpu": 3,
    "memory": "5Gi",
    "pods": 10,
    "allocatable": {"example.com/gpu": 1},
    "labels": {"rack": "r7"},
    "annotations": {"note": "x"},
    "zone": "north",
    "region": "eu",
    "taints": ["spot:NoSchedule"],
    "unschedulable": True,
    "conditions": {"Ready": "False"},
    "images": {"web:1": 10},
}
SAID_BY_CONTAINERS = ("cpu", "memory", "requests", "limits", "image", "host_ports")


def said_of_a_pod(it: Pod, name: str) -> object:
    """Return what a pod says where this keyword of the builder would have said it."""
    return {
        "name": it.key,
        "labels": it.labels,
        "annotations": it.annotations,
        "owner": it.metadata.owner_references,
        "created": it.metadata.creation_timestamp,
        "phase": it.status.phase,
    }.get(name) or getattr(it.spec, name, None)


@pytest.mark.parametrize("name", [name for name in POD_FIELDS if name not in SAID_BY_CONTAINERS])
@pytest.mark.parametrize("wrapped", [st.just, lambda value: value], ids=["strategy", "value"])
@settings(max_examples=3)
@given(st.data())
def test_a_pod_says_what_was_said(name: str, wrapped: Any, data: st.DataObject) -> None:
    drawn = data.draw(pods(**{name: wrapped(POD_FIELDS[name])}))
    expected = pod(**{"name": "p", name: POD_FIELDS[name]})
    assert said_of_a_pod(drawn, name) == said_of_a_pod(expected, name)


@pytest.mark.parametrize("name", SAID_BY_CONTAINERS)
@settings(max_examples=3)
@given(st.data())
def test_all_containers_of_a_pod_say_what_was_said(name: str, data: st.DataObject) -> None:
    drawn = data.draw(pods(**{name: POD_FIELDS[name]}))
    [expected] = pod("p", **{name: POD_FIELDS[name]}).spec.containers
    for each in (*drawn.spec.containers, *drawn.spec.init_containers):
        match name:
            case "cpu" | "memory":
                assert each.resources.requests[name] == expected.resources.requests[name]
            case "requests":
                assert each.resources.requests.items() >= expected.resources.requests.items()
            case "limits":
                assert each.resources.limits == expected.resources.limits
            case "image":
                assert each.image == expected.image
            case _:
                assert each.ports == expected.ports


def said_of_a_node(it: Node, name: str) -> object:
    """Return what a node says where this keyword of the builder would have said it."""
    if name in {"cpu", "memory", "pods"}:
        return it.status.allocatable[name]
    return {
        "name": it.name,
        "allocatable": it.status.allocatable.get("example.com/gpu"),
        "labels": it.labels.get("rack"),
        "zone": it.labels.get("topology.kubernetes.io/zone"),
        "region": it.labels.get("topology.kubernetes.io/region"),
        "annotations": it.annotations,
        "taints": it.spec.taints,
        "unschedulable": it.spec.unschedulable,
        "conditions": it.status.conditions,
        "images": it.status.images,
    }[name]


@pytest.mark.parametrize("name", NODE_FIELDS)
@pytest.mark.parametrize("wrapped", [st.just, lambda value: value], ids=["strategy", "value"])
@settings(max_examples=3)
@given(st.data())
def test_a_node_says_what_was_said(name: str, wrapped: Any, data: st.DataObject) -> None:
    drawn = data.draw(nodes(**{name: wrapped(NODE_FIELDS[name])}))
    expected = node(**{"name": "n", name: NODE_FIELDS[name]})
    assert said_of_a_node(drawn, name) == said_of_a_node(expected, name)


@settings(max_examples=20)
@given(nodes(labels={"kubernetes.io/hostname": "elsewhere"}))
def test_a_host_name_that_was_asked_for_stays(drawn: Node) -> None:
    assert drawn.labels["kubernetes.io/hostname"] == "elsewhere"


@settings(max_examples=30)
@given(pods())
def test_pods_wait_unless_told_otherwise(drawn: Pod) -> None:
    assert (drawn.node_name, drawn.status.phase, drawn.spec.scheduler_name) == ("", "", "")


@settings(max_examples=30)
@given(pods(node_name=..., phase=..., scheduler_name=...))
def test_what_is_left_open_is_drawn(drawn: Pod) -> None:
    assert drawn.node_name in WORDS.node_names
    assert drawn.status.phase
    assert drawn.spec.scheduler_name in WORDS.scheduler_names


@settings(max_examples=30)
@given(pods())
def test_the_containers_of_a_pod_have_names_of_their_own(drawn: Pod) -> None:
    names = [each.name for each in drawn.spec.containers]
    assert len(set(names)) == len(names)


def test_a_pod_without_containers_comes_up() -> None:
    comes_up(pods(), lambda it: not it.spec.containers, within=300)


def test_a_container_is_what_the_builder_makes() -> None:
    said: dict[str, Any] = {
        "name": "side",
        "cpu": 1,
        "memory": 2,
        "requests": {},
        "limits": {},
        "image": "db:1",
    }
    made = containers(**said, host_ports=["80"])
    assert comes_up(made, bool) == builders.container(**said, host_ports=["80"])


@settings(max_examples=20)
@given(taints(key="spot", effect="NoExecute"), tolerations(key="spot", operator="Equal", value="z"))
def test_taints_and_tolerations_say_what_was_said(taint: Any, toleration: Any) -> None:
    assert (taint.key, taint.effect) == ("spot", "NoExecute")
    assert (toleration.key, toleration.operator, toleration.value) == ("spot", "Equal", "z")


@settings(max_examples=30)
@given(workloads(min_pods=2, max_pods=3))
def test_the_pods_of_a_workload_are_alike_and_its_own(workload: Workload) -> None:
    owner, first = workload.controller, workload.pods[0]
    assert 2 <= len(workload.pods) <= 3
    for each in workload.pods:
        assert each.metadata.controller is not None
        assert (each.metadata.controller.uid, each.namespace) == (owner.uid, owner.namespace)
        assert (each.spec, each.labels) == (first.spec, first.labels)
    assert first.labels
    assert len({each.key for each in workload.pods}) == len(workload.pods)
