"""What holds for every model class."""

import copy
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, get_type_hints

import pytest
from attrs import evolve, fields, has
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis.vendor.pretty import RepresentationPrinter

from kubesched import model
from kubesched.model import (
    FrozenMap,
    KubeObject,
    Node,
    ObjectMeta,
    OwnerReference,
    Pod,
    Service,
    ServiceSpec,
)
from tests.copies import pickled
from tests.strategies import nodes, pods

CLASSES: list[type[Any]] = [each for name in model.__all__ if has(each := getattr(model, name))]
KINDS = [each for each in CLASSES if issubclass(each, KubeObject) and each is not KubeObject]


@pytest.mark.parametrize("kind", CLASSES)
def test_two_made_alike_are_equal_hash_alike_and_come_back_from_a_pickle(kind: Any) -> None:
    assert kind() == kind()
    assert hash(kind()) == hash(kind())
    assert pickled(kind()) == kind()


@pytest.mark.parametrize("kind", CLASSES)
def test_a_model_cannot_be_changed(kind: Any) -> None:
    made = kind()
    for each in fields(kind):
        with pytest.raises(FrozenInstanceError):
            setattr(made, each.name, None)
    with pytest.raises(FrozenInstanceError):
        made.nonsense = 1
    assert not hasattr(made, "__dict__")


@pytest.mark.parametrize("kind", CLASSES)
def test_a_model_keeps_no_mapping_or_sequence_that_others_can_change(kind: Any) -> None:
    for each in fields(kind):
        if "Mapping" in str(each.type):
            assert type(getattr(kind(**{each.name: {}}), each.name)) is FrozenMap
        if "tuple" in str(each.type):
            assert getattr(kind(**{each.name: []}), each.name) == ()


@pytest.mark.parametrize("kind", CLASSES)
def test_a_model_is_made_with_keywords_alone(kind: Any) -> None:
    with pytest.raises(TypeError):
        kind(None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_says_what_it_is_called_and_where_it_is_served(kind: type[KubeObject]) -> None:
    assert kind.kind == kind.__name__
    assert kind.versions


def test_no_two_kinds_are_called_the_same() -> None:
    assert len({(each.group, each.kind) for each in KINDS}) == len(KINDS)


@given(pods())
def test_a_pod_survives_pickling_and_copying(pod: Pod) -> None:
    for back in (pickled(pod), copy.copy(pod), copy.deepcopy(pod)):
        assert (back, hash(back), back.key) == (pod, hash(pod), pod.key)


@given(nodes())
def test_a_node_survives_pickling_and_copying(node: Node) -> None:
    for back in (pickled(node), copy.copy(node), copy.deepcopy(node)):
        assert (back, hash(back), back.key) == (node, hash(node), node.key)


@given(pods(), pods())
def test_equal_pods_hash_alike(one: Pod, other: Pod) -> None:
    assert (one != other) or hash(one) == hash(other)
    assert evolve(one, metadata=other.metadata, spec=other.spec, status=other.status) == other


@pytest.mark.parametrize(
    ("metadata", "key"),
    [
        pytest.param(ObjectMeta(name="web", namespace="shop"), "shop/web", id="in a namespace"),
        pytest.param(ObjectMeta(name="web"), "web", id="in none"),
        pytest.param(ObjectMeta(), "", id="without a name"),
    ],
)
def test_the_key_is_namespace_and_name(metadata: ObjectMeta, key: str) -> None:
    pod = Pod(metadata=metadata)
    assert (pod.key, str(pod), metadata.key) == (key, key, key)


def test_an_object_answers_for_its_metadata() -> None:
    pod = Pod(
        metadata=ObjectMeta(
            name="web",
            namespace="shop",
            uid="u1",
            labels={"app": "web"},
            annotations={"note": "x"},
        )
    )
    assert (pod.name, pod.namespace, pod.uid) == ("web", "shop", "u1")
    assert (pod.labels, pod.annotations) == ({"app": "web"}, {"note": "x"})


@pytest.mark.parametrize(
    ("owners", "controller"),
    [
        pytest.param((), None, id="nobody owns it"),
        pytest.param((OwnerReference(name="a"),), None, id="an owner need not control"),
        pytest.param(
            (OwnerReference(name="a", controller=False), OwnerReference(name="b", controller=True)),
            "b",
            id="the owner that says so",
        ),
    ],
)
def test_the_controller_is_the_owner_that_controls(
    owners: tuple[OwnerReference, ...], controller: str | None
) -> None:
    found = ObjectMeta(owner_references=owners).controller
    assert (found and found.name) == controller


def test_what_a_model_is_given_may_change_afterwards() -> None:
    labels, owners = {"app": "web"}, [OwnerReference(name="a")]
    metadata = ObjectMeta(labels=labels, owner_references=owners)
    labels.clear()
    owners.clear()
    assert metadata.labels == {"app": "web"}
    assert metadata.owner_references == (OwnerReference(name="a"),)


def test_a_time_is_part_of_what_is_compared() -> None:
    made = ObjectMeta(creation_timestamp=datetime(2018, 9, 1, tzinfo=UTC))
    assert made != ObjectMeta()


@pytest.mark.parametrize("selector", [None, {}, {"app": "web"}])
def test_a_service_tells_no_selector_from_an_empty_one(selector: Mapping[str, str] | None) -> None:
    service = Service(spec=ServiceSpec(selector=selector))
    assert service.spec.selector == selector
    assert hash(service) == hash(Service(spec=ServiceSpec(selector=selector)))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_the_types_of_all_fields_can_be_asked_for(kind: type[KubeObject]) -> None:
    assert "metadata" in get_type_hints(kind)


def test_printers_tell_a_model_as_repr_does_and_are_not_confused_by_its_class() -> None:
    def told(it: object) -> str:
        printer = RepresentationPrinter()
        printer.pretty(it)
        return printer.getvalue()

    service = Service(metadata=ObjectMeta(name="web"))
    assert told(service) == "Service(metadata=ObjectMeta(name='web'))"
    assert told([service]) == f"[{service!r}]"
    assert "Service" in told(Service)
