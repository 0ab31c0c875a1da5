"""Objects as manifests for people: complete, and with nothing in them that is empty."""

from io import StringIO

import pytest
from attrs import evolve
from hypothesis import given, settings

from kubesched import load_objects, node, pod
from kubesched.model import Affinity, KubeObject, NodeAffinity, Service, ServiceSpec
from kubesched.testing import Situation, situations
from kubesched.testing.writing import document_of, told_changes


def loaded(text: str) -> tuple[KubeObject, ...]:
    return load_objects(StringIO(text)).objects


@settings(max_examples=25)
@given(situations())
def test_what_is_written_loads_as_what_it_was(situation: Situation) -> None:
    assert loaded(situation.manifest()) == (situation.pod, *situation.objects)


def test_the_pod_that_is_asked_about_comes_first() -> None:
    first, second, *_ = Situation(pod("web"), [node("n1")]).manifest().splitlines()
    assert (first, second) == ("# The pod that is asked about:", "apiVersion: v1")


def test_what_is_empty_is_left_out() -> None:
    assert document_of(pod("shop/web")) == (
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: shop\n"
        "spec:\n  containers:\n  - name: main\n"
    )


@pytest.mark.parametrize(
    "it",
    [
        Service(spec=ServiceSpec(selector={})),
        pod("web", affinity=Affinity(node_affinity=NodeAffinity())),
    ],
    ids=["an empty selector", "an empty affinity"],
)
def test_what_is_empty_and_means_something_is_not_left_out(it: KubeObject) -> None:
    assert "{}" in document_of(it)


def test_changes_are_told() -> None:
    before = [node("n1"), node("n2"), pod("web")]
    after = [evolve(node("n1"), spec=evolve(node("n1").spec, unschedulable=True)), pod("web")]
    told = told_changes(before, [*after, pod("db")])
    assert [line for line in told.splitlines() if line[:1].isupper()] == [
        "Node n2 is gone.",
        "Node n1 becomes:",
        "Pod default/db comes:",
    ]
    assert "unschedulable: true" in told
