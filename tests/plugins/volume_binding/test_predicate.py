"""Whether a node can reach a pod's volumes, and has some for its waiting claims."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.config import FeatureGates, stock_registry
from kubesched.errors import KubeschedError
from kubesched.framework import SKIP
from kubesched.model import (
    KubeObject,
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PersistentVolumeClaim,
    Volume,
)
from kubesched.plugins.volume_binding import CHECK_VOLUME_BINDING, SELECTED_NODE
from tests.plugins.asking import nodes_of, ready, snapshot_of
from tests.plugins.volume_binding import oracle
from tests.plugins.volume_binding.objects import (
    bound_claim,
    claim,
    term,
    using,
    volume,
    waiting_class,
)
from tests.plugins.volume_binding.strategies import CLASS_ANNOTATION, World, uses, worlds

ZONE = "failure-domain.beta.kubernetes.io/zone"
EAST = node("n1", zone="east")
NODE_CONFLICT, BINDING_CONFLICT = oracle.NODE_CONFLICT, oracle.BINDING_CONFLICT
UNBOUND = oracle.UNBOUND
LOCAL = waiting_class()


def verdicts(used: Sequence[str], *objects: KubeObject) -> list[list[str]]:
    """Return the reasons of each node among the objects, or the text of an error alone."""
    snapshot, asked = snapshot_of(objects), using(*used)
    meta = ready(CHECK_VOLUME_BINDING, asked, snapshot)
    if meta is SKIP:
        return [[] for _ in nodes_of(snapshot)]
    return [verdict(meta, asked, info) for info in nodes_of(snapshot)]


def verdict(meta: Any, asked: Any, info: Any) -> list[str]:
    try:
        return [reason.text for reason in CHECK_VOLUME_BINDING.check(asked, meta, info).reasons]
    except KubeschedError as error:
        return [str(error)]


# -- claims that are bound -------------------------------------------------------------------------

BOUND = [
    pytest.param([volume()], [], id="a volume that all nodes reach"),
    pytest.param([volume(within={ZONE: ["east", "west"]})], [], id="one of the node's zone"),
    pytest.param([volume(within={ZONE: ["west"]})], [NODE_CONFLICT], id="one of another zone"),
    pytest.param([volume(affinity=[])], [NODE_CONFLICT], id="one with no term at all"),
    pytest.param(
        [volume(affinity=[term({ZONE: ["west"]}), term({ZONE: ["east"]})])],
        [],
        id="one of two terms is enough",
    ),
    pytest.param([volume(phase="Released", goes_away=True)], [], id="its state does not count"),
    pytest.param([], ['could not find v1.PersistentVolume "pv"'], id="one that is gone"),
]


@pytest.mark.parametrize(("volumes", "reasons"), BOUND)
def test_the_volume_of_a_bound_claim_must_be_reachable(
    volumes: list[KubeObject], reasons: list[str]
) -> None:
    assert verdicts(["data"], EAST, bound_claim("data", "pv"), *volumes) == [reasons]


def test_terms_about_fields_see_empty_ones() -> None:
    def by_name(operator: str) -> NodeSelectorTerm:
        name = NodeSelectorRequirement(key="metadata.name", operator=operator, values=["n1"])
        return NodeSelectorTerm(match_fields=[name])

    data = bound_claim("data", "pv")
    assert verdicts(["data"], EAST, data, volume(affinity=[by_name("In")])) == [[NODE_CONFLICT]]
    assert verdicts(["data"], EAST, data, volume(affinity=[by_name("NotIn")])) == [[]]


def test_an_unreachable_volume_hides_that_a_later_one_is_gone() -> None:
    claims = [bound_claim("data", "far"), bound_claim("logs", "gone")]
    west = node("n2", zone="west")
    objects = [EAST, west, *claims, volume("far", within={ZONE: ["west"]})]
    missing = 'could not find v1.PersistentVolume "gone"'
    assert verdicts(["data", "logs"], *objects) == [[NODE_CONFLICT], [missing]]
    assert verdicts(["logs", "data"], *objects) == [[missing], [missing]]


def test_both_reasons_are_given_the_bound_volumes_first() -> None:
    objects = [EAST, LOCAL, claim("new"), bound_claim("data", "pv"), volume(within={ZONE: ["w"]})]
    assert verdicts(["new", "data"], *objects) == [[NODE_CONFLICT, BINDING_CONFLICT]]


# -- claims that should be bound -------------------------------------------------------------------

UNBOUND_CLAIMS = [
    pytest.param(claim(of_class=None), id="no class"),
    pytest.param(claim(of_class=""), id="an empty class"),
    pytest.param(claim(of_class="gone"), id="a class that does not exist"),
    pytest.param(claim(of_class="now"), id="a class that binds at once"),
    pytest.param(claim(volume="pv"), id="a volume is named, but binding has not ended"),
    pytest.param(claim(annotations={SELECTED_NODE: "n1"}), id="a node has been selected"),
    pytest.param(claim(annotations={CLASS_ANNOTATION: "now"}), id="the annotation goes first"),
]


@pytest.mark.parametrize("data", UNBOUND_CLAIMS)
def test_a_claim_that_neither_is_bound_nor_waits_is_an_error(data: PersistentVolumeClaim) -> None:
    now = waiting_class("now", mode="Immediate")
    assert verdicts(["data"], EAST, LOCAL, now, data, volume()) == [[UNBOUND]]


def test_a_missing_claim_is_an_error() -> None:
    said = (
        'error getting PVC "default/data": could not find v1.PersistentVolumeClaim "default/data"'
    )
    assert verdicts(["data"], EAST) == [[said]]


def test_a_class_that_does_not_say_when_to_bind_is_an_error() -> None:
    said = 'VolumeBindingMode not set for StorageClass "local"'
    assert verdicts(["data"], EAST, waiting_class(mode=None), claim()) == [[said]]


def test_a_selector_that_cannot_be_evaluated_is_an_error_once_the_bound_volumes_are_there() -> None:
    wrong = LabelSelectorRequirement(key="tier", operator="Like")
    data = claim(selector=LabelSelector(match_expressions=[wrong]))
    said = (
        "error creating internal label selector for claim: default/data: "
        '"Like" is not a valid pod selector operator'
    )
    objects = [EAST, LOCAL, data, bound_claim("logs", "gone")]
    assert verdicts(["data"], *objects) == [[said]]
    assert verdicts(["data", "logs"], *objects) == [['could not find v1.PersistentVolume "gone"']]


def test_an_error_says_what_it_is_about() -> None:
    snapshot = snapshot_of([EAST, claim(of_class=None), claim("logs", of_class=None)])
    meta = ready(CHECK_VOLUME_BINDING, using("data", "logs"), snapshot)
    assert meta.fault.claims == ("default/data", "default/logs")


# -- claims that wait ------------------------------------------------------------------------------

TIER_A = LabelSelector(match_labels={"tier": "a"})

CANDIDATES = [
    pytest.param(claim(), volume(), True, id="free and of the class"),
    pytest.param(claim(), volume(of_class="other"), False, id="of another class"),
    pytest.param(claim(asks="2Gi"), volume(size="2Gi"), True, id="just large enough"),
    pytest.param(claim(asks="2Gi"), volume(size="2147483647"), False, id="a byte too small"),
    pytest.param(claim(asks="1"), volume(), False, id="of no size"),
    pytest.param(claim(modes=["A"]), volume(modes=["A", "B"]), True, id="more modes than needed"),
    pytest.param(claim(modes=["A", "B"]), volume(modes=["A"]), False, id="a mode is missing"),
    pytest.param(claim(volume_mode="Block"), volume(), False, id="of another mode"),
    pytest.param(claim(volume_mode="Filesystem"), volume(), True, id="a file system by default"),
    pytest.param(claim(selector=TIER_A), volume(labels={"tier": "a"}), True, id="selected"),
    pytest.param(claim(selector=TIER_A), volume(labels={"tier": "b"}), False, id="not selected"),
    pytest.param(claim(selector=LabelSelector()), volume(), True, id="an empty selector"),
    pytest.param(claim(), volume(phase=""), False, id="of no phase"),
    pytest.param(claim(), volume(phase="Released"), False, id="released"),
    pytest.param(claim(), volume(goes_away=True), False, id="being deleted"),
    pytest.param(claim(), volume(within={ZONE: ["east"]}), True, id="in the node's zone"),
    pytest.param(claim(), volume(within={ZONE: ["west"]}), False, id="in another zone"),
    pytest.param(claim(), volume(kept_for="logs"), False, id="kept for another claim"),
    pytest.param(
        claim(modes=["A"], selector=TIER_A),
        volume(kept_for="data", phase="Pending"),
        True,
        id="kept for the claim, whatever it selects",
    ),
    pytest.param(claim(uid="1"), volume(kept_for="data", kept_uid="2"), False, id="of another uid"),
    pytest.param(claim(uid="1"), volume(kept_for="data", kept_uid="1"), True, id="of its uid"),
    pytest.param(claim(asks="1"), volume(kept_for="data"), False, id="kept for it, but too small"),
    pytest.param(
        claim(of_class="other", annotations={CLASS_ANNOTATION: "local"}),
        volume(),
        False,
        id="the claim's class by annotation is not listed",
    ),
    pytest.param(
        claim(),
        volume(of_class="other", annotations={CLASS_ANNOTATION: "local"}),
        True,
        id="the volume's class by annotation is",
    ),
    pytest.param(
        claim(of_class=None, annotations={CLASS_ANNOTATION: "local"}),
        volume(of_class="", kept_for="data"),
        True,
        id="kept for a claim with an annotation, of no class itself",
    ),
]


@pytest.mark.parametrize(("data", "candidate", "fits"), CANDIDATES)
def test_a_volume_does_for_a_waiting_claim(
    data: PersistentVolumeClaim, candidate: KubeObject, *, fits: bool
) -> None:
    reasons = [] if fits else [BINDING_CONFLICT]
    assert verdicts(["data"], EAST, LOCAL, data, candidate) == [reasons]


def test_a_listed_volume_must_be_of_the_class_that_counts() -> None:
    data = claim(annotations={CLASS_ANNOTATION: "other"})
    objects = [EAST, LOCAL, waiting_class("other"), data]
    assert verdicts(["data"], *objects, volume()) == [[BINDING_CONFLICT]]
    assert verdicts(["data"], *objects, volume(kept_for="data")) == [[]]


TOPOLOGIES = [
    pytest.param((), True, id="anywhere"),
    pytest.param([{ZONE: ["east", "west"]}], True, id="in the node's zone"),
    pytest.param([{ZONE: ["west"]}], False, id="in another zone"),
    pytest.param([{ZONE: ["east"], "rack": ["r1"]}], False, id="a label is missing"),
    pytest.param([{ZONE: ["west"]}, {ZONE: ["east"]}], True, id="one of two terms is enough"),
    pytest.param([{}], False, id="an empty term selects nothing"),
    pytest.param([{ZONE: ()}], False, id="nor does one without values"),
    pytest.param([{ZONE: ["east", "-1"]}], False, id="nor one with what is no label value"),
]


@pytest.mark.parametrize(("allowed", "fits"), TOPOLOGIES)
def test_a_volume_is_provisioned_where_the_class_allows(allowed: Any, *, fits: bool) -> None:
    made = waiting_class(provisioner="csi.example.com", allowed=allowed)
    assert verdicts(["data"], EAST, made, claim()) == [[] if fits else [BINDING_CONFLICT]]


@pytest.mark.parametrize("provisioner", ["", "kubernetes.io/no-provisioner"])
def test_nothing_is_provisioned_without_a_provisioner(provisioner: str) -> None:
    nothing = waiting_class(provisioner=provisioner)
    assert verdicts(["data"], EAST, nothing, claim()) == [[BINDING_CONFLICT]]


def test_a_kept_volume_that_is_elsewhere_keeps_the_claim_from_others_but_not_from_a_new_one() -> (
    None
):
    volumes = [volume("far", kept_for="data", within={ZONE: ["west"]}), volume("near")]
    made = waiting_class(provisioner="csi.example.com")
    assert verdicts(["data"], EAST, LOCAL, claim(), *volumes) == [[BINDING_CONFLICT]]
    assert verdicts(["data"], EAST, made, claim(), *volumes) == [[]]


def test_no_volume_serves_two_claims() -> None:
    two = [EAST, LOCAL, claim(), claim("logs")]
    assert verdicts(["data", "logs"], *two, volume()) == [[BINDING_CONFLICT]]
    assert verdicts(["data", "logs"], *two, volume(), volume("pv2")) == [[]]


def test_the_claims_that_ask_for_least_choose_first() -> None:
    claims = [claim("large", asks="2Gi"), claim("small", asks="1Gi", modes=["A"])]
    volumes = [volume("v1", size="2Gi", modes=["A"]), volume("v2", size="3Gi")]
    assert verdicts(["large", "small"], EAST, LOCAL, *claims, *volumes) == [[]]


def test_the_smallest_volume_is_taken_even_if_a_later_claim_then_gets_none() -> None:
    claims = [claim("any"), claim("picky", asks="1", modes=["A"])]
    volumes = [volume("v1", size="1Gi", modes=["A"]), volume("v2", size="2Gi")]
    assert verdicts(["any", "picky"], EAST, LOCAL, *claims, *volumes) == [[BINDING_CONFLICT]]


def test_a_claim_that_is_used_twice_needs_two_volumes() -> None:
    assert verdicts(["data", "data"], EAST, LOCAL, claim(), volume()) == [[BINDING_CONFLICT]]
    assert verdicts(["data", "data"], EAST, LOCAL, claim(), volume(), volume("pv2")) == [[]]


# -- what the engine sees --------------------------------------------------------------------------


def test_a_pod_to_which_the_node_is_all_the_same_is_skipped() -> None:
    snapshot = snapshot_of([EAST, bound_claim("data", "pv"), volume()])
    without_claims = pod("web-1", volumes=[Volume(name="tmp")])
    assert ready(CHECK_VOLUME_BINDING, without_claims, snapshot) is SKIP
    assert ready(CHECK_VOLUME_BINDING, using("data"), snapshot) is SKIP


def test_with_the_gate_off_every_pod_passes() -> None:
    registry = stock_registry(FeatureGates(volume_scheduling=False))
    off = registry.predicate("CheckVolumeBinding")
    assert ready(off, using("data"), snapshot_of([EAST])) is SKIP
    assert stock_registry().predicate("CheckVolumeBinding") is CHECK_VOLUME_BINDING


def test_eviction_cures_neither_reason() -> None:
    objects = [EAST, LOCAL, claim("new"), bound_claim("data", "pv"), volume(within={ZONE: ["w"]})]
    snapshot, asked = snapshot_of(objects), using("new", "data")
    (info,) = nodes_of(snapshot)
    fit = CHECK_VOLUME_BINDING.check(asked, ready(CHECK_VOLUME_BINDING, asked, snapshot), info)
    assert [reason.resolvable for reason in fit.reasons] == [False, False]


@given(worlds(), uses)
def test_it_answers_as_the_rule_told_at_length(world: World, used: list[str]) -> None:
    told = [oracle.verdict(world, used, each) for each in world.nodes]
    assert verdicts(used, *world.objects) == told


@given(worlds(), uses)
def test_what_is_prepared_again_is_the_same(world: World, used: list[str]) -> None:
    first, again = snapshot_of(world.objects), snapshot_of(reversed(world.objects))
    metas = [ready(CHECK_VOLUME_BINDING, using(*used), each) for each in (first, again)]
    assert metas[0] == metas[1]


@given(worlds(only_waiting=True), uses, st.integers(1, 5))
def test_one_more_volume_anywhere_never_takes_a_node_away_from_a_single_claim(
    world: World, used: list[str], size: int
) -> None:
    more = volume("v9", size=f"{size}Gi", modes=("A", "B"))
    before = verdicts(used[:1], *world.objects)
    after = verdicts(used[:1], *world.objects, more)
    assert all(now == [] for was, now in zip(before, after, strict=True) if was == [])
