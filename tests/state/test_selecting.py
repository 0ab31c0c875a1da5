"""What selects a pod, and where the pods are that the same selectors select."""

from kubesched.builders import pod
from kubesched.model import ObjectMeta, Pod, Service, ServiceSpec
from kubesched.selectors import EVERYTHING, label_map_selector
from kubesched.state import Cluster, Snapshot
from kubesched.state.selecting import count_placed, selector_of, selectors_of, services_of
from tests.plugins.services import deleted

WEB = pod("shop/web-1", labels={"app": "web"})


def service(name: str, namespace: str = "shop") -> Service:
    metadata = ObjectMeta(name=name, namespace=namespace)
    return Service(metadata=metadata, spec=ServiceSpec(selector={"app": "web"}))


def snapshot_of(*objects: Pod | Service) -> Snapshot:
    return Cluster.of(objects).snapshot()


def test_services_come_by_name_and_from_the_pods_namespace() -> None:
    snapshot = snapshot_of(service("b"), service("c", "batch"), service("a"))
    assert [each.name for each in services_of(WEB, snapshot)] == ["a", "b"]
    assert services_of(pod("shop/db-1", labels={"app": "db"}), snapshot) == []


def test_the_selectors_are_those_of_what_selects_the_pod() -> None:
    snapshot = snapshot_of(service("a"))
    assert selectors_of(WEB, snapshot) == [label_map_selector({"app": "web"})]
    assert selectors_of(WEB, snapshot) == [selector_of(service("a"))]


def test_placed_pods_are_counted_by_node_over_all_labels() -> None:
    placed = [
        pod("shop/a", labels={"app": "a"}, node_name="n1"),
        pod("shop/b", labels={"app": "b"}, node_name="n1"),
        pod("shop/c", labels={"app": "b"}, node_name="n2"),
        pod("batch/a", labels={"app": "a"}, node_name="n1"),
        pod("shop/waits", labels={"app": "a"}),
        deleted(pod("shop/d", labels={"app": "a"}, node_name="n2")),
    ]
    snapshot = snapshot_of(*placed)
    everywhere = count_placed(snapshot, "shop", [EVERYTHING], terminating=False)
    assert everywhere == {"n1": 2, "n2": 1}
    assert count_placed(snapshot, "shop", [EVERYTHING], terminating=True) == {"n1": 2, "n2": 2}
    only_b = [label_map_selector({"app": "b"})]
    assert count_placed(snapshot, "shop", only_b, terminating=True) == {"n1": 1, "n2": 1}
    assert count_placed(snapshot, "shop", [], terminating=True) == {}
