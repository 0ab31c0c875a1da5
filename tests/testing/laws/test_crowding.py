"""Situations become fuller."""

from collections import Counter
from random import Random

from attrs import evolve

from kubesched import Pod, node, pod
from kubesched.testing import WORDS, Situation
from kubesched.testing.laws.crowding import (
    crowds_of,
    more_like,
    with_copies,
    with_equal_nodes,
)
from tests.testing.laws.trying import identified

WEB = Situation(
    pod("web", labels={"app": "web"}),
    [node("n1"), node("n2"), pod("db", node_name="n1", labels={"app": "db"}), pod("db-1")],
)


def crowded(situation: Situation, times: int = 200) -> list[Situation]:
    chance, pickers = Random(0), crowds_of(WORDS)  # noqa: S311 - not for secrets
    return [chance.choice(pickers)(chance)(situation) for _ in range(times)]


def number_on(situation: Situation, name: str, app: str) -> int:
    pods = (it for it in situation.pods if it.node_name == name)
    return Counter(it.labels.get("app") for it in pods)[app]


def test_there_are_several_pods_like_one_on_a_node() -> None:
    assert any(number_on(it, "n1", "db") > 3 for it in crowded(WEB))


def test_there_are_several_pods_like_the_one_that_is_asked_about() -> None:
    assert any(number_on(it, "n2", "web") > 3 for it in crowded(WEB))


def test_no_two_have_the_same_name_or_uid() -> None:
    for it in crowded(evolve(WEB, pod=identified(WEB.pod, "u1"))):
        pods = (it.pod, *it.pods)
        assert len({each.key for each in pods}) == len(pods)
        uids = [each.uid for each in pods if each.uid]
        assert len({*uids}) == len(uids)


def test_names_that_are_taken_are_passed_over() -> None:
    more = with_copies(WEB, WEB.pods[0], 2).pods
    assert [it.name for it in more] == ["db", "db-1", "db-2", "db-3"]


def test_a_pod_may_ask_for_all_there_is() -> None:
    asked = [it.pod.spec.containers[0].resources.requests for it in crowded(WEB)]
    full = [requests for requests in asked if {*requests} == {*WORDS.resources}]
    assert len({tuple(requests) for requests in full}) > 1  # in more than one order


def test_a_pod_often_asks_for_as_much_of_one_resource_as_of_another() -> None:
    asked = [it.pod.spec.containers[0].resources.requests for it in crowded(WEB)]
    full = [requests for requests in asked if {*requests} == {*WORDS.resources}]
    same = [each for each in full if each["memory"] == each["ephemeral-storage"]]
    assert len(full) // 4 < len(same) < len(full)


def test_without_nodes_nothing_comes() -> None:
    alone = Situation(WEB.pod)
    assert all(not it.objects for it in crowded(alone))


def test_what_is_like_a_pod_differs_in_name_and_uid_alone() -> None:
    like: Pod = next(more_like(WEB.pod))
    assert evolve(like, metadata=evolve(like.metadata, name="web")) == WEB.pod


def test_nodes_may_be_equal() -> None:
    labelled = evolve(WEB, objects=[node("n1", labels={"disk": "ssd"}), *WEB.objects[1:]])
    assert any(it.nodes[1].labels.get("disk") == "ssd" for it in crowded(labelled))


def test_equal_nodes_are_called_as_before() -> None:
    first, second = with_equal_nodes(WEB, WEB.nodes[0]).nodes
    assert first == WEB.nodes[0]
    assert (second.name, second.labels) == ("n2", WEB.nodes[1].labels)
