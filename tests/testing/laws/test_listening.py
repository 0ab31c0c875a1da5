"""What is asked of a situation is heard."""

from collections.abc import Callable

import pytest

from kubesched import node, pod
from kubesched.model import Namespace, Node, ObjectMeta, Pod
from kubesched.testing import Situation
from kubesched.testing.laws.listening import Asked, told_of

SHOP = Namespace(metadata=ObjectMeta(name="default", annotations={"team": "a"}))
WEB = Situation(pod("web", labels={"app": "a"}), [node("n1"), SHOP])


@pytest.mark.parametrize(
    ("ask", "asked"),
    [
        (lambda it: it.nodes[0].labels.get("rack"), Asked(Node, "labels", "rack")),
        (lambda it: "rack" in it.nodes[0].annotations, Asked(Node, "annotations", "rack")),
        (lambda it: it.pod.labels["app"], Asked(Pod, "labels", "app")),
        (lambda it: it.objects[1].annotations["team"], Asked(Namespace, "annotations", "team")),
    ],
    ids=["get", "in", "[]", "of another object"],
)
def test_each_way_of_asking(ask: Callable[[Situation], object], asked: Asked) -> None:
    heard: list[Asked] = []
    ask(told_of(WEB, heard.append))
    assert heard == [asked]


def test_what_is_not_there_is_heard_as_well() -> None:
    heard: list[Asked] = []
    with pytest.raises(KeyError):
        told_of(WEB, heard.append).pod.labels["none"]
    assert heard == [Asked(Pod, "labels", "none")]


def test_it_is_a_copy() -> None:
    told = told_of(WEB, lambda _: None)
    assert told == WEB
    assert told.pod is not WEB.pod
    assert type(WEB.pod.labels) is type(pod("db").labels)
