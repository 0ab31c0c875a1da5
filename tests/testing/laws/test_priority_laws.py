"""The laws of priorities: each catches what breaks it, and says how."""

import re
from collections.abc import Callable
from random import random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import settings, strategies as st

from kubesched import (
    SKIP,
    Facet,
    NodeInfo,
    Pod,
    PrioritySpec,
    SchedulingError,
    Snapshot,
    node,
    normalize,
    pod,
)
from kubesched.errors import UnknownNameError
from kubesched.framework import MAX_SCORE
from kubesched.plugins.images import IMAGE_LOCALITY
from kubesched.plugins.pod_count import MOST_PODS
from kubesched.plugins.resources import LEAST_REQUESTED, MOST_REQUESTED
from kubesched.testing import OPTIONAL_PRIORITY_LAWS, PRIORITY_LAWS, LawBrokenError, check_priority
from kubesched.testing.situation import Situation, situations

FEW: dict[str, Any] = {
    "settings": settings(max_examples=5, deadline=None, database=None),
    "situations": situations(),
    "seed": 0,
}
ALL = [law.name for law in PRIORITY_LAWS]


def pods_on(_pod: Pod, _meta: object, node: NodeInfo, /) -> int:
    return len(node.pods)


def reduced_by(reduce: Callable[..., Any]) -> PrioritySpec[Any]:
    return PrioritySpec("Mine", pods_on, reduce=reduce, reads={Facet.PODS})


def mapped_by(score: Callable[..., Any], **options: Any) -> PrioritySpec[Any]:
    return PrioritySpec("Mine", score, **options)


def scores_in_place(_pod: Pod, _meta: None, _nodes: list[NodeInfo], scores: list[int]) -> list[int]:
    for index, score in enumerate(scores):
        scores[index] = min(MAX_SCORE, score + 1)
    return scores


def turns_round(_pod: Pod, _meta: None, nodes: list[NodeInfo], scores: list[int]) -> list[int]:
    nodes.reverse()
    return [min(MAX_SCORE, score) for score in scores]


def counts_calls(_pod: Pod, calls: list[int], _nodes: Any, scores: list[int]) -> list[int]:
    calls.append(1)
    return [min(MAX_SCORE, score) for score in scores]


def fails_for_one(_pod: Pod, _meta: None, nodes: list[NodeInfo], scores: list[int]) -> list[int]:
    second = max(scores) - min(score for score in scores if nodes[1:])
    return [0 if second else MAX_SCORE for _ in scores]


def by_chance(_pod: Pod, _meta: None, _nodes: list[NodeInfo], scores: list[int]) -> list[int]:
    return [int(random() * MAX_SCORE) for _ in scores]  # noqa: S311


