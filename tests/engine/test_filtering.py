"""Which nodes a pod fits: who is asked, in which order, until when."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from attrs import define, field, frozen
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.engine import EvaluationError, Workers, num_feasible_nodes_to_find
from kubesched.engine.filtering import Filter, Filtered, find_nodes_that_fit
from kubesched.errors import SpecError
from kubesched.framework import FITS, Fit, PredicateSpec, Reason
from kubesched.model import Pod
from kubesched.state import Cluster, NodeCursor, NodeInfo, Snapshot

POD = pod("web-1")
COLD, DARK = Reason("cold"), Reason("dark")


# -- how many are enough -----------------------------------------------------------------------


class Enough(NamedTuple):
    """How many feasible nodes end the search."""

    says: str
    num_all_nodes: int
    percentage: int
    enough: int


ENOUGH = [
    Enough("of no nodes none", 0, 50, 0),
    Enough("below 100 nodes all", 99, 1, 99),
    Enough("of 100 nodes all", 100, 1, 100),
    Enough("never fewer than 100", 199, 50, 100),
    Enough("half of 200", 200, 50, 100),
    Enough("what is over is cut off", 333, 50, 166),
    Enough("99 percent", 1000, 99, 990),
    Enough("0 percent means all", 1000, 0, 1000),
    Enough("less than 0 means all", 1000, -5, 1000),
    Enough("100 percent means all", 1000, 100, 1000),
    Enough("more means all", 1000, 250, 1000),
    Enough("half of very many", 2**33, 50, 2**32),
]


@pytest.mark.parametrize("case", ENOUGH, ids=lambda case: case.says)
def test_enough(case: Enough) -> None:
    assert num_feasible_nodes_to_find(case.num_all_nodes, case.percentage) == case.enough


@given(st.integers(0, 10**6), st.integers(1, 99))
def test_more_nodes_or_percent_never_mean_fewer(nodes: int, percentage: int) -> None:
    enough = num_feasible_nodes_to_find(nodes, percentage)
    assert min(nodes, 100) <= enough <= nodes
    assert enough <= num_feasible_nodes_to_find(nodes + 1, percentage)
    assert enough <= num_feasible_nodes_to_find(nodes, percentage + 1)


# -- a search ----------------------------------------------------------------------------------


@frozen
class Search:
    """A cluster to search with some predicates; the cursor stays between two searches."""

    snapshot: Snapshot
    predicates: tuple[PredicateSpec[Any], ...]
    checks_all: bool = False
    percentage: int = 100
    workers: Workers = field(factory=Workers)
    cursor: NodeCursor = field(factory=NodeCursor)

    def run(self) -> Filtered:
        wanted = Filter.of(POD, self.predicates, self.snapshot, checks_all=self.checks_all)
        return find_nodes_that_fit(
            wanted.verdicts,
            self.snapshot,
            self.cursor,
            self.percentage,
            workers=self.workers,
            blocks=wanted.prepared.blocks,
        )


def nodes(count: int) -> Snapshot:
    return Cluster.of(node(f"n{index}") for index in range(count)).snapshot()


def search(snapshot: Snapshot, *predicates: PredicateSpec[Any], **options: Any) -> Search:
    return Search(snapshot, predicates, **options)


def names(infos: Sequence[NodeInfo]) -> list[str]:
    return [info.name for info in infos]


@define
class Asked:
    """A predicate that answers by a node's name and notes which nodes it was asked about."""

    answer: Callable[[str], Fit]
    nodes: list[str] = field(factory=list)

    def __call__(self, _pod: Pod, _meta: object, info: NodeInfo, /) -> Fit:
        self.nodes.append(info.name)
        return self.answer(info.name)


def fits(_name: str) -> Fit:
    return FITS


def refuses(*unfit: str, reason: Reason = COLD) -> Callable[[str], Fit]:
    return lambda name: Fit(reason) if name in unfit else FITS


def raises(error: Exception, *on: str) -> Callable[[str], Fit]:
    def answer(name: str) -> Fit:
        if not on or name in on:
            raise error
        return FITS

    return answer


