"""What a scheduler decides is written down, always to the same bytes."""

import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from kubesched.builders import node, pod
from kubesched.config import FeatureGates, Profile, stock_registry
from kubesched.engine import EquivalenceCache, GenericScheduler, Random
from kubesched.errors import ClusterError, SchedulingError
from kubesched.model import Pod
from kubesched.runtime import Scheduler
from kubesched.state import Cluster
from kubesched.testing import clusters
from kubesched.testing.differential import (
    DecidesBy,
    ScenarioConfig,
    assert_same_decisions,
    read_recordings,
    record,
    replay,
)
from tests.testing.differential.worlds import PROFILE, racks

CONDITIONS = FeatureGates(taint_nodes_by_condition=False, balance_attached_node_volumes=True)
ELSEWHERE = Cluster()
DECIDERS: dict[str, DecidesBy] = {
    "a profile": Profile.default(),
    "one that asks every predicate": Profile.default().with_options(
        always_check_all_predicates=True
    ),
    "one without preemption": Profile.default(FeatureGates(pod_priority=False)),
    "a registry": stock_registry(CONDITIONS),
    "a scheduler that takes turns": GenericScheduler(ELSEWHERE, Profile.default(CONDITIONS)),
    "one that chooses by chance, and remembers": GenericScheduler(
        ELSEWHERE, Profile.default(), select=Random(3), equivalence_cache=EquivalenceCache()
    ),
    "a whole loop": Scheduler(ELSEWHERE, PROFILE),
}

few = settings(max_examples=40)


def deciders() -> st.SearchStrategy[DecidesBy]:
    return st.sampled_from([*DECIDERS.values()])


def recorded(by: DecidesBy, cluster: Cluster) -> str:
    stream = io.StringIO()
    record(by, cluster, target=stream)
    return stream.getvalue()


# -- laws ------------------------------------------------------------------------------------------


@few
@given(clusters(max_pending=3), deciders())
def test_what_is_recorded_is_read_as_it_was_and_decided_as_it_was(
    cluster: Cluster, by: DecidesBy
) -> None:
    text = recorded(by, cluster)
    assert [*read_recordings(io.StringIO(text))] == [record(by, cluster)]
    report = replay(io.StringIO(text), by)
    assert not report.differences, str(report)
    assert report.decisions == len(cluster.pending)


@few
@given(clusters(max_pending=3), deciders())
def test_recorded_twice_it_is_the_same_and_the_cluster_is_as_it_was(
    cluster: Cluster, by: DecidesBy
) -> None:
    before = cluster.snapshot()
    assert recorded(by, cluster) == recorded(by, cluster)
    assert cluster.snapshot() is before


@few
@given(clusters(max_pending=3), deciders())
def test_whoever_decides_decides_the_same_again(cluster: Cluster, by: DecidesBy) -> None:
    assert_same_decisions(by, by, cluster)


@few
@given(clusters(min_pending=1))
def test_the_first_decision_is_what_a_scheduler_says_itself(cluster: Cluster) -> None:
    first = record(Profile.default(), cluster).expected.results[0]
    scheduler = GenericScheduler(cluster, Profile.default(), select=min)
    assert (first.node, first.message) == asked(scheduler, cluster.pending[first.pod])


def asked(scheduler: GenericScheduler, waiting: Pod) -> tuple[str | None, str | None]:
    try:
        return scheduler.schedule(waiting).node, None
    except SchedulingError as error:
        return None, str(error)


# -- which pods ------------------------------------------------------------------------------------


def test_each_pod_is_there_when_the_next_one_comes() -> None:
    cluster = Cluster.of([node("n1", cpu=2), node("n2", cpu=2)])
    answers = record(PROFILE, cluster, [pod(f"web-{number}", cpu=2) for number in range(3)])
    assert [answer.node for answer in answers.expected.results] == ["n1", "n2", None]


@pytest.mark.parametrize("name", ["pinned", "web-1"], ids=["a new one", "one that waited"])
def test_a_pod_that_names_a_node_is_decided_about(name: str) -> None:
    pods = [pod(name, node_name="n1")]
    answers = record(PROFILE, racks(), pods).expected.results
    assert [answer.node for answer in answers] == ["n1"]
    assert_same_decisions(PROFILE, PROFILE, racks(), pods)


@pytest.mark.parametrize(
    ("pods", "said"),
    [
        pytest.param([pod("db")], "the pod is bound already", id="a pod that is there"),
        pytest.param(
            [pod("db", node_name="n1")], "the pod is on a node already", id="one that names it"
        ),
        pytest.param([pod("new")] * 2, "the pod comes twice", id="the same pod twice"),
    ],
)
def test_a_pod_that_is_there_cannot_come(pods: list[Pod], said: str) -> None:
    cluster = racks()
    with pytest.raises(ClusterError, match=said):
        record(PROFILE, cluster, pods)
    with pytest.raises(ClusterError, match=said):
        assert_same_decisions(PROFILE, PROFILE, cluster, pods)


