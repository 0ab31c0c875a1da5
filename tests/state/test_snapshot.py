import pytest

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.model import Deployment, Node, ObjectMeta, Pod, Service
from kubesched.state import FACET_OF_KIND, Cluster, Facet
from kubesched.testing.machines.pictures import picture_of_snapshot

SERVICE = Service(metadata=ObjectMeta(name="web", namespace="shop"))
WEB = make_pod("shop/web", cpu=1)


def small_cluster() -> Cluster:
    return Cluster.of(
        [
            make_node("n1", zone="a", images={"web:1": 10}),
            make_node("n2", zone="b"),
            make_pod("bound", node_name="n1", cpu=1),
            make_pod("lost", node_name="n9"),
            make_pod("waiting"),
            SERVICE,
        ]
    )


def test_a_snapshot_shows_all_that_there_is() -> None:
    cluster = small_cluster()
    snapshot = cluster.snapshot()
    assert list(snapshot.node_infos) == ["n1", "n2", "n9"]
    assert list(snapshot.node_infos["n1"].pods) == ["default/bound"]
    assert snapshot.node_infos["n9"].node is None
    assert (snapshot.order.round, snapshot.num_nodes) == (("n1", "n2"), 2)
    assert list(snapshot.pending) == ["default/waiting"]
    assert dict(snapshot.of(Service)) == {"shop/web": SERVICE}


def test_a_snapshot_does_not_notice_what_happens_later() -> None:
    cluster = small_cluster()
    snapshot = cluster.snapshot()
    before = picture_of_snapshot(snapshot)
    cluster.update(make_node("n1", zone="c", taints=["a:NoSchedule"]))
    cluster.remove(make_node("n2"))
    cluster.add(make_node("n3"))
    cluster.assume(make_pod("waiting"), "n1")
    cluster.update(make_pod("bound", node_name="n1", phase="Failed"))
    cluster.remove(make_pod("lost"))
    cluster.add(WEB)
    cluster.remove(SERVICE)
    assert picture_of_snapshot(snapshot) == before
    assert picture_of_snapshot(cluster.snapshot()) != before


def test_until_something_changes_it_is_the_same_snapshot() -> None:
    cluster = small_cluster()
    first = cluster.snapshot()
    assert cluster.snapshot() is first
    cluster.add(WEB)
    assert cluster.snapshot() is not first


def test_what_did_not_change_is_shared_by_snapshots() -> None:
    cluster = small_cluster()
    before = cluster.snapshot()
    cluster.assume(WEB, "n1")
    after = cluster.snapshot()
    assert after.node_infos["n2"] is before.node_infos["n2"]
    assert after.node_infos["n1"] is not before.node_infos["n1"]


def test_the_nodes_of_a_snapshot_refuse_changes_until_they_are_cloned() -> None:
    info = small_cluster().snapshot().node_infos["n1"]
    with pytest.raises(ClusterError, match="belongs to a snapshot"):
        info.add_pod(WEB)
    clone = info.clone()
    clone.add_pod(WEB)
    assert (len(clone.pods), len(info.pods)) == (2, 1)


def test_a_cluster_and_its_copy_have_snapshots_of_their_own() -> None:
    cluster = small_cluster()
    copy = cluster.copy()
    before = picture_of_snapshot(cluster.snapshot())
    assert picture_of_snapshot(copy.snapshot()) == before
    copy.assume(WEB, "n1")
    assert picture_of_snapshot(cluster.snapshot()) == before
    assert list(copy.snapshot().node_infos["n1"].pods) == ["default/bound", "shop/web"]


@pytest.mark.parametrize("kind", FACET_OF_KIND)
def test_each_kind_has_a_table_of_its_own(kind: type[Service]) -> None:
    cluster, made = Cluster(), kind(metadata=ObjectMeta(name="x"))
    cluster.add(made)
    snapshot = cluster.snapshot()
    assert {each: dict(snapshot.of(each)) for each in FACET_OF_KIND if len(snapshot.of(each))} == {
        kind: {"x": made}
    }


@pytest.mark.parametrize("kind", [Deployment, Pod, Node])
def test_a_kind_that_is_not_kept_as_it_is_cannot_be_asked_for(kind: type[Pod]) -> None:
    with pytest.raises(ClusterError) as caught:
        small_cluster().snapshot().of(kind)
    assert str(caught.value) == f"{kind.__name__}: a cluster keeps no objects of this kind"


def test_the_generation_of_facets_is_that_of_the_newest() -> None:
    cluster = small_cluster()
    before = cluster.snapshot()
    cluster.update(SERVICE)
    after = cluster.snapshot()
    assert after.generation_of([Facet.SERVICES]) > before.generation_of(Facet)
    assert after.generation_of([Facet.SERVICES, Facet.NAMESPACES]) == after.generation_of(Facet)
    assert after.generation_of([Facet.CLUSTER_PODS]) == before.generation_of([Facet.CLUSTER_PODS])
    assert after.generation_of([]) == after.generation_of([Facet.NAMESPACES]) == 0
