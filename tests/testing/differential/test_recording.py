"""A scenario holds every object of a cluster, and is a cluster again."""

from attrs import fields
from hypothesis import given, settings

from kubesched.builders import node, pod
from kubesched.model import KubeObject, Pod
from kubesched.state import FACET_OF_KIND, Cluster
from kubesched.testing import clusters
from kubesched.testing.differential import Scenario, ScenarioConfig, ScenarioObjects
from kubesched.testing.differential.recording import KIND_OF_FIELD


def everything_in(cluster: Cluster) -> list[KubeObject]:
    kept = [each for kind in FACET_OF_KIND for each in cluster.of_kind(kind).values()]
    return sorted([*cluster.nodes.values(), *cluster.pods.values(), *kept], key=repr)


@settings(max_examples=40)
@given(clusters(max_pending=3))
def test_the_objects_of_a_cluster_make_the_same_cluster(cluster: Cluster) -> None:
    objects = ScenarioObjects.of(cluster.snapshot())
    again = Scenario(objects=objects, config=ScenarioConfig(update_nodes=True)).cluster()
    again._check()
    assert everything_in(again) == everything_in(cluster) == sorted(objects, key=repr)
    before, after = cluster.snapshot(), again.snapshot()
    assert after.order.round == before.order.round
    assert [*after.pending] == [*before.pending]
    for name, info in before.node_infos.items():
        assert [*after.node_infos[name].pods.values()] == [*info.pods.values()]
        assert after.node_infos[name].images == info.images


def test_every_kind_that_a_cluster_keeps_has_a_field() -> None:
    assert {*KIND_OF_FIELD.values()} == FACET_OF_KIND.keys()
    others = [each.name for each in fields(ScenarioObjects) if each.name not in KIND_OF_FIELD]
    assert others == ["nodes", "pods"]


def test_waiting_pods_may_be_left_out_and_assumed_ones_are_on_their_nodes() -> None:
    cluster = Cluster.of([node("n1"), pod("web-1"), pod("web-2"), pod("db", phase="Failed")])
    cluster.assume(cluster.pending["default/web-1"], "n1")
    objects = ScenarioObjects.of(cluster.snapshot(), without={"default/web-2"})
    assert [(each.key, each.node_name) for each in objects.pods] == [("default/web-1", "n1")]


def test_a_pod_may_claim_to_be_on_a_node_that_is_not_there() -> None:
    lost = pod("lost", node_name="gone")
    objects = ScenarioObjects.of(Cluster.of([node("n1"), lost]).snapshot())
    assert objects.pods == (lost,)
    assert Scenario(objects=objects).cluster().pods == {"default/lost": lost}
    assert all(isinstance(each, Pod) for each in objects.pods)
