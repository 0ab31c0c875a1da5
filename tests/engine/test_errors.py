"""How an attempt can end without a node, in the original's words."""

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import pod
from kubesched.engine import ClaimError, EvaluationError, FitError, NoNodesAvailable
from kubesched.errors import SchedulingError
from kubesched.framework import Reason

POD = pod("shop/web-1")
CPU, MEMORY = Reason("Insufficient cpu"), Reason("Insufficient memory")
SELECTOR = Reason("node(s) didn't match node selector", resolvable=False)

Refusals = dict[str, tuple[Reason, ...]]


class Unfit(NamedTuple):
    """What a pod that fits nowhere is told."""

    says: str
    num_all_nodes: int
    refusals: Refusals
    text: str


UNFIT = [
    Unfit(
        "one node, one reason",
        1,
        {"a": (CPU,)},
        "0/1 nodes are available: 1 Insufficient cpu.",
    ),
    Unfit(
        "equal reasons are counted",
        3,
        {"a": (CPU,), "b": (SELECTOR,), "c": (CPU,)},
        "0/3 nodes are available: 1 node(s) didn't match node selector, 2 Insufficient cpu.",
    ),
    Unfit(
        "a node adds one for each of its reasons",
        1,
        {"a": (CPU, MEMORY)},
        "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.",
    ),
    Unfit(
        "the pieces are sorted as text, so that 13 comes before 4",
        17,
        {f"n{index}": (CPU if index < 4 else MEMORY,) for index in range(17)},
        "0/17 nodes are available: 13 Insufficient memory, 4 Insufficient cpu.",
    ),
    Unfit(
        "reasons with one text are one, whether eviction could cure them or not",
        2,
        {"a": (CPU,), "b": (Reason("Insufficient cpu", resolvable=False),)},
        "0/2 nodes are available: 2 Insufficient cpu.",
    ),
    Unfit("nodes may be lost without a reason", 3, {}, "0/3 nodes are available: ."),
]


@pytest.mark.parametrize("case", UNFIT, ids=lambda case: case.says)
def test_a_pod_that_fits_nowhere_is_told(case: Unfit) -> None:
    error = FitError(POD, case.num_all_nodes, case.refusals)
    assert str(error) == case.text
    assert (error.pod, error.num_all_nodes, error.refusals) == (
        POD,
        case.num_all_nodes,
        case.refusals,
    )


@given(st.lists(st.sampled_from([CPU, MEMORY, SELECTOR]), min_size=1), st.randoms())
def test_the_order_of_nodes_does_not_show(reasons: list[Reason], random: Random) -> None:
    refusals: Refusals = {f"n{index}": (reason,) for index, reason in enumerate(reasons)}
    shuffled = list(refusals.items())
    random.shuffle(shuffled)
    assert str(FitError(POD, 9, dict(shuffled))) == str(FitError(POD, 9, refusals))


def test_no_nodes_at_all() -> None:
    assert str(NoNodesAvailable()) == "no nodes available to schedule pods"


def test_a_claim_that_is_not_there() -> None:
    error = ClaimError("data", "not found")
    assert str(error) == 'persistentvolumeclaim "data" not found'
    assert error.claim == "data"


class Gathered(NamedTuple):
    """What errors become together, those of predicates and those of priorities."""

    says: str
    texts: list[str]
    of_predicates: str
    of_priorities: str


GATHERED = [
    Gathered("a single error stands alone", ["odd"], "odd", "odd"),
    Gathered(
        "equal ones are counted, or listed",
        ["odd", "odd"],
        "odd (repeated 2 times)",
        "[odd, odd]",
    ),
    Gathered(
        "different ones are sorted, or listed as they came",
        ["odd", "even", "odd"],
        "[even, odd (repeated 2 times)]",
        "[odd, even, odd]",
    ),
]


@pytest.mark.parametrize("case", GATHERED, ids=lambda case: case.says)
def test_gathered(case: Gathered) -> None:
    errors = [ValueError(text) for text in case.texts]
    by_predicates = EvaluationError.of_predicates(errors)
    by_priorities = EvaluationError.of_priorities(errors)
    assert (str(by_predicates), str(by_priorities)) == (case.of_predicates, case.of_priorities)
    for gathered in (by_predicates, by_priorities):
        assert gathered.errors == tuple(errors)
        assert gathered.__cause__ is errors[0]


@pytest.mark.parametrize(
    "error",
    [
        FitError(POD, 1, {}),
        NoNodesAvailable(),
        ClaimError("data", "not found"),
        EvaluationError("odd", [ValueError("odd")]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_every_one_is_a_scheduling_error(error: Exception) -> None:
    assert isinstance(error, SchedulingError)
