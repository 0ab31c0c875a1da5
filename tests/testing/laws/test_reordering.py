"""The same objects with what has no order in another order."""

from hypothesis import given, settings

from kubesched import node, pod
from kubesched.testing import Situation, situations
from kubesched.testing.laws.reordering import reordered, reordered_situation


@settings(max_examples=25)
@given(situations())
def test_what_is_reordered_is_equal_and_the_same_again_the_second_time(
    situation: Situation,
) -> None:
    other = reordered_situation(situation)
    assert other == situation
    assert repr(reordered_situation(other)) == repr(situation)


def test_mappings_go_the_other_way_round_however_deep() -> None:
    web = reordered(pod("web", requests={"cpu": 1, "memory": 2}, labels={"a": "1", "b": "2"}))
    assert [*web.labels] == ["b", "a"]
    assert [*web.spec.containers[0].resources.requests] == ["memory", "cpu"]


def test_what_has_an_order_keeps_it() -> None:
    tainted = node("n1", taints=["a:NoSchedule", "b:NoSchedule"])
    assert [taint.key for taint in reordered(tainted).spec.taints] == ["a", "b"]