def spec_of(answer: Callable[[str], Fit], name: str = "Spec", **more: Any) -> PredicateSpec[Any]:
    return PredicateSpec(name, Asked(answer), **more)


def test_without_predicates_every_node_fits() -> None:
    found = search(nodes(3)).run()
    assert names(found.feasible) == ["n0", "n1", "n2"]
    assert found.refusals == {}


def test_the_others_say_why_not() -> None:
    found = search(nodes(3), spec_of(refuses("n1"))).run()
    assert names(found.feasible) == ["n0", "n2"]
    assert found.refusals == {"n1": (COLD,)}


def test_a_node_is_asked_no_more_after_its_first_refusal() -> None:
    later = Asked(refuses("n0", reason=DARK))
    asked = search(nodes(2), spec_of(refuses("n0")), PredicateSpec("Later", later))
    assert asked.run().refusals == {"n0": (COLD,)}
    assert later.nodes == ["n1"]


def test_unless_all_predicates_are_to_be_checked() -> None:
    first = spec_of(refuses("n0", "n1"))
    second = spec_of(refuses("n0", reason=DARK))
    found = search(nodes(2), first, second, checks_all=True).run()
    assert found.refusals == {"n0": (COLD, DARK), "n1": (COLD,)}


def test_an_empty_fit_of_ones_own_fits_as_well() -> None:
    assert names(search(nodes(1), spec_of(lambda _name: Fit())).run().feasible) == ["n0"]


def test_a_predicate_prepares_once_a_pod_and_gets_what_it_made() -> None:
    prepared, metas = [], []

    def prepare(asked: Pod, snapshot: Snapshot, /) -> object:
        prepared.append((asked, snapshot))
        return "ready"

    def check(_pod: Pod, meta: object, _node: NodeInfo, /) -> Fit:
        metas.append(meta)
        return FITS

    snapshot = nodes(3)
    spec = PredicateSpec("Ready", check, prepare=prepare)
    search(snapshot, spec, PredicateSpec("Plain", check)).run()
    assert prepared == [(POD, snapshot)]
    assert metas == ["ready", None] * 3


# -- early stop and cursor ---------------------------------------------------------------------


def test_the_search_stops_when_enough_nodes_fit() -> None:
    asked = Asked(fits)
    found = search(nodes(300), PredicateSpec("Asked", asked), percentage=40).run()
    assert len(found.feasible) == len(asked.nodes) == 120


def test_the_next_search_begins_behind_the_last_node_that_was_looked_at() -> None:
    asked = Asked(refuses(*(f"n{index}" for index in range(20))))
    again = search(nodes(150), PredicateSpec("Asked", asked), percentage=10)
    first, second = again.run(), again.run()
    assert names(first.feasible) == [f"n{index}" for index in range(20, 120)]
    assert list(first.refusals) == [f"n{index}" for index in range(20)]
    assert names(second.feasible) == [f"n{index}" for index in (*range(120, 150), *range(20, 90))]
    assert asked.nodes == [f"n{index % 150}" for index in range(240)]


def test_a_search_that_finds_too_few_looks_at_every_node_once() -> None:
    asked = Asked(refuses(*(f"n{index}" for index in range(149))))
    again = search(nodes(150), PredicateSpec("Asked", asked), percentage=50)
    for searches in (1, 2):
        assert names(again.run().feasible) == ["n149"]
        assert asked.nodes == [f"n{index}" for index in range(150)] * searches


MANY = nodes(140)
NAMES = names(MANY.node_infos.select(MANY.order.round))
POOLS = [Workers(count) for count in (1, 2, 3, 16)]


