"""Volumes that can be reached only from the nodes of a zone."""

from collections.abc import Mapping

import pytest
from attrs import evolve

from kubesched.config import FeatureGates, stock_registry
from kubesched.framework import SKIP
from kubesched.model import KubeObject, ObjectMeta, StorageClass
from kubesched.plugins.volumes import (
    NO_VOLUME_ZONE_CONFLICT,
    UnusableClaimError,
    no_volume_zone_conflict,
)
from kubesched.plugins.volumes.zones import CLASS_ANNOTATION, ZONE_CONFLICT
from kubesched.state import Facet
from kubesched.state.node_tree import REGION_LABEL, ZONE_LABEL
from tests.plugins.asking import fits, ready, reasons, snapshot_of
from tests.plugins.volumes.making import asking, claim, ebs, node, volume

CONFLICT = ["node(s) had no available volume zone"]
EAST, EUROPE = {ZONE_LABEL: "east"}, {REGION_LABEL: "europe"}

CASES = [
    pytest.param({}, EAST, True, id="a node that says nothing"),
    pytest.param({"zone": "west"}, EAST, True, id="or uses other labels"),
    pytest.param({"topology.kubernetes.io/zone": "west"}, EAST, True, id="even the later ones"),
    pytest.param(EAST, EAST, True, id="the same zone"),
    pytest.param({ZONE_LABEL: "west"}, EAST, False, id="another zone"),
    pytest.param(EAST | EUROPE, EAST, True, id="a volume that does not say its region"),
    pytest.param(EAST, {}, True, id="or nothing at all"),
    pytest.param(EAST, EAST | EUROPE, False, id="a node that does not say its region"),
    pytest.param(EUROPE, EAST, False, id="a node that says its region alone"),
    pytest.param(EUROPE, EUROPE, True, id="the same region"),
    pytest.param(EAST | EUROPE, EAST | EUROPE, True, id="zone and region"),
    pytest.param(EAST | {REGION_LABEL: "asia"}, EAST | EUROPE, False, id="another region"),
    pytest.param(EAST, {ZONE_LABEL: "west__east"}, True, id="one of several zones"),
    pytest.param(EAST, {ZONE_LABEL: "west__north"}, False, id="none of several zones"),
    pytest.param(EAST, {ZONE_LABEL: "west_east"}, False, id="one underscore is part of the name"),
    pytest.param(EAST, {ZONE_LABEL: ""}, True, id="an empty zone is ignored"),
    pytest.param(EAST, {ZONE_LABEL: "west__"}, True, id="so are several of which one is empty"),
    pytest.param(
        EAST | EUROPE, {ZONE_LABEL: "west__", REGION_LABEL: "asia"}, False, id="but not the region"
    ),
    pytest.param({ZONE_LABEL: ""}, EAST, False, id="a node whose zone is empty says one"),
    pytest.param(EAST, {"topology.kubernetes.io/zone": "west"}, True, id="a volume's later labels"),
]


@pytest.mark.parametrize(("of_node", "of_volume", "expected"), CASES)
def test_a_node_is_where_a_volume_is(
    of_node: Mapping[str, str], of_volume: Mapping[str, str], *, expected: bool
) -> None:
    objects = [node(labels=of_node), claim("c", "pv"), volume("pv", ebs("v"), labels=of_volume)]
    got = reasons(NO_VOLUME_ZONE_CONFLICT, asking("c"), *objects)
    assert got == ([] if expected else CONFLICT)


def test_each_volume_counts() -> None:
    objects = [
        node(labels=EAST),
        claim("near", "pv-near"),
        claim("far", "pv-far"),
        volume("pv-near", labels=EAST),
        volume("pv-far", labels={ZONE_LABEL: "west"}),
    ]
    assert fits(NO_VOLUME_ZONE_CONFLICT, asking("near"), *objects)
    assert not fits(NO_VOLUME_ZONE_CONFLICT, asking("near", "far"), *objects)


def test_eviction_cannot_cure_it() -> None:
    assert not ZONE_CONFLICT.resolvable


# -- claims that are not bound ---------------------------------------------------------------------

IMMEDIATE, WAITING = "Immediate", "WaitForFirstConsumer"


def storage_class(name: str, mode: str | None) -> StorageClass:
    return StorageClass(metadata=ObjectMeta(name=name), volume_binding_mode=mode)


CLASSES = [
    storage_class("now", IMMEDIATE),
    storage_class("later", WAITING),
    storage_class("odd", None),
]


