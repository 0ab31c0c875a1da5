"""All that a scheduler says about a pod is in its answer."""

import io
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.errors import SpecError
from kubesched.framework import FITS, Extender, Fit, PredicateSpec, PrioritySpec, Victims
from kubesched.model import (
    ObjectMeta,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimVolumeSource,
    PersistentVolumeSpec,
    PersistentVolumeStatus,
    Pod,
    StorageClass,
    Volume,
    VolumeResourceRequirements,
)
from kubesched.quantity import Quantity
from kubesched.state import Cluster, NodeInfo, Snapshot
from kubesched.testing.differential import PreemptionAnswer, Verdict, record, replay
from tests.testing.differential.worlds import CLOSED, PROFILE, racks


def lose(_pod: Pod, _meta: None, _info: NodeInfo, /) -> Fit:
    raise KeyError("map")


LOST = PredicateSpec("Lost", lose)


def test_a_decision_is_recorded_with_its_evidence() -> None:
    web = record(PROFILE, racks()).expected.results[0]
    assert (web.pod, web.node, web.top, web.message) == ("default/web-1", "n2", ("n2",), None)
    assert web.filter == {
        "n1": Verdict(fits=True),
        "n2": Verdict(fits=True),
        "n7": Verdict(fits=False, reasons=[CLOSED.text]),
    }
    assert web.scores == {
        "LeastRequestedPriority": {"n1": 7, "n2": 8},
        "PreferRack": {"n1": 0, "n2": 3},
    }
    assert web.totals == {"n1": 7, "n2": 11}
    assert web.preemption is None


def test_every_predicate_is_recorded_by_itself() -> None:
    each = record(PROFILE, racks()).expected.results[0].each
    assert each is not None
    rules = ["CheckNodeUnschedulable", "GeneralPredicates", "PodToleratesNodeTaints", "RackIsOpen"]
    assert [(name, [*answers]) for name, answers in each.items()] == [
        ("n1", rules),
        ("n2", rules),
        ("n7", rules),
    ]
    assert str(each["n7"]["RackIsOpen"]) == f"does not fit: {CLOSED.text}"
    assert str(each["n7"]["GeneralPredicates"]) == "fits"


def test_in_a_large_cluster_predicates_are_not_recorded_by_themselves() -> None:
    nodes = [node(f"n{number}") for number in range(21)]
    answers = [
        record(PROFILE, Cluster.of([*nodes[:count], pod("web")])).expected.results[0]
        for count in (20, 21)
    ]
    assert [answer.each is None for answer in answers] == [False, True]
    assert answers[1].filter is not None


def test_who_would_make_room_is_recorded_and_nobody_leaves() -> None:
    cluster = Cluster.of(
        [
            node("n1", cpu=2),
            pod("low", cpu=2, node_name="n1"),
            pod("high", cpu=1, priority=9),
            pod("higher", cpu=2, priority=99),
        ]
    )
    for answer in record(PROFILE, cluster).expected.results:
        assert answer.node is None
        assert answer.message == "0/1 nodes are available: 1 Insufficient cpu."
        assert answer.preemption is not None
        assert (answer.preemption.nominated_node, answer.preemption.victims) == ("n1", ("low",))


@pytest.mark.parametrize("option", [{"pod_priority": False}, {"disable_preemption": True}], ids=str)
def test_that_nobody_makes_room_is_recorded(option: dict[str, bool]) -> None:
    answer = record(PROFILE.with_options(**option), racks()).expected.results[2]
    assert (answer.node, answer.preemption) == (None, None)


def test_a_predicate_that_cannot_answer_is_recorded_with_its_error() -> None:
    answer = record(PROFILE.with_predicate(LOST), racks()).expected.results[0]
    assert (answer.node, answer.message) == (None, "'map' (repeated 2 times)")
    assert answer.filter is not None
    assert str(answer.filter["n1"]) == "error: 'map'"
    assert str(answer.filter["n7"]) == f"does not fit: {CLOSED.text}"


def test_one_that_cannot_even_prepare_is_recorded_with_its_error_on_every_node() -> None:
    def lost(_pod: Pod, _snapshot: Snapshot) -> None:
        raise KeyError("map")

    content = PredicateSpec("Lost", lambda _pod, _meta, _node: FITS, prepare=lost)
    answer = record(PROFILE.with_predicate(content), racks()).expected.results[0]
    assert (answer.node, answer.message) == (None, "'map'")
    assert answer.filter == dict.fromkeys(["n1", "n2", "n7"], Verdict(fits=False, error="'map'"))


