"""A whole decision: claims, filter, score, select."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from attrs import evolve

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import (
    ClaimError,
    FirstByName,
    FitError,
    GenericScheduler,
    NoNodesAvailable,
    Workers,
)
from kubesched.errors import OptionError
from kubesched.framework import (
    FITS,
    Fit,
    PredicateSpec,
    PrioritySpec,
    Reason,
    RuleSet,
    normalize,
)
from kubesched.model import (
    KubeObject,
    ObjectMeta,
    PersistentVolumeClaim,
    PersistentVolumeClaimVolumeSource,
    Pod,
    Volume,
)
from kubesched.state import Cluster, Facet, NodeInfo

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
POD = pod("shop/web-1", cpu=1)


def scheduler(
    *objects: KubeObject, rules: RuleSet | None = None, **options: Any
) -> GenericScheduler:
    return GenericScheduler(Cluster.of(objects), rules or Profile.default(), **options)


# -- before any predicate ----------------------------------------------------------------------


def claim(name: str, *, deleted: bool = False) -> PersistentVolumeClaim:
    deletion = NEW_YEAR if deleted else None
    return PersistentVolumeClaim(
        metadata=ObjectMeta(name=name, namespace="shop", deletion_timestamp=deletion)
    )


def using(*claims: str) -> Pod:
    volumes = [
        Volume(
            name=name,
            persistent_volume_claim=PersistentVolumeClaimVolumeSource(claim_name=name),
        )
        for name in claims
    ]
    return pod("shop/db-1", volumes=[Volume(name="scratch"), *volumes])


class Claims(NamedTuple):
    """Claims in the cluster, claims that the pod uses, and what it is told."""

    says: str
    there: list[PersistentVolumeClaim]
    used: list[str]
    text: str


CLAIMS = [
    Claims("a claim that is missing", [], ["data"], 'persistentvolumeclaim "data" not found'),
    Claims(
        "a claim that is being deleted",
        [claim("data", deleted=True)],
        ["data"],
        'persistentvolumeclaim "data" is being deleted',
    ),
    Claims(
        "the first of several",
        [claim("data"), claim("log", deleted=True)],
        ["data", "log", "tmp"],
        'persistentvolumeclaim "log" is being deleted',
    ),
    Claims(
        "a claim in another namespace",
        [evolve(claim("data"), metadata=ObjectMeta(name="data", namespace="bank"))],
        ["data"],
        'persistentvolumeclaim "data" not found',
    ),
]


@pytest.mark.parametrize("case", CLAIMS, ids=lambda case: case.says)
def test_a_pod_is_refused_for(case: Claims) -> None:
    def unasked(_pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
        raise AssertionError("no predicate runs")

    rules = RuleSet([PredicateSpec("Unasked", unasked)])
    with pytest.raises(ClaimError) as caught:
        scheduler(node("a"), *case.there, rules=rules).schedule(using(*case.used))
    assert str(caught.value) == case.text
    assert f'"{caught.value.claim}"' in case.text


def test_claims_that_are_there_do_not_matter_here() -> None:
    decision = scheduler(node("a"), claim("data"), rules=RuleSet()).schedule(using("data"))
    assert decision.node == "a"


def test_claims_come_before_nodes() -> None:
    with pytest.raises(ClaimError):
        scheduler().schedule(using("data"))
    with pytest.raises(NoNodesAvailable):
        scheduler().schedule(POD)


def test_a_node_that_only_pods_speak_of_is_none() -> None:
    with pytest.raises(NoNodesAvailable):
        scheduler(pod("lost", node_name="gone")).schedule(POD)


# -- filter, score, select ---------------------------------------------------------------------


def test_no_node_fits() -> None:
    asked = scheduler(
        node("full", cpu=1), pod("busy", cpu=1, node_name="full"), node("tiny", cpu="500m")
    )
    with pytest.raises(FitError) as caught:
        asked.schedule(POD)
    assert str(caught.value) == "0/2 nodes are available: 2 Insufficient cpu."
    assert list(caught.value.refusals) == ["full", "tiny"]
    assert caught.value.pod is POD


def test_the_only_node_that_fits_is_taken_without_scoring() -> None:
    def unasked(_pod: Pod, _meta: None, _node: NodeInfo, /) -> int:
        raise AssertionError("no priority runs")

    asked = scheduler(
        node("a"),
        node("tiny", cpu="500m"),
        rules=Profile.default().with_priority(PrioritySpec("Unasked", unasked)),
    )
    assert asked.schedule(POD).node == "a"


def test_tied_nodes_take_turns() -> None:
    asked = scheduler(node("a"), node("b"), node("c"))
    assert [asked.schedule(POD).node for _ in range(4)] == ["a", "b", "c", "a"]


def test_the_first_by_name_does_not_depend_on_the_order_of_nodes() -> None:
    for names in ("abc", "cab"):
        assert scheduler(*map(node, names), select=FirstByName()).schedule(POD).node == "a"


def test_a_decision_without_a_choice_is_no_turn() -> None:
    narrow = pod("narrow", node_selector={"disk": "ssd"})
    nowhere = pod("nowhere", cpu=100)
    asked = scheduler(node("a", labels={"disk": "ssd"}), node("b"))
    assert [asked.schedule(each).node for each in (POD, narrow, POD)] == ["a", "a", "b"]
    with pytest.raises(FitError):
        asked.schedule(nowhere)
    assert asked.schedule(POD).node == "a"


def test_the_emptier_node_is_taken() -> None:
    asked = scheduler(node("a"), pod("busy", cpu=2, node_name="a"), node("b"))
    assert asked.schedule(POD).node == "b"


def test_the_search_goes_on_where_it_stopped() -> None:
    rules = RuleSet().with_options(percentage_of_nodes_to_score=50)
    asked = scheduler(*(node(f"n{index}") for index in range(200)), rules=rules)
    first, second, third = (asked.schedule(POD).feasible for _ in range(3))
    assert first == third == tuple(f"n{index}" for index in range(100))
    assert second == tuple(f"n{index}" for index in range(100, 200))


def test_two_schedulers_over_one_cluster_do_not_disturb_each_other() -> None:
    rules = RuleSet().with_options(percentage_of_nodes_to_score=50)
    cluster = Cluster.of(node(f"n{index}") for index in range(150))
    one, other, alone = (GenericScheduler(cluster, rules) for _ in range(3))
    together = [(one.schedule(POD), other.schedule(POD)) for _ in range(3)]
    expected = [alone.schedule(POD).feasible for _ in range(3)]
    assert [decision.feasible for decision, _ in together] == expected
    assert [decision.feasible for _, decision in together] == expected


def test_all_predicates_are_asked_if_the_options_say_so() -> None:
    picky = pod("picky", node_selector={"disk": "ssd"})
    tainted = node("a", taints=["gpu:NoSchedule"])
    for checks_all, count in ((False, 1), (True, 2)):
        rules = Profile.default().with_options(always_check_all_predicates=checks_all)
        with pytest.raises(FitError) as caught:
            scheduler(tainted, rules=rules).schedule(picky)
        assert len(caught.value.refusals["a"]) == count


def test_an_older_snapshot_may_be_decided_on() -> None:
    cluster = Cluster.of([node("a")])
    before = cluster.snapshot()
    cluster.add_node(node("b"))
    asked = GenericScheduler(cluster, Profile.default())
    assert asked.schedule(POD, before).feasible == ("a",)
    assert sorted(asked.schedule(POD).feasible) == ["a", "b"]


@pytest.mark.parametrize("given_workers", [3, Workers(3)], ids=["a number", "workers"])
def test_workers_may_be_given_as(given_workers: Any) -> None:
    asked = scheduler(node("a"), workers=given_workers)
    assert asked.workers.count == 3
    assert asked.schedule(POD).node == "a"


def test_no_workers_are_no_scheduler() -> None:
    with pytest.raises(OptionError, match=r"^workers is 0, expected an integer of 1 or more$"):
        scheduler(workers=0)


# -- rules of one's own ------------------------------------------------------------------------

CLOSED = Reason("node(s) were in a rack under maintenance", resolvable=False)


def rack_is_open(_pod: Pod, _meta: None, info: NodeInfo, /) -> Fit:
    return Fit(CLOSED) if info.labels.get("rack") == "r7" else FITS


RACK_IS_OPEN = PredicateSpec("RackIsOpen", rack_is_open, reads={Facet.LABELS})


def prefer_newer(_pod: Pod, _meta: None, info: NodeInfo, /) -> int:
    return int(info.labels.get("generation", "0"))


PREFER_NEWER = PrioritySpec(
    "PreferNewer", prefer_newer, reduce=normalize(), weight=2, reads={Facet.LABELS}
)


def test_a_predicate_of_ones_own_refuses_like_the_stock_ones() -> None:
    rules = Profile.default().with_predicate(RACK_IS_OPEN)
    asked = scheduler(node("a", labels={"rack": "r7"}), node("b"), rules=rules)
    decision = asked.schedule(POD)
    assert (decision.node, decision.refusals) == ("b", {"a": (CLOSED,)})


def test_it_has_its_say_after_the_stock_ones() -> None:
    rules = Profile.default().with_predicate(RACK_IS_OPEN)
    with pytest.raises(FitError) as caught:
        scheduler(
            node("a", labels={"rack": "r7"}), node("b", labels={"rack": "r7"}, cpu=0), rules=rules
        ).schedule(POD)
    assert str(caught.value) == (
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were in a rack under maintenance."
    )


def test_a_priority_of_ones_own_is_reduced_and_weighted() -> None:
    rules = RuleSet().with_priority(PREFER_NEWER)
    labels = [{"generation": "2"}, {"generation": "4"}, {}]
    nodes = [node(name, labels=each) for name, each in zip("abc", labels, strict=True)]
    decision = scheduler(*nodes, rules=rules).schedule(POD)
    assert decision.scores == {"PreferNewer": {"a": 5, "b": 10, "c": 0}}
    assert decision.totals == {"a": 10, "b": 20, "c": 0}
    assert decision.node == "b"
