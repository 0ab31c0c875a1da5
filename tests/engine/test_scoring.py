"""How good each node is: maps, reduces, weights, sums."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.engine import EvaluationError, Workers
from kubesched.engine.scoring import Scored, prioritize_nodes
from kubesched.errors import SpecError
from kubesched.framework import PriorityMap, PrioritySpec, normalize
from kubesched.model import Pod
from kubesched.state import Cluster, NodeInfo, Snapshot

POD = pod("web-1")
SNAPSHOT = Cluster.of(node(f"n{index}") for index in range(7)).snapshot()
NODES = list(SNAPSHOT.node_infos.values())
ALL = len(NODES)
CALLING_THREAD = Workers(1)
POOLS = [CALLING_THREAD, Workers(2), Workers(3), Workers(16)]

columns = st.lists(st.integers(-5, 50), min_size=ALL, max_size=ALL)


def scored(
    *priorities: PrioritySpec[Any], nodes: Sequence[NodeInfo] = NODES, workers: Workers = POOLS[1]
) -> Scored:
    return prioritize_nodes(POD, priorities, nodes, SNAPSHOT, workers)


def map_of(score: Callable[[int], Any]) -> PriorityMap[Any]:
    """Return the map that scores a node by its number."""
    return lambda _pod, _meta, info: score(int(info.name[1:]))


def spec_of(score: Callable[[int], Any], name: str = "Spec", **more: Any) -> PrioritySpec[Any]:
    return PrioritySpec(name, map_of(score), **more)


def fails(text: str, *on: int) -> Callable[[int], int]:
    def score(number: int) -> int:
        if not on or number in on:
            raise LookupError(text.format(number))
        return number

    return score


def test_without_priorities_every_node_scores_1() -> None:
    assert scored().totals == [1] * ALL
    assert scored().columns == {}


def test_a_column_is_what_a_priority_says_before_weighting() -> None:
    result = scored(spec_of(abs, "Number", weight=3), spec_of(lambda _: 2, "Two"))
    assert result.columns == {"Number": list(range(ALL)), "Two": [2] * ALL}
    assert result.totals == [3 * number + 2 for number in range(ALL)]


def test_a_reduce_sees_all_nodes_and_their_scores_in_order() -> None:
    seen: list[object] = []

    def reduce(
        pod: Pod, meta: object, nodes: Sequence[NodeInfo], scores: Sequence[int], /
    ) -> Sequence[int]:
        seen.append((pod, meta, [info.name for info in nodes], list(scores)))
        return tuple(reversed(scores))

    result = scored(spec_of(abs, reduce=reduce, weight=2, blocks=True), nodes=NODES[1:4])
    assert seen == [(POD, None, ["n1", "n2", "n3"], [1, 2, 3])]
    assert result.columns == {"Spec": (3, 2, 1)}
    assert result.totals == [6, 4, 2]


def test_a_priority_prepares_once_a_pod_and_gets_what_it_made() -> None:
    prepared: list[object] = []

    def prepare(asked: Pod, snapshot: Snapshot, /) -> int:
        prepared.append((asked, snapshot))
        return 5

    def score(_pod: Pod, meta: int, _node: NodeInfo, /) -> int:
        return meta

    def reduce(
        _pod: Pod, meta: int, _nodes: Sequence[NodeInfo], scores: Sequence[int], /
    ) -> Sequence[int]:
        return [meta + each for each in scores]

    result = scored(PrioritySpec("Five", score, reduce=reduce, prepare=prepare, blocks=True))
    assert prepared == [(POD, SNAPSHOT)]
    assert result.totals == [10] * ALL


def test_a_truth_counts_as_1() -> None:
    assert scored(spec_of(lambda number: number > 3), spec_of(abs, "Number")).totals[2:5] == [
        2,
        3,
        5,
    ]


@given(
    given_columns=st.lists(columns, min_size=1, max_size=4),
    weights=st.lists(st.integers(1, 10_000), min_size=4, max_size=4),
    workers=st.sampled_from(POOLS),
    blocks=st.booleans(),
)
def test_a_total_is_the_weighted_sum_whoever_works(
    *, given_columns: list[list[int]], weights: list[int], workers: Workers, blocks: bool
) -> None:
    priorities = [
        spec_of(column.__getitem__, f"Column{index}", weight=weight, blocks=blocks)
        for index, (column, weight) in enumerate(zip(given_columns, weights, strict=False))
    ]
    result = scored(*priorities, workers=workers)
    assert list(map(list, result.columns.values())) == given_columns
    assert list(result.totals) == [
        sum(weight * column[each] for weight, column in zip(weights, given_columns, strict=False))
        for each in range(ALL)
    ]


# -- what goes wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize("workers", POOLS, ids=lambda workers: f"{workers.count} workers")
def test_errors_of_all_nodes_are_listed_not_counted(workers: Workers) -> None:
    same = spec_of(fails("odd"), blocks=True)
    with pytest.raises(EvaluationError) as caught:
        scored(same, nodes=NODES[:3], workers=workers)
    assert str(caught.value) == "[odd, odd, odd]"
    assert isinstance(caught.value.__cause__, LookupError)
    some = spec_of(fails("no idea of {}", 1, 4), blocks=True)
    with pytest.raises(EvaluationError, match=r"^\[no idea of 1, no idea of 4\]$"):
        scored(some, workers=workers)


def test_a_single_error_stands_alone() -> None:
    with pytest.raises(EvaluationError, match=r"^odd$"):
        scored(spec_of(fails("odd", 2)))


def test_errors_of_several_priorities_come_together() -> None:
    with pytest.raises(EvaluationError) as caught:
        scored(spec_of(fails("first", 5), "A"), spec_of(abs, "B"), spec_of(fails("second", 1), "C"))
    assert sorted(map(str, caught.value.errors)) == ["first", "second"]


def test_a_priority_that_cannot_prepare_cannot_score() -> None:
    def prepare(_pod: Pod, _snapshot: Snapshot, /) -> object:
        raise LookupError("no idea")

    with pytest.raises(EvaluationError, match=r"^no idea$") as caught:
        scored(spec_of(abs, prepare=prepare))
    assert isinstance(caught.value.__cause__, LookupError)


def test_a_reduce_may_fail_like_a_map() -> None:
    def reduce(_pod: Pod, _meta: object, _nodes: object, _scores: object, /) -> Sequence[int]:
        raise ZeroDivisionError("nobody scored")

    with pytest.raises(EvaluationError, match=r"^nobody scored$") as caught:
        scored(spec_of(abs, "A", reduce=reduce), spec_of(abs, "B"))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_error_that_does_not_come_again_is_not_lost() -> None:
    errors = [LookupError("once")]

    def score(_number: int) -> int:
        if errors:
            raise errors.pop()
        return 1

    with pytest.raises(EvaluationError, match=r"^once$"):
        scored(spec_of(score))


def test_a_reduce_that_loses_a_node_breaks_the_contract() -> None:
    first_only = spec_of(abs, "Lossy", reduce=lambda _pod, _meta, _nodes, scores: scores[:1])
    with pytest.raises(SpecError) as caught:
        scored(first_only)
    assert str(caught.value) == "the reduce of priority 'Lossy' returned 1 scores for 7 nodes"


@pytest.mark.parametrize("score", [0.5, None, "7"], ids=repr)
@pytest.mark.parametrize("reduce", [None, normalize()], ids=["plain", "with a reduce"])
def test_a_score_that_is_no_integer_breaks_the_contract(score: Any, reduce: Any) -> None:
    odd = spec_of(lambda number: score if number == 4 else 2, "Odd", reduce=reduce)
    with pytest.raises(SpecError, match=r"^priority 'Odd' scored .*, expected an integer$"):
        scored(odd)


def test_whatever_is_an_integer_is_a_score() -> None:
    class Grade(IntEnum):
        GOOD = 7

    graded = spec_of(lambda number: Grade.GOOD if number == 4 else number == 2, "Graded")
    plain = spec_of(lambda number: 7 if number == 4 else int(number == 2), "Graded")
    assert scored(graded).totals == scored(plain).totals


def test_a_reduce_that_makes_fractions_breaks_the_contract() -> None:
    halves = spec_of(
        abs, "Halves", reduce=lambda _pod, _meta, _nodes, scores: [each / 2 for each in scores]
    )
    with pytest.raises(SpecError) as caught:
        scored(halves)
    assert str(caught.value) == "priority 'Halves' scored 0.0, expected an integer"


def test_a_reduce_that_gives_no_scores_at_all_breaks_the_contract() -> None:
    nothing: Any = lambda _pod, _meta, _nodes, _scores: None  # noqa: E731
    with pytest.raises(SpecError) as caught:
        scored(spec_of(abs, "Mute", reduce=nothing))
    assert str(caught.value) == "the reduce of priority 'Mute' returned None, expected scores"