def test_that_nobody_can_tell_who_would_make_room_is_recorded() -> None:
    def out_of_order(_pod: Pod, _victims: object, _nodes: object) -> Mapping[str, Victims]:
        raise RuntimeError("out of order")

    low, high = pod("low", cpu=2, node_name="n1"), pod("high", cpu=2, priority=9)
    cluster = Cluster.of([node("n1", cpu=2), low, high])
    rules = PROFILE.with_extender(Extender("licences", preempt=out_of_order))
    answer = record(rules, cluster).expected.results[0]
    assert answer.message == "0/1 nodes are available: 1 Insufficient cpu."
    assert answer.preemption == PreemptionAnswer(
        error="preempt of extender 'licences' raised RuntimeError: out of order"
    )
    assert replay(record(rules, cluster), rules).agrees


@pytest.mark.parametrize(
    ("cluster", "message"),
    [
        pytest.param(Cluster(), "no nodes available to schedule pods", id="no nodes"),
        pytest.param(
            Cluster.of([node("n1")]), 'persistentvolumeclaim "data" not found', id="a claim is gone"
        ),
    ],
)
def test_where_no_node_is_looked_at_there_are_no_verdicts(cluster: Cluster, message: str) -> None:
    source = PersistentVolumeClaimVolumeSource(claim_name="data")
    waiting = pod("db", volumes=[Volume(name="data", persistent_volume_claim=source)])
    mounted = waiting if "claim" in message else pod("db")
    answer = record(PROFILE, cluster, [mounted]).expected.results[0]
    assert (answer.message, answer.filter, answer.top) == (message, {}, ())


def test_after_an_error_room_is_still_kept_for_those_who_were_promised_it() -> None:
    def lost(_pod: object, _meta: object, info: NodeInfo) -> Fit:
        if info.name == "n2":
            raise KeyError("map")
        return FITS

    promised = pod("promised", cpu=2, priority=9)
    cluster = Cluster.of([node("n1", cpu=2), node("n2", cpu=2), pod("web", cpu=1)])
    cluster.add_pod(evolve(promised, status=evolve(promised.status, nominated_node_name="n1")))
    rules = PROFILE.with_predicate(PredicateSpec("Lost", lost))
    filtered = record(rules, cluster, [cluster.pending["default/web"]]).expected.results[0].filter
    assert filtered is not None
    assert {name: str(verdict) for name, verdict in filtered.items()} == {
        "n1": "does not fit: Insufficient cpu",
        "n2": "error: 'map'",
    }


def test_a_node_that_is_only_claimed_is_none() -> None:
    cluster = Cluster.of([node("n1"), pod("lost", node_name="gone"), pod("web")])
    answer = record(PROFILE, cluster).expected.results[0]
    assert answer.filter is not None
    assert answer.each is not None
    assert ([*answer.filter], [*answer.each]) == (["n1"], ["n1"])


def test_a_score_may_be_a_truth_value() -> None:
    rules = PROFILE.with_priority(PrioritySpec("Likes", lambda _pod, _meta, _node: True))
    stream = io.StringIO()
    record(rules, racks(), target=stream)
    assert replay(stream.getvalue().splitlines(), rules).agrees


def test_a_placed_pod_takes_its_volumes() -> None:
    answers = record(Profile.default(), with_one_disk()).expected.results
    assert [answer.node for answer in answers] == ["n1", None]


def with_one_disk() -> Cluster:
    """Return a cluster of a node, a disk, and two pods with claims that wait for one."""
    storage = Quantity("1Gi")
    local = StorageClass(
        metadata=ObjectMeta(name="local"),
        provisioner="kubernetes.io/no-provisioner",
        volume_binding_mode="WaitForFirstConsumer",
    )
    disk = PersistentVolume(
        metadata=ObjectMeta(name="disk"),
        spec=PersistentVolumeSpec(
            capacity={"storage": storage},
            access_modes=["ReadWriteOnce"],
            storage_class_name="local",
        ),
        status=PersistentVolumeStatus(phase="Available"),
    )
    claims = [
        PersistentVolumeClaim(
            metadata=ObjectMeta(name=name, namespace="default"),
            spec=PersistentVolumeClaimSpec(
                access_modes=["ReadWriteOnce"],
                resources=VolumeResourceRequirements(requests={"storage": storage}),
                storage_class_name="local",
            ),
        )
        for name in ("c1", "c2")
    ]
    pods = [
        pod(f"db-{claim.name}", volumes=[Volume(name="data", persistent_volume_claim=source)])
        for claim in claims
        for source in [PersistentVolumeClaimVolumeSource(claim_name=claim.name)]
    ]
    return Cluster.of([node("n1"), local, disk, *claims, *pods])


def test_what_breaks_the_contract_is_not_recorded() -> None:
    odd: Any = lambda _pod, _meta, _node: True  # noqa: E731 - with a type it would be no mistake
    rules = PROFILE.with_predicate(PredicateSpec("Odd", odd))
    with pytest.raises(SpecError, match="predicate 'Odd' returned True"):
        record(rules, racks())
