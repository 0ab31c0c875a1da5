"""What is found is told by something that a person can read."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from kubesched.builders import pod
from kubesched.manifests import dump
from kubesched.model import KubeObject, Node, Pod, Service
from kubesched.quantity import Quantity
from kubesched.state import NodeInfo, requests_to_fit
from kubesched.testing import (
    AssumePod,
    amounts_of,
    cluster_changes,
    cluster_objects,
    clusters,
    containers,
    label_selectors,
    labels,
    node_infos,
    nodes,
    pods,
    policies,
    quantities,
    registries,
    resource_lists,
    taints,
    tolerations,
    workloads,
)
from tests.testing.finding import smallest


def anything(_it: object) -> bool:
    return True


@pytest.mark.parametrize(
    ("strategy", "condition", "expected"),
    [
        pytest.param(quantities(), anything, "Quantity('1')", id="a quantity"),
        pytest.param(
            quantities(min_value="1500m", max_value=3),
            anything,
            "Quantity('2')",
            id="between",
        ),
        pytest.param(amounts_of("cpu"), anything, "Quantity('1')", id="an amount of cpu"),
        pytest.param(
            amounts_of("memory"),
            lambda it: it > Quantity("1Gi"),
            "Quantity('2Gi')",
            id="more memory",
        ),
        pytest.param(resource_lists(), bool, "{'cpu': Quantity('1')}", id="a resource list"),
        pytest.param(labels(), bool, "{'app': 'a'}", id="labels"),
        pytest.param(label_selectors(), anything, "LabelSelector()", id="a selector"),
        pytest.param(
            taints(), anything, "Taint(key='app', value='a', effect='NoSchedule')", id="a taint"
        ),
        pytest.param(
            tolerations(),
            anything,
            "Toleration(key='app', operator='Exists', effect='NoSchedule')",
            id="a toleration",
        ),
        pytest.param(containers(), anything, "Container(name='main')", id="a container"),
        pytest.param(
            pods(),
            anything,
            "Pod(metadata=ObjectMeta(name='p1', namespace='default'), "
            "spec=PodSpec(containers=(Container(name='main'),)))",
            id="a pod",
        ),
        pytest.param(
            cluster_changes(),
            lambda it: isinstance(it, AssumePod),
            "AssumePod(key='default/p1', node_name='n1')",
            id="a change",
        ),
        pytest.param(policies(), anything, "{'kind': 'Policy', 'apiVersion': 'v1'}", id="a policy"),
    ],
)
def test_the_smallest_is_plain(
    strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool], expected: str
) -> None:
    assert repr(smallest(strategy, condition)) == expected


def test_a_pod_that_asks_for_something_asks_for_one_core() -> None:
    asking = smallest(pods(), lambda it: it.spec.containers and requests_to_fit(it).milli_cpu)
    assert asking == pod("p1", cpu=1)
    assert asking == smallest(
        pods(), lambda it: any(each.resources.requests for each in it.spec.containers)
    )


def test_a_node_shrinks_to_one_that_says_only_what_it_has() -> None:
    plain = smallest(nodes(), anything)
    assert dump(plain, format="yaml") == (
        "apiVersion: v1\n"
        "kind: Node\n"
        "metadata:\n"
        "  name: n1\n"
        "spec: {}\n"
        "status:\n"
        "  allocatable:\n"
        '    cpu: "1"\n'
        '    memory: "1Gi"\n'
        '    pods: "110"\n'
    )


def test_a_cluster_shrinks_to_one_node() -> None:
    [only] = smallest(cluster_objects(), anything)
    assert only == smallest(nodes(), anything)


def test_a_crowded_node_shrinks_to_one_pod_of_one_core() -> None:
    cluster = smallest(clusters(), lambda it: any(pod.node_name for pod in it.pods.values()))
    assert [*cluster.pods.values()] == [pod("p1", node_name="n1")]


def full(objects: tuple[KubeObject, ...]) -> bool:
    """Tell whether some node has no core left that was asked for."""
    for each in objects:
        if isinstance(each, Node):
            its = [pod for pod in objects if isinstance(pod, Pod) and pod.node_name == each.name]
            info = NodeInfo.of(each, its)
            if info.requested.milli_cpu == info.allocatable.milli_cpu > 0:
                return True
    return False


def test_a_full_node_shrinks_to_one_core_and_a_pod_that_takes_it() -> None:
    there, placed = smallest(cluster_objects(), full)
    assert isinstance(there, Node)
    assert there.status.allocatable["cpu"] == Quantity(1)
    assert placed == pod("p1", cpu=1, node_name="n1")


def test_two_nodes_shrink_to_two_nodes_without_pods() -> None:
    cluster = smallest(clusters(), lambda it: len(it.nodes) > 1)
    assert (len(cluster.nodes), [*cluster.pods]) == (2, [])
    assert "n1" in cluster.nodes


def test_a_node_info_shrinks_to_a_node_without_pods() -> None:
    info = smallest(node_infos(), anything)
    assert (info.name, info.pods, info.labels) == ("n1", {}, {})


def test_a_service_that_finds_a_pod_shrinks_to_one_label() -> None:
    def finds(objects: tuple[KubeObject, ...]) -> bool:
        services = [each for each in objects if isinstance(each, Service)]
        return any(
            service.spec.selector and service.spec.selector.items() <= each.labels.items()
            for service in services
            for each in objects
            if isinstance(each, Pod) and each.namespace == service.namespace
        )

    kinds = [each.kind for each in smallest(cluster_objects(), finds)]
    assert kinds == ["Node", "Pod", "Service"]


def test_a_workload_shrinks_to_one_pod() -> None:
    workload = smallest(workloads(), anything)
    assert [str(each) for each in workload.objects] == ["default/s1", "default/s1-0"]


def test_a_registry_shrinks_to_the_stock_one() -> None:
    registry = smallest(registries(), anything)
    assert "GeneralPredicates" in registry.predicates
    assert "CheckNodeUnschedulable" in registry.predicates