BROKEN = [
    (
        "a score that is no integer",
        mapped_by(lambda _pod, _meta, node: len(node.pods) / 2),
        "scores",
        "node NODE gets 0.0",
    ),
    (
        "no score at all",
        mapped_by(lambda *_: None),
        "scores",
        "node NODE gets None",
    ),
    (
        "a label that need not be there",
        mapped_by(lambda _pod, _meta, node: len(node.labels["generation"]) % 2),
        "scores",
        "a question about node NODE raises KeyError: 'generation'",
    ),
    (
        "a prepare that fails",
        mapped_by(lambda *_: 1, prepare=lambda pod, _snapshot: pod.labels["app"]),
        "scores",
        "a question about node NODE raises KeyError: 'app'",
    ),
    (
        "a score above the highest one",
        mapped_by(lambda *_: MAX_SCORE + 1),
        "range",
        "node NODE scores 11",
    ),
    (
        "a score below 0",
        mapped_by(lambda _pod, _meta, node: -len(node.pods)),
        "range",
        "node NODE scores -1",
    ),
    (
        "a reduce that goes too far",
        reduced_by(lambda _pod, _meta, nodes, _scores: [len(nodes) * 6 for _ in nodes]),
        "range",
        "node NODE scores 12 among (NODE: 12, NODE: 12)",
    ),
    (
        "a reduce that counts on all nodes",
        PrioritySpec(
            "Mine",
            pods_on,
            prepare=lambda _pod, snapshot: snapshot.num_nodes,
            reduce=lambda _pod, number, nodes, _scores: [10 * number // len(nodes)] * len(nodes),
        ),
        "range",
        "node NODE scores 20",
    ),
    (
        "a reduce that cannot do with one node",
        reduced_by(fails_for_one),
        "one score each",
        "the reduce of (NODE: 0) raises ValueError",
    ),
    (
        "a reduce that forgets a node",
        reduced_by(lambda _pod, _meta, _nodes, scores: scores[1:]),
        "one score each",
        "the reduce of (NODE: 0) returns [], for 1 node",
    ),
    (
        "a reduce that returns no sequence",
        reduced_by(lambda _pod, _meta, _nodes, scores: map(int, scores)),
        "one score each",
        "the reduce of (NODE: 0) returns <map",
    ),
    (
        "a reduce that returns floats",
        reduced_by(lambda _pod, _meta, _nodes, scores: [score / 2 for score in scores]),
        "one score each",
        "the reduce of (NODE: 0) returns [0.0], not all integers",
    ),
    (
        "a reduce that writes into what it gets",
        reduced_by(scores_in_place),
        "pure reduce",
        "scores[0] was 0 and is 1",
    ),
    (
        "a reduce that turns the nodes round",
        reduced_by(turns_round),
        "pure reduce",
        "nodes[0] was 'NODE' and is 'NODE'",
    ),
    (
        "a reduce that changes what was prepared",
        evolve(reduced_by(counts_calls), prepare=lambda *_: []),
        "pure reduce",
        "meta has [0] now",
    ),
    (
        "a reduce that goes by places",
        reduced_by(lambda _pod, _meta, _nodes, scores: [*range(len(scores))]),
        "node order",
        "they score (NODE: 0, NODE: 1), and in another order (NODE: 0, NODE: 1)",
    ),
    (
        "a prepare that takes the first node",
        mapped_by(
            lambda _pod, first, node: int(node.name == first),
            prepare=lambda _pod, snapshot: next(iter(snapshot.node_infos), SKIP),
        ),
        "node order",
        "they score (NODE: 1, NODE: 0), and in another order (NODE: 1, NODE: 0)",
    ),
    ("a reduce that draws lots", reduced_by(by_chance), "repetition", "its answer about node NODE"),
]


@pytest.mark.parametrize(
    ("spec", "law", "seen"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_a_law_is_broken_by(spec: PrioritySpec[Any], law: str, seen: str) -> None:
    with pytest.raises(LawBrokenError) as caught:
        check_priority(spec, seed=0)
    assert (caught.value.law, caught.value.rule) == (law, "Mine")
    assert re.sub(r"\bn\d\b", "NODE", caught.value.seen).startswith(seen)


def refuses_small_nodes(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    if node.allocatable.pods < 2:
        raise SchedulingError("too small")
    return 5


KEPT = [
    ("a constant", mapped_by(lambda *_: 3, reads=())),
    ("a truth value", mapped_by(lambda _pod, _meta, node: bool(node.taints), reads={Facet.TAINTS})),
    ("an error on purpose", mapped_by(refuses_small_nodes, reads={Facet.ALLOCATABLE})),
    ("nothing to say", mapped_by(pods_on, prepare=lambda *_: SKIP, reads=())),
    ("counts that are stretched", PrioritySpec("Mine", pods_on, reduce=normalize())),
    ("a reduce that returns what it got", reduced_by(lambda _pod, _meta, _nodes, scores: scores)),
]


@pytest.mark.parametrize("spec", [row[1] for row in KEPT], ids=[row[0] for row in KEPT])
def test_all_laws_are_kept_by(spec: PrioritySpec[Any]) -> None:
    check_priority(spec, **FEW)


def test_nodes_that_disagree_on_the_size_of_an_image_may_score_by_who_came_first() -> None:
    nodes = [node("n1", images={"web:1": 2**20}), node("n2", images={"web:1": 2**40})]
    situation = Situation(pod("web", image="web:1"), nodes)
    check_priority(IMAGE_LOCALITY, **{**FEW, "situations": st.just(situation)})


def test_the_highest_score_is_up_to_the_registry() -> None:
    percent = mapped_by(lambda *_: 100, reads=())
    check_priority(percent, max_score=100, **FEW)
    with pytest.raises(LawBrokenError, match="scores lie between 0 and 99"):
        check_priority(percent, max_score=99, **FEW)


def test_a_law_may_be_left_out() -> None:
    eleven = mapped_by(lambda *_: 11, reads=())
    check_priority(eleven, without=["range"], **FEW)


def test_a_law_that_there_is_not_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="law 'ranges' is not registered; did you mean"):
        check_priority(LEAST_REQUESTED, without=["ranges"])


def test_the_laws_have_names_of_their_own() -> None:
    names = [law.name for law in (*PRIORITY_LAWS, *OPTIONAL_PRIORITY_LAWS)]
    assert len({*names}) == len(names)


# -- laws that not all keep ------------------------------------------------------------------------

OPTIONAL = [law.name for law in OPTIONAL_PRIORITY_LAWS]


@pytest.mark.parametrize("law", OPTIONAL)
def test_the_emptier_a_node_the_better_for_least_requested(law: str) -> None:
    check_priority(LEAST_REQUESTED, also=[law], without=ALL, **FEW)


FALLING = [
    ("what fills nodes up prefers small ones", MOST_REQUESTED, "monotone in free resources"),
    ("what fills nodes up likes large pods", MOST_REQUESTED, "monotone in requests"),
    ("what counts pods misses one", MOST_PODS, "monotone in removed pods"),
    (
        "what minds tolerations",
        mapped_by(lambda pod, _meta, _node: int(not pod.spec.tolerations), reads=()),
        "monotone in tolerations",
    ),
    (
        "what goes by the node that came first",
        mapped_by(
            lambda _pod, first, node: int(node.name == first),
            prepare=lambda _pod, snapshot: next(iter(snapshot.node_infos), SKIP),
        ),
        "arrival",
    ),
    (
        "what sorts labels by their names",
        mapped_by(lambda pod, _meta, _node: int(min(pod.labels, default="") > "b"), reads=()),
        "unknown labels",
    ),
]


@pytest.mark.parametrize(
    ("spec", "law"), [row[1:] for row in FALLING], ids=[row[0] for row in FALLING]
)
def test_a_law_that_not_all_keep_is_broken_by(spec: PrioritySpec[Any], law: str) -> None:
    with pytest.raises(LawBrokenError) as caught:
        check_priority(spec, also=[law], without=ALL, seed=0)
    assert caught.value.law == law


def fails_over_lost_pods(_pod: Pod, snapshot: Snapshot, /) -> int:
    return sum(info.node.metadata.generation for info in snapshot.node_infos.values())  # type: ignore[misc, union-attr]


def test_a_pod_on_a_node_that_is_not_there_is_part_of_what_is_told() -> None:
    spec = PrioritySpec("Mine", lambda *_: 1, prepare=fails_over_lost_pods, reads=())
    with pytest.raises(LawBrokenError, match="breaks the law 'scores'") as caught:
        check_priority(spec, settings=settings(max_examples=1, database=None))
    assert [each.node_name for each in caught.value.situation.pods] == ["unknown"]


def test_one_change_follows_upon_another() -> None:
    likes_two = mapped_by(lambda _pod, _meta, node: 10 - abs(len(node.pods) - 2))
    pods = [pod(f"p{number}", node_name="n1") for number in range(3)]
    crowded = st.just(Situation(pod("web"), [node("n1"), *pods]))
    with pytest.raises(LawBrokenError, match="monotone in removed pods") as caught:
        check_priority(
            likes_two,
            also=["monotone in removed pods"],
            without=ALL,
            situations=crowded,
        )
    assert len(caught.value.situation.pods) == 2
