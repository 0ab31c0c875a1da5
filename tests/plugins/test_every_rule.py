"""What holds for every stock rule."""

from typing import Any, TypeAlias

import pytest
from hypothesis import given, strategies as st

from kubesched.config import FeatureGates, stock_registry
from kubesched.errors import SelectorError
from kubesched.framework import (
    AFTER_STOCK,
    FITS,
    MAX_SCORE,
    SKIP,
    PredicateSpec,
    PrioritySpec,
    Reason,
)
from kubesched.model import KubeObject, Node, NodeSpec, NodeStatus, ObjectMeta, Pod
from kubesched.plugins.network_latency import network_latency, peers_by_label
from kubesched.plugins.node_labels import check_node_label_presence, node_label
from kubesched.plugins.pod_affinity.reasons import PodAffinityError
from kubesched.plugins.service_affinity import check_service_affinity
from kubesched.plugins.spreading import service_anti_affinity
from kubesched.plugins.taints import POD_TOLERATES_NODE_NO_EXECUTE_TAINTS
from kubesched.state import Facet, NodeInfo, Snapshot
from kubesched.testing.machines.pictures import picture_of_snapshot
from tests.plugins.asking import nodes_of, ready, scores_in, snapshot_of
from tests.plugins.strategies import asked_pods, clusters, nodes, pods_on

REGISTRIES = [
    stock_registry(FeatureGates(resource_limits_priority_function=True)),
    stock_registry(
        FeatureGates(
            taint_nodes_by_condition=False,
            attach_volume_limit=False,
            volume_scheduling=False,
            balance_attached_node_volumes=True,
        )
    ),
]
PREDICATES: dict[str, PredicateSpec[Any]] = {
    **REGISTRIES[0].predicates,
    **REGISTRIES[1].predicates,
    "PodToleratesNodeNoExecuteTaints": POD_TOLERATES_NODE_NO_EXECUTE_TAINTS,
    "CheckNodeLabelPresence": check_node_label_presence(["app"], presence=False),
    "CheckServiceAffinity": check_service_affinity(["app"]),
}
PRIORITIES: dict[str, PrioritySpec[Any]] = {
    **REGISTRIES[0].priorities,
    "with volumes": REGISTRIES[1].priority("BalancedResourceAllocation"),
    "NodeLabel": node_label("NodeLabel", "app", presence=True),
    "ServiceAntiAffinity": service_anti_affinity("app"),
    "NetworkLatency": network_latency(
        lambda one, other: int(one != other),
        topology_key="app",
        peers=peers_by_label("app", {"a": {"b": 1}}),
    ),
}

each_predicate = pytest.mark.parametrize("spec", PREDICATES.values(), ids=PREDICATES)
each_priority = pytest.mark.parametrize("spec", PRIORITIES.values(), ids=PRIORITIES)


def asked_twice(spec: PredicateSpec[Any], asked: Pod, snapshot: Snapshot) -> None:
    meta, again = (ready(spec, asked, snapshot) for _ in range(2))
    assert (meta is SKIP) == (again is SKIP)
    for info in nodes_of(snapshot) if meta is not SKIP else ():
        reasons = reasons_of(spec, asked, meta, info)
        assert (
            reasons == reasons_of(spec, asked, meta, info) == reasons_of(spec, asked, again, info)
        )
        assert all(reason.text for reason in reasons)


def reasons_of(
    spec: PredicateSpec[Any], asked: Pod, meta: object, info: NodeInfo
) -> tuple[Reason, ...]:
    """Return why a pod is refused; that it cannot be told is a reason, too."""
    try:
        return FITS.reasons if meta is SKIP else spec.check(asked, meta, info).reasons
    except PodAffinityError as error:
        return (Reason(f"no answer: {error}"),)


@given(clusters(), asked_pods)
def test_a_predicate_asked_again_answers_the_same_and_changes_nothing(
    objects: list[KubeObject], asked: Pod
) -> None:
    snapshot = snapshot_of(objects)
    before = picture_of_snapshot(snapshot)
    for spec in PREDICATES.values():
        asked_twice(spec, asked, snapshot)
    assert picture_of_snapshot(snapshot) == before
    for info in snapshot.node_infos.values():
        info._check()


