"""What admission adds, seeing all objects: priorities, tolerations, storage classes."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from kubesched.builders import pod
from kubesched.manifests import ManifestError, Manifests, load_objects
from kubesched.model import (
    ObjectMeta,
    PersistentVolumeClaim,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimStatus,
    Pod,
    PriorityClass,
    StorageClass,
    Toleration,
)
from tests.manifests.strategies import bundles

NOT_READY = "node.kubernetes.io/not-ready"
UNREACHABLE = "node.kubernetes.io/unreachable"


def priority_class(name: str, value: int, **fields: Any) -> PriorityClass:
    return PriorityClass(metadata=ObjectMeta(name=name), value=value, **fields)


def of_class(name: str, **spec: Any) -> Pod:
    web = pod("web")
    return evolve(web, spec=evolve(web.spec, priority_class_name=name, **spec))


def completed(asked: Pod, *others: Any) -> Pod:
    (made,) = Manifests([asked, *others]).with_defaults().of(Pod)
    return made


# -- priorities ------------------------------------------------------------------------------------

HIGH = priority_class("high", 1000)
LOW = priority_class("low", -5, global_default=True)
MIDDLE = priority_class("middle", 7, global_default=True)
POLITE = priority_class("polite", 50, preemption_policy="Never")


@pytest.mark.parametrize(
    ("asked", "classes", "expected"),
    [
        (pod("web"), [], 0),
        (pod("web"), [HIGH], 0),
        (pod("web"), [HIGH, LOW], -5),
        (pod("web"), [MIDDLE, LOW], -5),
        (pod("web"), [LOW, MIDDLE], -5),
        (of_class("high"), [HIGH, LOW], 1000),
        (of_class("system-cluster-critical"), [], 2_000_000_000),
        (of_class("system-node-critical"), [LOW], 2_000_001_000),
        (of_class("system-node-critical"), [priority_class("system-node-critical", 1)], 2000001000),
        (pod("web", priority=0), [LOW], 0),
        (of_class("high", priority=3), [HIGH], 3),
        (of_class("gone", priority=3), [], 3),
    ],
    ids=[
        "no class makes zero",
        "a class is for those that name it",
        "the default class is for those that name none",
        "the lowest of two default classes counts",
        "in whatever order they come",
        "a named class goes before the default one",
        "a critical class is always there",
        "so is the other one",
        "nobody changes a built-in class",
        "a priority that is set stays, even zero",
        "and whatever the class says",
        "its class need not be there any more",
    ],
)
def test_the_priority_of_a_pod(asked: Pod, classes: list[PriorityClass], expected: int) -> None:
    assert completed(asked, *classes).spec.priority == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (of_class("polite"), "Never"),
        (of_class("polite", priority=50), "Never"),
        (of_class("polite", preemption_policy="PreemptLowerPriority"), "PreemptLowerPriority"),
        (of_class("high"), None),
        (pod("web"), None),
    ],
    ids=[
        "it is the one of the class",
        "also where the priority is set",
        "unless the pod has one",
        "a class may have none",
        "no class, no policy",
    ],
)
def test_the_preemption_policy_of_a_pod(asked: Pod, expected: str | None) -> None:
    assert completed(asked, HIGH, POLITE).spec.preemption_policy == expected


def test_unknown_priority_classes_are_reported_together() -> None:
    others = [of_class("high"), evolve(of_class("higher"), metadata=ObjectMeta(name="db"))]
    with pytest.raises(ManifestError) as caught:
        Manifests([*others, LOW]).with_defaults()
    there = "(there are: low, system-cluster-critical, system-node-critical)"
    assert [str(problem) for problem in caught.value.problems] == [
        f"Pod default/web: spec.priorityClassName: 'high' is no priority class {there}",
        f"Pod db: spec.priorityClassName: 'higher' is no priority class {there}",
    ]


# -- tolerations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tolerations", "added"),
    [
        ([], [NOT_READY, UNREACHABLE]),
        (["dedicated=gpu:NoExecute"], [NOT_READY, UNREACHABLE]),
        ([f"{NOT_READY}:NoExecute"], [UNREACHABLE]),
        ([f"{UNREACHABLE}:NoExecute"], [NOT_READY]),
        ([NOT_READY], [UNREACHABLE]),
        ([f"{NOT_READY}:NoSchedule"], [NOT_READY, UNREACHABLE]),
        (["*"], []),
        ([Toleration(operator="Exists", effect="NoExecute")], []),
        ([Toleration(operator="Exists", effect="NoSchedule")], [NOT_READY, UNREACHABLE]),
    ],
    ids=[
        "a pod that tolerates nothing gets both",
        "so does one that tolerates something else",
        "one that says something about the first gets the second",
        "and the other way round",
        "any effect is said about too",
        "another effect is not",
        "one that tolerates everything gets none",
        "nor does one that tolerates every eviction",
        "tolerating all of another effect says nothing",
    ],
)
def test_a_pod_stays_for_five_minutes(
    tolerations: list[str | Toleration], added: list[str]
) -> None:
    asked = pod("web", tolerations=tolerations)
    assert completed(asked).spec.tolerations == asked.spec.tolerations + tuple(
        Toleration(key=key, operator="Exists", effect="NoExecute", toleration_seconds=300)
        for key in added
    )


# -- storage classes -------------------------------------------------------------------------------


def storage_class(name: str, mark: str = "storageclass.kubernetes.io", **says: str) -> StorageClass:
    annotations = {f"{mark}/is-default-class": says.get("default", "true")}
    return StorageClass(metadata=ObjectMeta(name=name, annotations=annotations))


def claim(class_name: str | None = None, **fields: Any) -> PersistentVolumeClaim:
    return PersistentVolumeClaim(
        metadata=ObjectMeta(name="data", annotations=fields.get("annotations", {})),
        spec=PersistentVolumeClaimSpec(storage_class_name=class_name),
        status=PersistentVolumeClaimStatus(phase=fields.get("phase", "")),
    )


BETA = {"volume.beta.kubernetes.io/storage-class": "slow"}


@pytest.mark.parametrize(
    ("asked", "classes", "expected"),
    [
        (claim(), [storage_class("fast")], "fast"),
        (claim(), [storage_class("fast", mark="storageclass.beta.kubernetes.io")], "fast"),
        (claim(), [storage_class("fast", default="false"), storage_class("slow")], "slow"),
        (claim(), [storage_class("fast", default="yes")], None),
        (claim("slow"), [storage_class("fast")], "slow"),
        (claim(""), [storage_class("fast")], ""),
        (claim(annotations=BETA), [storage_class("fast")], None),
        (claim(phase="Bound"), [storage_class("fast")], None),
    ],
    ids=[
        "it is the default class",
        "the elder mark counts too",
        "a mark may say that it is not the default",
        "nothing but true is true",
        "a claim keeps the class that it names",
        "no class is a class of its own",
        "the elder annotation names a class",
        "a claim with a phase was admitted without one",
    ],
)
def test_the_class_of_a_claim(
    asked: PersistentVolumeClaim, classes: list[StorageClass], expected: str | None
) -> None:
    (made,) = Manifests([asked, *classes]).with_defaults().of(PersistentVolumeClaim)
    assert made.spec.storage_class_name == expected


def test_several_default_classes_are_a_problem_of_those_who_need_one() -> None:
    classes = [storage_class("fast"), storage_class("slow")]
    assert Manifests([claim("slow"), *classes]).with_defaults().of(PersistentVolumeClaim)
    with pytest.raises(ManifestError) as caught:
        Manifests([claim(), *classes]).with_defaults()
    assert str(caught.value) == (
        "PersistentVolumeClaim data: spec.storageClassName is missing, "
        "and several classes are the default: fast, slow"
    )


# -- laws ------------------------------------------------------------------------------------------


def admitted(bundle: Manifests) -> Manifests:
    try:
        return bundle.with_defaults()
    except ManifestError:
        assume(False)  # noqa: FBT003 - an unknown priority class, drawn by chance
        raise


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(bundles())
def test_filling_in_twice_is_filling_in_once(bundle: Manifests) -> None:
    once = admitted(bundle)
    assert once.with_defaults() == once


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(bundles())
def test_the_same_objects_are_there_in_the_same_order(bundle: Manifests) -> None:
    made = admitted(bundle)
    assert [(it.kind, it.name) for it in made] == [(it.kind, it.name) for it in bundle]
    assert all(it.namespace or not it.namespaced for it in made)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(bundles(), st.randoms(use_true_random=False))
def test_the_order_of_the_objects_does_not_matter(bundle: Manifests, random: Any) -> None:
    shuffled = list(bundle)
    random.shuffle(shuffled)
    assert set(admitted(bundle)) == set(Manifests(shuffled).with_defaults())


def test_what_was_passed_over_stays_counted() -> None:
    assert load_objects({"kind": "ConfigMap"}).with_defaults().skipped == {"ConfigMap": 1}
