"""What single steps cost; nothing here says how much they may.

pytest tests/bench
"""

from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import GenericScheduler
from kubesched.framework import PredicateSpec, PrioritySpec, meta_of
from kubesched.manifests import load_objects
from kubesched.quantity import Quantity
from kubesched.state import Cluster
from tests.bench.throughput import Workload
from tests.bench.workloads import make_workload, write_workload

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


@pytest.mark.parametrize("spec", PROFILE.predicates, ids=lambda spec: spec.name)
def test_ask_a_predicate_about_1_000_nodes(
    benchmark: BenchmarkFixture, spec: PredicateSpec[Any]
) -> None:
    workload = half_placed("E", 1000)
    web, snapshot = workload.pods[0], workload.cluster.snapshot()
    nodes = list(snapshot.node_infos.values())

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
@pytest.mark.parametrize("kind", ["A", "B", "E"])
def test_decide(benchmark: BenchmarkFixture, kind: str, nodes: int) -> None:
    workload = half_placed(kind, nodes)
    scheduler, pods = GenericScheduler(workload.cluster, PROFILE), cycle(workload.pods)
    benchmark(lambda: scheduler.schedule(next(pods)))