@given(clusters(), asked_pods)
def test_what_eviction_cannot_cure_stays_when_all_pods_are_gone(
    objects: list[KubeObject], asked: Pod
) -> None:
    crowded = snapshot_of(objects)
    empty = snapshot_of(each for each in objects if isinstance(each, Node))
    for spec in PREDICATES.values():
        for full, free in zip(nodes_of(crowded), nodes_of(empty), strict=True):
            refused = refusal(spec, asked, crowded, full)
            hopeless = {reason for reason in refused if not reason.resolvable}
            assert hopeless <= set(refusal(spec, asked, empty, free))


def refusal(
    spec: PredicateSpec[Any], asked: Pod, snapshot: Snapshot, info: NodeInfo
) -> tuple[Reason, ...]:
    return reasons_of(spec, asked, ready(spec, asked, snapshot), info)


@given(clusters(), asked_pods)
def test_a_score_lies_between_0_and_10(objects: list[KubeObject], asked: Pod) -> None:
    snapshot = snapshot_of(objects)
    before = picture_of_snapshot(snapshot)
    for spec in PRIORITIES.values():
        try:
            scores = scores_in(spec, asked, snapshot)
        except SelectorError:
            assert spec.name == "NodeAffinityPriority"
            continue
        assert scores == scores_in(spec, asked, snapshot)
        assert len(scores) == len(nodes_of(snapshot))
        assert all(type(score) is int and 0 <= score <= MAX_SCORE for score in scores)
    assert picture_of_snapshot(snapshot) == before


# -- what a rule reads -------------------------------------------------------------------------

Rule: TypeAlias = PredicateSpec[Any] | PrioritySpec[Any]

OF_PODS = {Facet.PODS, Facet.REQUESTED, Facet.PORTS, Facet.DISKS, Facet.CLUSTER_PODS}

on_n1 = st.just("n1")


def mixed(reads: frozenset[Facet], kept: Node, other: Node) -> Node:
    """Return a node that has of one what is read, and of the other what is not."""

    def of(facet: Facet) -> Node:
        return kept if reads & {facet, Facet.CLUSTER_NODES} else other

    return Node(
        metadata=ObjectMeta(
            name=kept.name,
            labels=of(Facet.LABELS).labels,
            annotations=of(Facet.ANNOTATIONS).annotations,
        ),
        spec=NodeSpec(
            taints=of(Facet.TAINTS).spec.taints,
            unschedulable=of(Facet.UNSCHEDULABLE).spec.unschedulable,
        ),
        status=NodeStatus(
            allocatable=of(Facet.ALLOCATABLE).status.allocatable,
            conditions=of(Facet.CONDITIONS).status.conditions,
            images=of(Facet.IMAGES).status.images,
        ),
    )


@given(
    st.tuples(nodes(names=on_n1), nodes(names=on_n1)), pods_on(on_n1), pods_on(on_n1), asked_pods
)
def test_a_rule_reads_no_more_than_it_says(
    both: tuple[Node, Node], placed: list[Pod], others: list[Pod], asked: Pod
) -> None:
    rules: list[Rule] = [*PREDICATES.values(), *PRIORITIES.values()]
    before = snapshot_of([both[0], *placed])
    for spec in rules:
        on_mixed = placed if spec.reads & OF_PODS else others
        after = snapshot_of([mixed(spec.reads, *both), *on_mixed])
        assert answer(spec, asked, before) == answer(spec, asked, after)


def answer(spec: Rule, asked: Pod, snapshot: Snapshot) -> object:
    """Return what a rule says of the only node, before any reduce."""
    (info,) = nodes_of(snapshot)
    meta = ready(spec, asked, snapshot)
    if meta is SKIP:
        return FITS if isinstance(spec, PredicateSpec) else 0
    if isinstance(spec, PredicateSpec):
        return spec.check(asked, meta, info)
    try:
        return spec.map(asked, meta, info)
    except SelectorError as error:
        return str(error)


# -- what its spec says ------------------------------------------------------------------------


@each_predicate
def test_a_stock_predicate_comes_before_those_of_ones_own(spec: PredicateSpec[Any]) -> None:
    assert 0 < spec.order < AFTER_STOCK


@each_predicate
def test_a_predicate_computes_and_waits_for_nothing(spec: PredicateSpec[Any]) -> None:
    assert not spec.blocks


@each_priority
def test_a_priority_computes_and_waits_for_nothing(spec: PrioritySpec[Any]) -> None:
    assert not spec.blocks


@each_priority
def test_a_priority_counts_once_until_somebody_weights_it(spec: PrioritySpec[Any]) -> None:
    assert spec.weight == 1