def test_of_a_pod_that_waits_it_is_the_version_given_that_counts() -> None:
    larger = pod("web-1", cpu=5)
    recording = record(PROFILE, racks(), [larger])
    assert recording.scenario.pending == (larger,)
    assert recording.expected.results[0].node is None
    assert "default/web-1" not in [each.key for each in recording.scenario.objects.pods]


# -- how it is set up ------------------------------------------------------------------------------


def test_the_rules_are_named_in_a_policy() -> None:
    config = record(PROFILE, racks()).scenario.config
    assert config.policy is not None
    assert [each["name"] for each in config.policy["predicates"]] == [
        "CheckNodeUnschedulable",
        "GeneralPredicates",
        "PodToleratesNodeTaints",
        "RackIsOpen",
    ]
    assert config.policy["priorities"][1] == {"name": "PreferRack", "weight": 1}


def test_stock_rules_are_replayed_by_the_recording_alone() -> None:
    rules = Profile.default(FeatureGates(pod_priority=False))
    assert replay(record(rules.with_options(always_check_all_predicates=True), racks())).agrees


def test_options_are_replayed_by_the_recording_alone() -> None:
    nodes = [node(f"n{number:03}", cpu=2) for number in range(220)]
    many = Cluster.of([*nodes, pod("web-1"), pod("web-2")])
    low = pod("low", cpu=2, node_name="n1")
    full = Cluster.of([node("n1", cpu=2), low, pod("high", cpu=2, priority=9)])
    some = PROFILE.with_options(percentage_of_nodes_to_score=50).without("RackIsOpen")
    alone = some.with_options(disable_preemption=True)
    for rules, cluster in ((some, many), (alone, full)):
        pinned = record(rules.without("PreferRack"), cluster)
        report = replay(pinned)
        assert report.agrees, str(report)
    assert len(record(some, many).expected.results[0].filter or ()) == 110


def test_somebody_may_say_how_it_is_set_up() -> None:
    config = ScenarioConfig(provider="ClusterAutoscalerProvider")
    rules = Profile.from_provider("ClusterAutoscalerProvider")
    recording = record(rules, racks(), config=config, name="autoscaler/1")
    assert recording.scenario.config == evolve(config, update_nodes=True)
    assert recording.scenario.name == "autoscaler/1"
    assert replay(recording).agrees


def grown() -> Iterator[Cluster]:
    """Go over clusters whose nodes were told of images before others had them, and after."""
    images = {"web:1": 300_000_000}
    one_by_one, updated = Cluster(), Cluster()
    for cluster in (one_by_one, updated):
        for name in ("n1", "n2", "n3"):
            cluster.add_node(node(name, images=images))
    for each in updated.nodes.values():
        updated.update_node(each)
    yield from (one_by_one, updated)


@pytest.mark.parametrize(
    ("cluster", "updated"),
    [
        pytest.param(cluster, updated, id=f"updated: {updated}")
        for cluster, updated in zip(grown(), (False, True), strict=True)
    ],
)
def test_nodes_know_of_images_what_they_knew(cluster: Cluster, *, updated: bool) -> None:
    cluster.add_pod(pod("web", image="web:1"))
    recording = record(Profile.default(), cluster)
    assert recording.scenario.config.update_nodes is updated
    scores = GenericScheduler(cluster, Profile.default()).schedule(pod("web", image="web:1")).scores
    assert recording.expected.results[0].scores == scores


# -- where to --------------------------------------------------------------------------------------


def test_a_path_is_replaced_and_compressed_if_it_says_so(tmp_path: Path) -> None:
    plain, packed = tmp_path / "pinned.jsonl", tmp_path / "pinned.jsonl.gz"
    for target in (plain, packed, str(packed), plain):
        record(PROFILE, racks(), target=target)
    text = plain.read_bytes()
    assert text.count(b"\n") == 1
    assert gzip.decompress(packed.read_bytes()) == text
    assert text.decode() == recorded(PROFILE, racks())


def test_compressed_it_is_the_same_bytes_whatever_the_time_and_name(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl.gz", tmp_path / "other.jsonl.gz"
    for target in (one, other):
        record(PROFILE, racks(), target=target)
    assert one.read_bytes() == other.read_bytes()
    assert one.read_bytes()[4:8] == bytes(4)


def test_a_stream_takes_one_recording_after_the_other() -> None:
    stream = io.StringIO()
    for name in ("racks/1", "racks/2"):
        record(PROFILE, racks(), target=stream, name=name)
    names = [each.scenario.name for each in read_recordings(io.StringIO(stream.getvalue()))]
    assert names == ["racks/1", "racks/2"]
