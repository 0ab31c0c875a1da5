"""What single steps cost; nothing here says how much they may.

pytest tests/bench
"""

from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from pytest_benchmark.fixture import BenchmarkFixture

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import FitError, GenericScheduler
from kubesched.framework import SKIP, PredicateSpec, PrioritySpec, meta_of
from kubesched.manifests import load_objects
from kubesched.model import (
    Affinity,
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    CSIPersistentVolumeSource,
    GCEPersistentDiskVolumeSource,
    LabelSelector,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    ObjectMeta,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimVolumeSource,
    PersistentVolumeSpec,
    Pod,
    PodAffinityTerm,
    PodAntiAffinity,
    Volume,
    VolumeNodeAffinity,
)
from kubesched.plugins.network_latency import network_latency, peers_by_label
from kubesched.plugins.pod_affinity import INTER_POD_AFFINITY, MATCH_INTER_POD_AFFINITY
from kubesched.quantity import Quantity
from kubesched.state import Cluster
from tests.bench.measuring import Workload
from tests.bench.workloads import make_workload, write_workload

ZONE = "failure-domain.beta.kubernetes.io/zone"
PROFILE = Profile.default().with_options(percentage_of_nodes_to_score=100)


@cache
def half_placed(kind: str, nodes: int) -> Workload:
    """Put the first half of a workload's pods on its nodes in turn; the other half is left."""
    workload = Workload.of(load_objects(*make_workload(kind, nodes)))
    half = len(workload.pods) // 2
    for each, name in zip(workload.pods[:half], cycle(workload.cluster.nodes), strict=False):
        workload.cluster.assume(each, name)
    return Workload(workload.cluster, workload.pods[half:])


def test_read_a_quantity_that_was_read_before(benchmark: BenchmarkFixture) -> None:
    benchmark(Quantity, "1536Mi")


def test_read_5_000_quantities_that_differ(benchmark: BenchmarkFixture) -> None:
    texts = [f"{number}Ki" for number in range(1, 5001)]
    benchmark(lambda: [Quantity(text) for text in texts])


def test_load_1_000_pods(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    write_workload(make_workload("A", 500), tmp_path)
    assert len(benchmark(load_objects, tmp_path / "pods.jsonl")) == 1000


@pytest.mark.parametrize("nodes", [100, 1000, 10_000])
def test_take_a_snapshot_after_one_change(benchmark: BenchmarkFixture, nodes: int) -> None:
    cluster = Cluster.of(node(f"worker-{number}") for number in range(nodes))
    pods = [pod(f"web-{number}") for number in range(500)]
    changes = zip(pods, cycle(cluster.nodes), strict=False)

    def change() -> None:
        cluster.assume(*next(changes))

    cluster.snapshot()
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        cluster.snapshot, setup=change, rounds=len(pods)
    )


def test_assume_and_forget_a_pod(benchmark: BenchmarkFixture) -> None:
    cluster, web = Cluster.of([node("worker-1")]), pod("web-1", cpu="100m")
    benchmark(lambda: cluster.forget(cluster.assume(web, "worker-1")))


@pytest.mark.parametrize("assumed", [10, 10_000])
def test_look_for_pods_that_have_expired(benchmark: BenchmarkFixture, assumed: int) -> None:
    cluster = Cluster.of([node("worker-1")])
    for number in range(assumed):
        cluster.finish_binding(cluster.assume(pod(f"web-{number}"), "worker-1"), now=0.0)
    assert benchmark(cluster.expire, 1.0) == ()


def volumes_in(namespace: str) -> tuple[PersistentVolumeClaim, PersistentVolume]:
    """Return a claim and the volume to which it is bound; the nodes of one zone reach it."""
    in_zone = NodeSelectorRequirement(key=ZONE, operator="In", values=["north-a"])
    reach = NodeSelector(node_selector_terms=[NodeSelectorTerm(match_expressions=[in_zone])])
    bound = {"pv.kubernetes.io/bind-completed": "yes"}
    return (
        PersistentVolumeClaim(
            metadata=ObjectMeta(name="data", namespace=namespace, annotations=bound),
            spec=PersistentVolumeClaimSpec(volume_name="disk-1"),
        ),
        PersistentVolume(
            metadata=ObjectMeta(name="disk-1", labels={ZONE: "north-a"}),
            spec=PersistentVolumeSpec(
                csi=CSIPersistentVolumeSource(driver="example.com/disks", volume_handle="1"),
                node_affinity=VolumeNodeAffinity(required=reach),
            ),
        ),
    )


def with_volumes(asked: Pod) -> Pod:
    """Return a pod with a volume of every kind, so that every predicate has something to say."""
    volumes = [
        Volume(persistent_volume_claim=PersistentVolumeClaimVolumeSource(claim_name="data")),
        Volume(aws_elastic_block_store=AWSElasticBlockStoreVolumeSource(volume_id="disk-2")),
        Volume(gce_persistent_disk=GCEPersistentDiskVolumeSource(pd_name="disk-3")),
        Volume(azure_disk=AzureDiskVolumeSource(disk_name="disk-4")),
    ]
    return evolve(asked, spec=evolve(asked.spec, volumes=volumes))


