from datetime import UTC, datetime

import pytest
from attrs import evolve
from hypothesis import given

from kubesched.builders import pod as make_pod
from kubesched.model import Binding, ObjectMeta, Pod, PodSpec, PodStatus
from tests.strategies import node_names, pods


@given(pods(), node_names)
def test_a_bound_pod_differs_in_its_node_name_alone(pod: Pod, node_name: str) -> None:
    bound = pod.bound_to(node_name)
    assert bound.node_name == bound.spec.node_name == node_name
    assert bound.bound_to(pod.node_name) == pod
    assert bound == evolve(pod, spec=evolve(pod.spec, node_name=node_name))


@given(pods(), node_names, node_names)
def test_binding_again_is_binding_to_the_last_node(pod: Pod, first: str, last: str) -> None:
    assert pod.bound_to(first).bound_to(last) == pod.bound_to(last)


def test_binding_a_pod_leaves_the_pod_alone() -> None:
    pod = make_pod("shop/web")
    pod.bound_to("worker-1")
    assert pod.node_name == ""


def test_a_binding_names_the_pod_and_the_node() -> None:
    metadata = ObjectMeta(
        name="web", namespace="shop", uid="u1", resource_version="7", labels={"app": "web"}
    )
    binding = Binding.of(Pod(metadata=metadata), "worker-1")
    assert binding.metadata == ObjectMeta(name="web", namespace="shop", uid="u1")
    assert (binding.target.kind, binding.target.name) == ("Node", "worker-1")


@pytest.mark.parametrize(
    ("given", "priority"),
    [
        pytest.param(None, 0, id="none counts as 0"),
        pytest.param(0, 0, id="0 is 0"),
        pytest.param(-5, -5, id="below 0"),
        pytest.param(2_000_000_000, 2_000_000_000, id="above 0"),
    ],
)
def test_a_pod_has_a_priority(given: int | None, priority: int) -> None:
    assert Pod(spec=PodSpec(priority=given)).priority == priority


@pytest.mark.parametrize(
    ("phase", "over"),
    [
        ("", False),
        ("Pending", False),
        ("Running", False),
        ("Unknown", False),
        ("Succeeded", True),
        ("Failed", True),
    ],
)
def test_a_pod_is_over_when_it_succeeded_or_failed(*, phase: str, over: bool) -> None:
    assert Pod(status=PodStatus(phase=phase)).is_terminated is over


@pytest.mark.parametrize(
    ("deleted", "terminating"), [(None, False), (datetime(2018, 9, 1, tzinfo=UTC), True)]
)
def test_a_pod_with_a_deletion_time_is_terminating(
    *, deleted: datetime | None, terminating: bool
) -> None:
    assert Pod(metadata=ObjectMeta(deletion_timestamp=deleted)).is_terminating is terminating
