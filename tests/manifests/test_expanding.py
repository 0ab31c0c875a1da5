"""Which pods workloads would make."""

from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import container, pod
from kubesched.manifests import ManifestError, Manifests, pods_of
from kubesched.manifests.identity import identity_of
from kubesched.model import (
    Deployment,
    KubeObject,
    ObjectMeta,
    OwnerReference,
    PersistentVolume,
    Pod,
    PodSpec,
    PodTemplateSpec,
    ReplicaSet,
    ReplicationController,
    ReplicationControllerSpec,
    StatefulSet,
    WorkloadSpec,
)
from tests.manifests.strategies import instances, names, objects_of

TEMPLATE = PodTemplateSpec(
    metadata=ObjectMeta(labels={"app": "web"}, annotations={"note": "x"}),
    spec=PodSpec(containers=[container(cpu="500m")]),
)
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def deployment(name: str = "shop/web", **spec: Any) -> Deployment:
    return Deployment(metadata=metadata(name), spec=WorkloadSpec(template=TEMPLATE, **spec))


def replica_set(name: str = "shop/web", **spec: Any) -> ReplicaSet:
    return ReplicaSet(metadata=metadata(name), spec=WorkloadSpec(template=TEMPLATE, **spec))


def stateful_set(name: str = "shop/web", **spec: Any) -> StatefulSet:
    return StatefulSet(metadata=metadata(name), spec=WorkloadSpec(template=TEMPLATE, **spec))


def controller(name: str = "shop/web", **spec: Any) -> ReplicationController:
    return ReplicationController(
        metadata=metadata(name), spec=ReplicationControllerSpec(template=TEMPLATE, **spec)
    )


def metadata(name: str) -> ObjectMeta:
    namespace, _, short_name = name.rpartition("/")
    return ObjectMeta(namespace=namespace, name=short_name, uid="u-1", creation_timestamp=NEW_YEAR)


def owned(name: str, kind: str, owner: str) -> Pod:
    return pod(name, owner=OwnerReference(kind=kind, name=owner, controller=True))


def keys(*things: KubeObject) -> list[str]:
    return [it.key for it in Manifests(things).expanded().of(Pod)]


@pytest.mark.parametrize("make", [deployment, replica_set, stateful_set, controller])
@pytest.mark.parametrize(
    ("replicas", "expected"),
    [(None, ["shop/web-0"]), (0, []), (2, ["shop/web-0", "shop/web-1"]), (-1, [])],
)
def test_there_are_as_many_pods_as_replicas(
    make: Any, replicas: int | None, expected: list[str]
) -> None:
    assert keys(make(replicas=replicas)) == expected


def test_a_pod_is_made_as_the_template_says() -> None:
    (made,) = pods_of(stateful_set())
    assert made == Pod(
        metadata=ObjectMeta(
            name="web-0",
            namespace="shop",
            creation_timestamp=NEW_YEAR,
            labels={"app": "web"},
            annotations={"note": "x"},
            owner_references=[
                OwnerReference(
                    api_version="apps/v1",
                    kind="StatefulSet",
                    name="web",
                    uid="u-1",
                    controller=True,
                )
            ],
        ),
        spec=TEMPLATE.spec,
    )


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (deployment, ("apps/v1", "ReplicaSet", "web", "")),
        (replica_set, ("apps/v1", "ReplicaSet", "web", "u-1")),
        (stateful_set, ("apps/v1", "StatefulSet", "web", "u-1")),
        (controller, ("v1", "ReplicationController", "web", "u-1")),
    ],
    ids=["a deployment's", "a replica set's", "a stateful set's", "a replication controller's"],
)
def test_who_owns_a_pod(make: Any, expected: tuple[str, ...]) -> None:
    (made,) = pods_of(make())
    owner = made.metadata.controller
    assert owner
    assert (owner.api_version, owner.kind, owner.name, owner.uid) == expected


def test_without_a_template_there_are_no_pods() -> None:
    assert list(pods_of(StatefulSet(metadata=ObjectMeta(name="web")))) == []


def test_pods_stand_behind_their_workload() -> None:
    bundle = Manifests([stateful_set("a/x"), pod("b/y"), deployment("a/z")]).expanded()
    assert [it.key for it in bundle] == ["a/x", "a/x-0", "b/y", "a/z", "a/z-0"]