@pytest.mark.parametrize("spec", PROFILE.predicates, ids=lambda spec: spec.name)
def test_ask_a_predicate_about_1_000_nodes(
    benchmark: BenchmarkFixture, spec: PredicateSpec[Any]
) -> None:
    workload = half_placed("E", 1000)
    web, cluster = with_volumes(workload.pods[0]), workload.cluster.copy()
    for each in volumes_in(web.namespace):
        cluster.add(each)
    snapshot = cluster.snapshot()
    nodes = list(snapshot.node_infos.values())
    assert meta_of(spec, web, snapshot) is not SKIP

    def ask() -> None:
        meta = meta_of(spec, web, snapshot)
        for each in nodes:
            spec.check(web, meta, each)

    benchmark(ask)


@pytest.mark.parametrize("spec", PROFILE.priorities, ids=lambda spec: spec.name)
def test_score_1_000_nodes_by_a_priority(
    benchmark: BenchmarkFixture, spec: PrioritySpec[Any]
) -> None:
    workload = half_placed("E", 1000)
    web, snapshot = workload.pods[0], workload.cluster.snapshot()
    nodes = list(snapshot.node_infos.values())

    def score() -> None:
        meta = meta_of(spec, web, snapshot)
        scores = [spec.map(web, meta, each) for each in nodes]
        if spec.reduce is not None:
            spec.reduce(web, meta, nodes, scores)

    benchmark(score)


@pytest.mark.parametrize("nodes", [100, 1000])
@pytest.mark.parametrize("kind", ["A", "B", "D", "E"])
def test_decide(benchmark: BenchmarkFixture, kind: str, nodes: int) -> None:
    workload = half_placed(kind, nodes)
    scheduler, pods = GenericScheduler(workload.cluster, PROFILE), cycle(workload.pods)
    benchmark(lambda: scheduler.schedule(next(pods)))


# -- rules that look at all placed pods ------------------------------------------------------------

NODES, PODS, APPS, WITH_TERMS = 1000, 10_000, 50, 50


def apart_from(app: str, topology_key: str) -> Affinity:
    """Return required anti-affinity to the pods of an app."""
    selector = LabelSelector(match_labels={"app": app})
    term = PodAffinityTerm(label_selector=selector, topology_key=topology_key)
    return Affinity(pod_anti_affinity=PodAntiAffinity(required=[term]))


def placed_pods(node_names: list[str], *, with_terms: int) -> Iterator[Pod]:
    """Make pods of 400m on nodes in turn; the first ones keep away from their own app's hosts."""
    for index, name in zip(range(PODS), cycle(node_names), strict=False):
        app = f"app-{(index + index // NODES) % APPS}"  # one pod of an app on a node
        yield pod(
            f"pod-{index}",
            labels={"app": app},
            cpu="400m",
            affinity=apart_from(app, "kubernetes.io/hostname") if index < with_terms else None,
            node_name=name,
        )


@cache
def crowded(*, with_terms: int) -> Cluster:
    """Return 1,000 nodes of 4 cores in 3 zones, each full with 10 pods."""
    nodes = [node(f"worker-{index}", cpu=4, zone=f"z{index % 3}") for index in range(NODES)]
    names = [each.name for each in nodes]
    return Cluster.of([*nodes, *placed_pods(names, with_terms=with_terms)])


SPECS = [MATCH_INTER_POD_AFFINITY, INTER_POD_AFFINITY]
ASKED = {
    "a pod without terms": pod("web", labels={"app": "app-7"}),
    "a pod with a term": pod("web", labels={"app": "app-7"}, affinity=apart_from("app-7", ZONE)),
}


@pytest.mark.parametrize("with_terms", [WITH_TERMS, PODS], ids=["50 with terms", "all with terms"])
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_prepare_affinity_to_10_000_pods(
    benchmark: BenchmarkFixture,
    spec: PredicateSpec[Any] | PrioritySpec[Any],
    asked: Pod,
    with_terms: int,
) -> None:
    snapshot = crowded(with_terms=with_terms).snapshot()
    benchmark(meta_of, spec, asked, snapshot)


@pytest.mark.parametrize("topology_key", [ZONE, "kubernetes.io/hostname"])
def test_prepare_network_latency_to_10_000_pods(
    benchmark: BenchmarkFixture, topology_key: str
) -> None:
    snapshot = crowded(with_terms=WITH_TERMS).snapshot()
    places = {info.labels[topology_key] for info in snapshot.node_infos.entries()}
    latency = {place: {other: float(place != other) for other in places} for place in places}
    peers = peers_by_label("app", {"app-7": {"app-8": 2, "app-9": 1}})
    spec = network_latency(latency, topology_key=topology_key, peers=peers)
    benchmark(meta_of, spec, ASKED["a pod without terms"], snapshot)


@pytest.mark.parametrize("with_terms", [0, PODS], ids=["no terms", "each pod with a term"])
def test_preempt_on_1_000_full_nodes(benchmark: BenchmarkFixture, with_terms: int) -> None:
    cluster = crowded(with_terms=with_terms)
    scheduler, snapshot = GenericScheduler(cluster, PROFILE), cluster.snapshot()
    vip = pod("vip", labels={"app": "app-7"}, cpu=2, priority=1000)
    with pytest.raises(FitError) as refused:
        scheduler.schedule(vip, snapshot)
    error = refused.value

    def preempt() -> str | None:
        return scheduler.preempt(vip, error, snapshot).node

    assert benchmark.pedantic(preempt, rounds=5) is not None  # type: ignore[no-untyped-call]