def annotated(name: str, class_name: str, field: str | None = None) -> KubeObject:
    made = claim(name, class_name=field)
    return evolve(made, metadata=evolve(made.metadata, annotations={CLASS_ANNOTATION: class_name}))


NOT_BOUND = 'PersistentVolumeClaim is not bound: "c"'

ERRORS = [
    pytest.param([], 'persistentvolumeclaim "c" not found', id="a missing claim"),
    pytest.param([claim("c", "pv")], 'persistentvolume "pv" not found', id="a missing volume"),
    pytest.param([claim("c")], NOT_BOUND, id="no class"),
    pytest.param([claim("c", class_name="")], NOT_BOUND, id="the empty class"),
    pytest.param([claim("c", class_name="gone")], NOT_BOUND, id="a missing class"),
    pytest.param([claim("c", class_name="now")], NOT_BOUND, id="a class that binds at once"),
    pytest.param(
        [claim("c", class_name="odd")],
        'VolumeBindingMode not set for StorageClass "odd"',
        id="a class that does not say when it binds",
    ),
    pytest.param([annotated("c", "now", "later")], NOT_BOUND, id="the annotation counts"),
    pytest.param([annotated("c", "", "later")], NOT_BOUND, id="even an empty one"),
]


@pytest.mark.parametrize(("objects", "text"), ERRORS)
def test_a_claim_that_cannot_be_looked_at_is_an_error(objects: list[KubeObject], text: str) -> None:
    with pytest.raises(UnusableClaimError) as caught:
        fits(NO_VOLUME_ZONE_CONFLICT, asking("c"), node(labels=EAST), *CLASSES, *objects)
    assert str(caught.value) == text
    assert caught.value.claim == "default/c"


@pytest.mark.parametrize(("objects", "text"), ERRORS)
def test_but_not_on_a_node_that_says_nothing(objects: list[KubeObject], text: str) -> None:
    assert text
    assert fits(NO_VOLUME_ZONE_CONFLICT, asking("c"), node(), *CLASSES, *objects)


def test_a_claim_without_a_name_is_an_error() -> None:
    with pytest.raises(UnusableClaimError, match=r"^PersistentVolumeClaim had no name$"):
        fits(NO_VOLUME_ZONE_CONFLICT, asking(""), node(labels=EAST))


@pytest.mark.parametrize(
    "waiting",
    [claim("c", class_name="later"), annotated("c", "later", "now")],
    ids=["field", "note"],
)
def test_a_claim_may_wait_for_a_node(waiting: KubeObject) -> None:
    snapshot = snapshot_of([node(labels=EAST), *CLASSES, waiting])
    assert ready(NO_VOLUME_ZONE_CONFLICT, asking("c"), snapshot) is SKIP


def test_unless_volume_scheduling_is_off() -> None:
    off = no_volume_zone_conflict(volume_scheduling=False)
    for class_name in ("now", "later", "odd"):
        unbound = claim("c", class_name=class_name)
        with pytest.raises(UnusableClaimError, match="not bound"):
            fits(off, asking("c"), node(labels=EAST), *CLASSES, unbound)
    assert off.reads == NO_VOLUME_ZONE_CONFLICT.reads - {Facet.STORAGE_CLASSES}
    gates = FeatureGates(volume_scheduling=False)
    assert stock_registry(gates).predicate("NoVolumeZoneConflict") == off
    assert stock_registry().predicate("NoVolumeZoneConflict") == NO_VOLUME_ZONE_CONFLICT


def test_the_first_claim_decides_whether_it_is_a_refusal_or_an_error() -> None:
    far = [node(labels=EAST), claim("far", "pv"), volume("pv", labels={ZONE_LABEL: "west"})]
    assert reasons(NO_VOLUME_ZONE_CONFLICT, asking("far", "gone"), *far) == CONFLICT
    with pytest.raises(UnusableClaimError, match="gone"):
        fits(NO_VOLUME_ZONE_CONFLICT, asking("gone", "far"), *far)
    with pytest.raises(UnusableClaimError, match='"gone"'):
        fits(NO_VOLUME_ZONE_CONFLICT, asking("gone", "also-gone"), *far)


def test_a_pod_whose_volumes_are_anywhere_asks_no_node() -> None:
    snapshot = snapshot_of([node(labels=EAST), claim("c", "pv"), volume("pv", ebs("v"))])
    for asked in (asking(), asking(ebs("v")), asking("c")):
        assert ready(NO_VOLUME_ZONE_CONFLICT, asked, snapshot) is SKIP