@given(
    unfit=st.sets(st.sampled_from(NAMES)),
    percentage=st.integers(1, 99),
    start=st.integers(0, 139),
    workers=st.sampled_from(POOLS),
    blocks=st.booleans(),
)
def test_the_first_ones_in_the_round_are_found_whoever_looks(
    *, unfit: set[str], percentage: int, start: int, workers: Workers, blocks: bool
) -> None:
    cursor = NodeCursor()
    cursor.take(MANY.order, start)
    spec = spec_of(refuses(*unfit), blocks=blocks)
    found = search(MANY, spec, cursor=cursor, percentage=percentage, workers=workers).run()

    walk = NAMES[start:] + NAMES[:start]
    enough = num_feasible_nodes_to_find(len(walk), percentage)
    fitting = [name for name in walk if name not in unfit][:enough]
    looked_at = walk[: walk.index(fitting[-1]) + 1] if len(fitting) == enough else walk
    assert names(found.feasible) == fitting
    assert list(found.refusals) == [name for name in looked_at if name in unfit]
    assert cursor.take(MANY.order, 1) == [walk[len(looked_at) % len(walk)]]


# -- what goes wrong ---------------------------------------------------------------------------


def test_what_predicates_raise_ends_the_search_even_where_other_nodes_fit() -> None:
    with pytest.raises(EvaluationError, match=r"^no idea$") as caught:
        search(nodes(3), spec_of(raises(LookupError("no idea"), "n1"))).run()
    assert [str(error) for error in caught.value.errors] == ["no idea"]
    assert isinstance(caught.value.__cause__, LookupError)


def test_equal_errors_are_counted_and_different_ones_sorted() -> None:
    def answer(name: str) -> Fit:
        raise ValueError("zero" if name == "n1" else "any")

    with pytest.raises(EvaluationError) as caught:
        search(nodes(3), spec_of(answer)).run()
    assert str(caught.value) == "[any (repeated 2 times), zero]"
    assert [str(error) for error in caught.value.errors] == ["any", "zero", "any"]


def test_a_node_is_asked_no_more_after_an_error_but_the_others_are() -> None:
    later = Asked(fits)
    odd = spec_of(raises(ValueError("odd"), "n1"))
    with pytest.raises(EvaluationError):
        search(nodes(3), odd, PredicateSpec("Later", later)).run()
    assert later.nodes == ["n0", "n2"]


def test_an_error_is_no_refusal() -> None:
    cold, odd = spec_of(refuses("n0")), spec_of(raises(ValueError("odd")))
    assert search(nodes(1), cold, odd).run().refusals == {"n0": (COLD,)}
    with pytest.raises(EvaluationError):
        search(nodes(1), cold, odd, checks_all=True).run()


def test_a_predicate_that_cannot_prepare_cannot_answer() -> None:
    def prepare(_pod: Pod, _snapshot: Snapshot, /) -> object:
        raise LookupError("no idea")

    unready = PredicateSpec("Unready", Asked(fits), prepare=prepare)
    with pytest.raises(EvaluationError, match=r"^no idea \(repeated 2 times\)$") as caught:
        search(nodes(3), spec_of(fits), unready, unready).run()
    assert isinstance(caught.value.__cause__, LookupError)


@pytest.mark.parametrize("workers", POOLS, ids=lambda workers: f"{workers.count} workers")
@pytest.mark.parametrize("answer", [True, False, None, COLD], ids=repr)
def test_an_answer_that_is_no_fit_breaks_the_contract(answer: Any, workers: Workers) -> None:
    wrong = spec_of(lambda _name: answer, "Wrong", blocks=True)
    with pytest.raises(SpecError) as caught:
        search(nodes(5), spec_of(raises(ValueError("odd"), "n0")), wrong, workers=workers).run()
    assert str(caught.value) == (
        f"predicate 'Wrong' returned {answer!r}, expected FITS or Fit(reason, …)"
    )


@pytest.mark.parametrize("blocks", [True, False], ids=["in threads", "in the calling thread"])
def test_an_interruption_is_no_answer(*, blocks: bool) -> None:
    def interrupted(_pod: Pod, _meta: object, _node: NodeInfo, /) -> Fit:
        raise KeyboardInterrupt

    spec = PredicateSpec("Interrupted", interrupted, blocks=blocks)
    with pytest.raises(KeyboardInterrupt):
        search(nodes(4), spec, workers=Workers(2)).run()
