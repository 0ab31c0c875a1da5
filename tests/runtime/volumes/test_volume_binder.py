"""Assuming, binding and forgetting volumes in memory."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given

from kubesched.builders import node, pod
from kubesched.errors import SchedulingError
from kubesched.model import PersistentVolume
from kubesched.plugins.volume_binding import (
    BIND_COMPLETED,
    SELECTED_NODE,
    UnboundClaimsError,
    is_bound,
    is_reserved_for,
)
from kubesched.runtime import InMemoryVolumeBinder, VolumeBinder, VolumeBindingError
from kubesched.state import Cluster
from tests.plugins.volume_binding.objects import bound_claim, claim, using, volume
from tests.plugins.volume_binding.strategies import World, uses, worlds
from tests.runtime.volumes.binding import CLOUD, binder_of, claim_in, picture, reasons, volume_in

# -- assuming --------------------------------------------------------------------------------------


def test_it_is_a_volume_binder() -> None:
    binder: VolumeBinder = binder_of()
    assert binder.assume_pod_volumes(using(), "n1")


def test_nothing_is_to_be_done_if_all_claims_are_bound() -> None:
    binder = binder_of(bound_claim("data", "pv"), volume())
    before = picture(binder.cluster)
    assert binder.assume_pod_volumes(using("data"), "n1")
    assert binder.assume_pod_volumes(pod("web-1"), "n1")
    assert picture(binder.cluster) == before


def test_an_assumed_volume_is_kept_for_its_claim() -> None:
    binder = binder_of(claim(uid="7"), claim("logs"), volume(size="2Gi"))
    assert not binder.assume_pod_volumes(using("data"), "n1")
    owner = volume_in(binder).spec.claim_ref
    assert owner is not None
    assert (owner.kind, owner.namespace, owner.name, owner.uid) == (
        "PersistentVolumeClaim",
        "default",
        "data",
        "7",
    )
    assert volume_in(binder).annotations == {"pv.kubernetes.io/bound-by-controller": "yes"}
    assert volume_in(binder).status.phase == "Available"
    assert not is_bound(claim_in(binder))


def test_the_next_decision_sees_an_assumed_volume_as_taken() -> None:
    binder = binder_of(claim(), claim("logs"), volume())
    assert reasons(binder, using("logs", name="db-1")) == []
    binder.assume_pod_volumes(using("data"), "n1")
    assert reasons(binder, using("logs", name="db-1")) == [
        "node(s) didn't find available persistent volumes to bind"
    ]
    assert reasons(binder, using("data", name="db-1")) == []


def test_a_claim_that_needs_a_new_volume_is_marked_for_its_node() -> None:
    binder = binder_of(claim(of_class="cloud"))
    assert not binder.assume_pod_volumes(using("data"), "n1")
    assert claim_in(binder).annotations == {SELECTED_NODE: "n1"}
    assert reasons(binder, using("data", name="db-1")) == [
        "pod has unbound immediate PersistentVolumeClaims"
    ]


def test_a_volume_that_its_owner_kept_for_the_claim_only_gets_the_uid() -> None:
    binder = binder_of(claim(uid="7"), volume(kept_for="data"))
    binder.assume_pod_volumes(using("data"), "n1")
    owner = volume_in(binder).spec.claim_ref
    assert owner is not None
    assert owner.uid == "7"
    assert not volume_in(binder).annotations


REFUSED = [
    pytest.param("n2", "default/db-0", "there is no such node", id="an unknown node"),
    pytest.param("n1", "default/db-0", "there are none for the claims data, logs", id="too few"),
]


@pytest.mark.parametrize(("node_name", "key", "why"), REFUSED)
def test_what_cannot_be_assumed_changes_nothing(node_name: str, key: str, why: str) -> None:
    binder = binder_of(claim(), claim("logs"), volume())
    before = picture(binder.cluster)
    with pytest.raises(VolumeBindingError) as caught:
        binder.assume_pod_volumes(using("data", "logs"), node_name)
    assert str(caught.value) == f"volumes of pod {key} on node {node_name}: {why}"
    assert (caught.value.pod, caught.value.node_name) == (key, node_name)
    assert picture(binder.cluster) == before


def test_what_the_predicate_raises_is_raised() -> None:
    with pytest.raises(UnboundClaimsError):
        binder_of(claim(of_class=None)).assume_pod_volumes(using("data"), "n1")


def test_the_volumes_of_a_pod_are_assumed_once() -> None:
    binder = binder_of(claim(), volume())
    binder.assume_pod_volumes(using("data"), "n1")
    with pytest.raises(VolumeBindingError, match="assumed on n1 already; bind or forget"):
        binder.assume_pod_volumes(using("data"), "n1")


# -- binding ---------------------------------------------------------------------------------------


def test_a_bound_claim_has_the_volume_that_was_assumed() -> None:
    binder = binder_of(claim(asks="1Gi", modes=["A"]), volume(size="2Gi", modes=["A", "B"]))
    binder.assume_pod_volumes(using("data"), "n1")
    binder.bind_pod_volumes(using("data"), "n1")
    data = claim_in(binder)
    assert data.spec.volume_name == "pv"
    assert data.annotations[BIND_COMPLETED] == "yes"
    assert (data.status.phase, volume_in(binder).status.phase) == ("Bound", "Bound")
    assert data.status.access_modes == ("A", "B")
    assert str(data.status.capacity["storage"]) == "2Gi"
    assert is_reserved_for(volume_in(binder), data)
    assert binder.assume_pod_volumes(using("data", name="db-1"), "n1")


def test_a_new_volume_is_made_for_a_claim_that_needs_one() -> None:
    binder = binder_of(node("n2"), claim(of_class="cloud", asks="1Gi", modes=["A"]))
    binder.assume_pod_volumes(using("data"), "n1")
    binder.bind_pod_volumes(using("data"), "n1")
    made = volume_in(binder, claim_in(binder).spec.volume_name)
    assert made.spec.storage_class_name == "cloud"
    assert (str(made.spec.capacity["storage"]), made.spec.access_modes) == ("1Gi", ("A",))
    assert is_reserved_for(made, claim_in(binder))
    assert reasons(binder, using("data", name="db-1"), "n1") == []
    assert reasons(binder, using("data", name="db-1"), "n2") == [
        "node(s) had volume node affinity conflict"
    ]


def test_two_pods_may_assume_one_claim_and_bind_it_both() -> None:
    binder = binder_of(claim(), volume())
    first, second = using("data"), using("data", name="db-1")
    for each in (first, second):
        binder.assume_pod_volumes(each, "n1")
    for each in (first, second):
        binder.bind_pod_volumes(each, "n1")
    assert claim_in(binder).spec.volume_name == "pv"


def test_forgetting_for_one_pod_leaves_what_another_has_bound() -> None:
    binder = binder_of(claim(), volume())
    first, second = using("data"), using("data", name="db-1")
    for each in (first, second):
        binder.assume_pod_volumes(each, "n1")
    binder.bind_pod_volumes(second, "n1")
    before = picture(binder.cluster)
    binder.forget_pod_volumes(first)
    assert picture(binder.cluster) == before


@pytest.mark.parametrize("free", [1, 2], ids=["one volume and a new one", "two volumes"])
def test_a_claim_that_is_used_twice_is_bound_to_one_volume(free: int) -> None:
    binder = binder_of(
        claim(of_class="cloud"), *(volume(f"v{n}", of_class="cloud") for n in range(free))
    )
    binder.assume_pod_volumes(using("data", "data"), "n1")
    binder.bind_pod_volumes(using("data", "data"), "n1")
    assert claim_in(binder).spec.volume_name == "v0"
    volumes = binder.cluster.of_kind(PersistentVolume)
    assert len(volumes) == free
    assert [name for name, it in volumes.items() if it.spec.claim_ref is not None] == ["v0"]


def test_what_was_never_assumed_is_not_bound() -> None:
    binder = binder_of(node("n2"), claim(), volume())
    with pytest.raises(VolumeBindingError, match="they are assumed nowhere"):
        binder.bind_pod_volumes(using("data"), "n1")
    binder.assume_pod_volumes(using("data"), "n1")
    with pytest.raises(VolumeBindingError, match="they are assumed on n1"):
        binder.bind_pod_volumes(using("data"), "n2")


def taken_away(binder: InMemoryVolumeBinder) -> None:
    binder.cluster.remove(volume_in(binder))


def given_away(binder: InMemoryVolumeBinder) -> None:
    binder.cluster.update(volume(kept_for="other"))


def claim_removed(binder: InMemoryVolumeBinder) -> None:
    binder.cluster.remove(claim_in(binder, "logs"))


def claim_replaced(binder: InMemoryVolumeBinder) -> None:
    binder.cluster.update(claim("logs", of_class="cloud", uid="another"))


def unmarked(binder: InMemoryVolumeBinder) -> None:
    binder.cluster.update(claim("logs", of_class="cloud"))


def bound_elsewhere(binder: InMemoryVolumeBinder) -> None:
    marked = bound_claim("data", "other")
    binder.cluster.update(marked)


def class_removed(binder: InMemoryVolumeBinder) -> None:
    binder.cluster.remove(CLOUD)


def node_removed(binder: InMemoryVolumeBinder) -> None:
    binder.cluster.remove_node(binder.cluster.nodes["n1"])


def name_taken(binder: InMemoryVolumeBinder) -> None:
    binder.cluster.add(volume("pvc-default-logs"))


MEANWHILE = [
    pytest.param(taken_away, "volume pv is not kept for claim data any more", id="volume removed"),
    pytest.param(given_away, "volume pv is not kept for claim data any more", id="volume given"),
    pytest.param(claim_removed, "claim logs is gone", id="claim removed"),
    pytest.param(claim_replaced, "claim logs is gone", id="claim replaced"),
    pytest.param(unmarked, "claim logs is not marked for the node any more", id="claim unmarked"),
    pytest.param(bound_elsewhere, "claim data is bound to other already", id="claim bound"),
    pytest.param(class_removed, "the storage class of claim logs is gone", id="class removed"),
    pytest.param(node_removed, "there is no such node", id="node removed"),
    pytest.param(
        name_taken,
        "pvc-default-logs: the PersistentVolume is there already",
        id="the new volume's name taken",
    ),
]


@pytest.mark.parametrize(("happens", "why"), MEANWHILE)
def test_what_happened_meanwhile_keeps_all_from_being_bound(happens: Any, why: str) -> None:
    binder = binder_of(claim(), claim("logs", of_class="cloud"), volume())
    asked = using("data", "logs")
    binder.assume_pod_volumes(asked, "n1")
    happens(binder)
    before = picture(binder.cluster)
    with pytest.raises(VolumeBindingError) as caught:
        binder.bind_pod_volumes(asked, "n1")
    assert str(caught.value).endswith(f": {why}")
    assert picture(binder.cluster) == before
    binder.forget_pod_volumes(asked)
    with pytest.raises(VolumeBindingError, match="nowhere"):
        binder.bind_pod_volumes(asked, "n1")


# -- forgetting ------------------------------------------------------------------------------------


def test_to_forget_what_was_not_assumed_does_nothing() -> None:
    binder = binder_of(claim(), volume())
    before = picture(binder.cluster)
    binder.forget_pod_volumes(using("data"))
    assert picture(binder.cluster) == before


def test_to_forget_leaves_alone_what_others_have_changed() -> None:
    binder = binder_of(claim(), claim("logs", of_class="cloud"), volume())
    binder.assume_pod_volumes(using("data", "logs"), "n1")
    seen = volume_in(binder)
    binder.cluster.update(evolve(seen, metadata=evolve(seen.metadata, labels={"seen": "yes"})))
    binder.cluster.remove(claim_in(binder, "logs"))
    binder.forget_pod_volumes(using("data", "logs"))
    assert volume_in(binder) == volume(labels={"seen": "yes"})
    assert claim_in(binder) == claim()


def test_to_forget_leaves_a_claim_that_somebody_has_bound() -> None:
    binder = binder_of(claim(of_class="cloud"))
    binder.assume_pod_volumes(using("data"), "n1")
    seen = claim_in(binder)
    bound = evolve(
        seen,
        spec=evolve(seen.spec, volume_name="pv"),
        metadata=evolve(seen.metadata, annotations={**seen.annotations, BIND_COMPLETED: "yes"}),
    )
    binder.cluster.update(bound)
    binder.forget_pod_volumes(using("data"))
    assert claim_in(binder) == bound


@given(worlds(), uses)
def test_to_assume_and_forget_leaves_the_cluster_as_it_was(world: World, used: list[str]) -> None:
    for each in world.nodes:
        cluster = Cluster.of(world.objects)
        binder, asked, before = InMemoryVolumeBinder(cluster), using(*used), picture(cluster)
        try:
            binder.assume_pod_volumes(asked, each.name)
        except SchedulingError:
            assert picture(cluster) == before
        binder.forget_pod_volumes(asked)
        assert picture(cluster) == before


@given(worlds(only_waiting=True), uses)
def test_what_fits_can_be_assumed_and_is_bound_for_the_next_decision(
    world: World, used: list[str]
) -> None:
    for each in world.nodes:
        binder = InMemoryVolumeBinder(Cluster.of(world.objects))
        asked = using(*used)
        if reasons(binder, asked, each.name):
            with pytest.raises(VolumeBindingError):
                binder.assume_pod_volumes(asked, each.name)
            continue
        if not binder.assume_pod_volumes(asked, each.name):
            binder.bind_pod_volumes(asked, each.name)
        assert all(is_bound(claim_in(binder, name)) for name in used)
        assert reasons(binder, asked, each.name) == []