@pytest.mark.parametrize(
    "things",
    [
        [stateful_set(), owned("shop/web-0", "StatefulSet", "web")],
        [controller(), owned("shop/web-x7f", "ReplicationController", "web")],
        [replica_set(), owned("shop/web-x7f", "ReplicaSet", "web")],
        [deployment(), owned("shop/web-7d9f8c5b6-x7f", "ReplicaSet", "web-7d9f8c5b6")],
        [deployment(), owned("shop/web-2457680164-x7f", "ReplicaSet", "web-2457680164")],
        [stateful_set("web"), owned("default/web-0", "StatefulSet", "web")],
    ],
    ids=[
        "a stateful set",
        "a replication controller",
        "a replica set",
        "a deployment whose replica set is not there",
        "one of an elder release, with a decimal hash",
        "a workload in the default namespace",
    ],
)
def test_who_has_pods_makes_none(things: list[KubeObject]) -> None:
    assert Manifests(things).expanded() == Manifests(things)


def test_a_deployment_with_replica_sets_leaves_the_pods_to_them() -> None:
    owner = OwnerReference(kind="Deployment", name="web", controller=True)
    made = replica_set("shop/web-7d9f8c5b6", replicas=2)
    made = evolve(made, metadata=evolve(made.metadata, owner_references=[owner]))
    assert keys(deployment(replicas=2), made) == ["shop/web-7d9f8c5b6-0", "shop/web-7d9f8c5b6-1"]


@pytest.mark.parametrize(
    "other",
    [
        owned("batch/web-x7f", "ReplicaSet", "web"),
        owned("shop/web-x7f", "StatefulSet", "web"),
        owned("shop/web-api-7d9f8c5b6-x7f", "ReplicaSet", "web-api-7d9f8c5b6"),
        owned("shop/web-api-x7f", "ReplicaSet", "web-api"),
        pod("shop/web-x7f"),
    ],
    ids=[
        "in another namespace",
        "of another kind",
        "of a deployment with a longer name",
        "of a replica set with a longer name",
        "of nobody",
    ],
)
def test_the_pods_of_others_are_not_its_own(other: Pod) -> None:
    assert keys(deployment(), other) == ["shop/web-0", other.key]


def test_numbers_that_are_taken_are_passed_over() -> None:
    assert keys(pod("shop/web-0"), deployment(replicas=2), pod("shop/web-2")) == [
        *("shop/web-0", "shop/web-1", "shop/web-3", "shop/web-2")
    ]


def test_workloads_of_the_same_name_share_the_numbers() -> None:
    assert keys(deployment(replicas=1), stateful_set(replicas=2)) == [
        *("shop/web-0", "shop/web-1", "shop/web-2")
    ]


SPECS = {
    Deployment: WorkloadSpec,
    ReplicaSet: WorkloadSpec,
    StatefulSet: WorkloadSpec,
    ReplicationController: ReplicationControllerSpec,
}


@st.composite
def small_workloads(draw: st.DrawFn) -> KubeObject:
    """Draw workloads that do not ask for more pods than a test should make."""
    model = draw(st.sampled_from([*SPECS]))
    spec = SPECS[model](
        replicas=draw(st.none() | st.integers(-1, 3)),
        template=draw(st.none() | instances(PodTemplateSpec)),
    )
    named = evolve(draw(instances(ObjectMeta)), name=draw(names))
    made: KubeObject = model(metadata=named, spec=spec)
    return made


bundles = st.lists(
    small_workloads() | st.sampled_from([Pod, PersistentVolume]).flatmap(objects_of),
    max_size=5,
    unique_by=identity_of,
).map(Manifests)


@given(bundles)
def test_expanding_twice_is_expanding_once(bundle: Manifests) -> None:
    once = bundle.expanded()
    assert once.expanded() == once


@given(bundles)
def test_expanding_only_adds_pods(bundle: Manifests) -> None:
    before = set(bundle)
    added = [it for it in bundle.expanded() if it not in before]
    assert all(isinstance(it, Pod) for it in added)
    assert [it for it in bundle.expanded() if it in before] == list(bundle)


def test_an_absurd_number_of_replicas_is_refused_before_any_is_made() -> None:
    with pytest.raises(ManifestError) as caught:
        Manifests([deployment(replicas=100_001)]).expanded()
    assert str(caught.value) == (
        "Deployment shop/web: spec.replicas: 100001 is more pods than are made of one workload "
        "(expected at most 100000)"
    )
