"""Kinds of objects and fields that a rule names come up."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from kubesched import FITS, NodeInfo, Pod, PredicateSpec, Snapshot, node, pod
from kubesched.model import Namespace, PriorityClass, Service
from kubesched.testing import Situation
from kubesched.testing.laws.featuring import features_named_by, features_of, kinds_named_by
from kubesched.testing.laws.speaking import words_of

WEB = Situation(pod("web", labels={"app": "a"}), [node("n1"), pod("db", node_name="n1")])


def rule(check: Callable[..., Any], prepare: Callable[..., Any] | None = None) -> Any:
    return PredicateSpec("Mine", check, prepare=prepare)


def class_of(pod: Pod, snapshot: Snapshot, /) -> PriorityClass | None:
    return snapshot.of(PriorityClass).get(pod.spec.priority_class_name)


def public(_pod: Pod, snapshot: Snapshot, /) -> bool:
    return any(each.spec.type == "LoadBalancer" for each in snapshot.of(Service).values())


def wants_port(pod: Pod, _meta: None, node: NodeInfo, /) -> bool:
    return pod.is_terminating or 9100 in {each.port for each in node.used_ports}


BY_CLASS = rule(lambda *_: FITS, class_of)
PUBLIC = rule(lambda *_: FITS, public)
PORT = rule(wants_port)


def featured(rule: Any, times: int = 600) -> list[Situation]:
    words, quick = words_of(rule), settings(database=None, deadline=None)
    pickers, chance = features_of(rule, words, quick, 0), Random(0)  # noqa: S311 - not for secrets
    return [chance.choice(pickers)(chance)(WEB) for _ in range(times)]


def test_kinds() -> None:
    assert kinds_named_by(BY_CLASS) == (PriorityClass,)
    assert kinds_named_by(PUBLIC) == (Service,)
    assert kinds_named_by(PORT) == ()
    assert Namespace not in kinds_named_by(PUBLIC)


def test_fields() -> None:
    assert {"priority_class_name"} == {each.field for each in features_named_by(BY_CLASS)}
    assert {"type"} == {each.field for each in features_named_by(PUBLIC)}
    assert {"ports", "deletion_timestamp"} == {each.field for each in features_named_by(PORT)}


@pytest.mark.parametrize(
    ("rule", "is_there"),
    [
        (BY_CLASS, lambda it: any(isinstance(each, PriorityClass) for each in it.objects)),
        (BY_CLASS, lambda it: it.pod.spec.priority_class_name == "s1"),
        (BY_CLASS, lambda it: it.pods[0].spec.priority_class_name == "s1"),
        (PUBLIC, lambda it: any(each.spec.selector == {"app": "a"} for each in services(it))),
        (PORT, lambda it: any(each.host_port == 9100 for each in it.pod.spec.containers[0].ports)),
        (PORT, lambda it: it.pods[0].is_terminating and not it.pod.is_terminating),
    ],
    ids=[
        "an object of the kind",
        "a field of the pod",
        "a field of another pod",
        "a service that finds the pod",
        "a number of the rule",
        "a field of one of them only",
    ],
)
def test_what_a_rule_names_comes_up(rule: Any, is_there: Callable[[Situation], bool]) -> None:
    assert any(map(is_there, featured(rule)))


def services(situation: Situation) -> list[Service]:
    return [each for each in situation.objects if isinstance(each, Service)]


def test_what_is_there_already_is_not_there_twice() -> None:
    for it in featured(PUBLIC):
        keys = [(each.kind, each.key) for each in it.objects]
        assert len(keys) == len({*keys})


def test_what_names_nothing_gets_nothing() -> None:
    nothing = rule(lambda *_: FITS)
    quick = settings(database=None, deadline=None)
    assert features_of(nothing, words_of(nothing), quick, 0) == []


def test_no_two_objects_have_the_same_uid() -> None:
    by_uid = rule(lambda pod, _meta, node: pod.uid in node.labels)
    found = featured(by_uid)
    assert any(it.pod.uid and it.nodes[0].metadata.uid for it in found)
    for it in found:
        uids = [each.metadata.uid for each in (it.pod, *it.objects) if each.metadata.uid]
        assert len({*uids}) == len(uids)
