"""Several predicates as one."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.errors import SpecError
from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Reason, all_of, fit_of, meta_of
from kubesched.model import Pod
from kubesched.state import Cluster, Facet, NodeInfo, Snapshot

POD = pod("web-1")
SNAPSHOT = Cluster.of([node("worker-1")]).snapshot()
INFO = SNAPSHOT.node_infos["worker-1"]

refusals = st.lists(st.builds(Reason, st.sampled_from(["cold", "dark", "wet"])), max_size=2)


def answering(name: str, *reasons: Reason) -> PredicateSpec[None]:
    return PredicateSpec(name, lambda _pod, _meta, _node: fit_of(reasons), reads=())


def ask(spec: PredicateSpec[Any]) -> Fit:
    meta = meta_of(spec, POD, SNAPSHOT)
    return FITS if meta is SKIP else spec.check(POD, meta, INFO)


@given(st.lists(refusals))
def test_all_reasons_of_all_parts_in_order(given_refusals: list[list[Reason]]) -> None:
    parts = [answering(f"Part{index}", *each) for index, each in enumerate(given_refusals)]
    fit = ask(all_of("Whole", *parts, order=5))
    assert fit.reasons == tuple(reason for each in given_refusals for reason in each)
    assert bool(fit) == all(ask(part) for part in parts)


def test_where_nobody_objects_the_shared_answer_comes_back() -> None:
    assert ask(all_of("Whole", answering("A"), answering("B"), order=5)) is FITS
    assert ask(all_of("Whole", order=5)) is FITS


def test_each_part_gets_what_it_prepared() -> None:
    def prepare(_pod: Pod, snapshot: Snapshot, /) -> int:
        return snapshot.num_nodes

    def check(_pod: Pod, meta: object, _node: NodeInfo, /) -> Fit:
        return Fit(Reason(repr(meta)))

    parts: list[PredicateSpec[Any]] = [
        PredicateSpec("A", check),
        PredicateSpec("B", check, prepare=prepare),
    ]
    assert [str(reason) for reason in ask(all_of("Whole", *parts, order=5)).reasons] == [
        "None",
        "1",
    ]


def test_it_has_its_own_name_and_order() -> None:
    whole = all_of("Whole", answering("A"), order=5)
    assert (whole.name, whole.order) == ("Whole", 5)


def test_it_reads_what_its_parts_read() -> None:
    labels = PredicateSpec("A", lambda _pod, _meta, _node: FITS, reads={Facet.LABELS})
    taints = PredicateSpec("B", lambda _pod, _meta, _node: FITS, reads={Facet.TAINTS, Facet.LABELS})
    assert all_of("Whole", labels, taints, order=5).reads == {Facet.LABELS, Facet.TAINTS}
    assert all_of("Whole", order=5).reads == frozenset()


def test_it_blocks_if_a_part_does() -> None:
    slow = PredicateSpec("Slow", lambda _pod, _meta, _node: FITS, blocks=True)
    assert all_of("Whole", answering("A"), slow, order=5).blocks
    assert not all_of("Whole", answering("A"), order=5).blocks


@pytest.mark.parametrize("answer", [True, False, None, "no"], ids=repr)
def test_a_part_that_gives_no_fit_is_named(answer: Any) -> None:
    wrong = PredicateSpec("Wrong", lambda _pod, _meta, _node: answer)
    with pytest.raises(SpecError) as caught:
        ask(all_of("Whole", answering("A"), wrong, order=5))
    assert str(caught.value) == (
        f"predicate 'Wrong' returned {answer!r}, expected FITS or Fit(reason, …)"
    )
