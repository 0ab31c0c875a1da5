"""A pod to ask about and the cluster around it."""

from hypothesis import given, settings

from kubesched import Cluster, node, pod
from kubesched.model import Service, ServiceSpec
from kubesched.testing import Situation, situations
from tests.testing.finding import comes_up, smallest

SERVICE = Service(spec=ServiceSpec(selector={"app": "a"}))


def test_nodes_and_other_pods_are_told_apart() -> None:
    n1, db = node("n1"), pod("db", node_name="n1")
    situation = Situation(pod("web"), [db, SERVICE, n1])
    assert (situation.nodes, situation.pods) == ((n1,), (db,))


def test_each_cluster_is_a_new_one() -> None:
    situation = Situation(pod("web"), [node("n1")])
    situation.cluster().remove_node(node("n1"))
    assert list(situation.snapshot().node_infos) == ["n1"]


def test_the_pod_is_not_among_the_objects_of_its_cluster() -> None:
    web, db = pod("web"), pod("db", node_name="n1")
    cluster = Cluster.of([node("n1"), web, db, SERVICE])
    assert Situation.of(web, cluster) == Situation(web, [node("n1"), db, SERVICE])


@settings(max_examples=25)
@given(situations())
def test_situations_are_clusters_with_a_pod_that_waits(situation: Situation) -> None:
    assert not situation.pod.node_name
    assert 1 <= len(situation.nodes) <= 3
    assert len(situation.pods) <= 4
    assert situation.pod.key not in situation.cluster().pods
    situation.cluster()._check()


def test_the_bounds_are_kept() -> None:
    bounded = situations(min_nodes=2, max_nodes=2, max_pods=1)
    found = comes_up(bounded, lambda situation: situation.pods)
    assert len(found.nodes) == 2
    assert len(found.pods) == 1


def test_they_shrink_to_a_pod_and_a_node() -> None:
    found = smallest(situations(), lambda _situation: True)
    assert (found.pod.key, [it.key for it in found.objects]) == ("default/p1", ["n1"])
