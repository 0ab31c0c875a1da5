"""Rules are tried in many situations, until one breaks a law."""

import random
import unittest
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Registry, node, pod
from kubesched.errors import SpecError, UnknownNameError
from kubesched.plugins.equal import EQUAL_PRIORITY
from kubesched.testing import (
    PREDICATE_LAWS,
    Draw,
    Law,
    LawBrokenError,
    RegistryBrokenError,
    Situation,
    Words,
    check_predicate,
    check_priority,
    check_registry,
)

NO = Fit(Reason("no"))
FEW = settings(max_examples=10, database=None)
WEB = Situation(pod("web", labels={"app": "a"}), [node("n1", labels={"rack": "r7"}), node("n2")])


def refusing_if(condition: Callable[[NodeInfo], object], **options: Any) -> PredicateSpec[Any]:
    def check(_pod: Pod, _meta: object, node: NodeInfo, /) -> Fit:
        return NO if condition(node) else FITS

    return PredicateSpec("Mine", check, **options)


GOOD = refusing_if(lambda node: node.pods, reads={Facet.PODS})
BAD = refusing_if(lambda node: node.pods, reads={Facet.LABELS})


def tried_in(spec: PredicateSpec[Any], **options: Any) -> list[Situation]:
    """Return the situations in which a rule is tried."""
    tried: list[Situation] = []

    def note(_rule: object, situation: Situation, _draw: Draw, /) -> None:
        tried.append(situation)

    usual = [law.name for law in PREDICATE_LAWS]
    check_predicate(spec, also=[Law("note", "", note)], without=usual, **options)
    return tried


def test_a_rule_that_keeps_the_laws_is_tried_in_as_many_situations_as_one_says() -> None:
    assert len(tried_in(GOOD, settings=FEW)) == 10


def test_with_the_same_seed_they_are_the_same_situations() -> None:
    first, again = (tried_in(GOOD, settings=FEW, seed=1) for _ in range(2))
    assert first == again
    assert first != tried_in(GOOD, settings=FEW, seed=2)


def test_settings_that_repeat_themselves_do_so_here() -> None:
    repeated = settings(FEW, derandomize=True)
    assert tried_in(GOOD, settings=repeated) == tried_in(GOOD, settings=repeated)


def test_they_are_drawn_from_what_is_given() -> None:
    assert set(map(id, tried_in(GOOD, settings=FEW, situations=st.just(WEB)))) == {id(WEB)}


def test_they_are_made_of_the_words_that_are_given() -> None:
    tried = tried_in(GOOD, settings=FEW, words=Words(node_names=["seven"]))
    names = {node.name for situation in tried for node in situation.nodes}
    assert all(name.startswith("seven") for name in names)


def test_they_have_what_the_rule_speaks_of() -> None:
    rule = refusing_if(lambda node: node.labels.get("rack") == "r9", reads={Facet.LABELS})
    tried = tried_in(rule, settings=settings(max_examples=60), seed=0)
    assert any(node.labels.get("rack") == "r9" for it in tried for node in it.nodes)


def test_a_law_of_ones_own_is_checked_as_well() -> None:
    def is_small(rule: Any, situation: Situation, _draw: Draw, /) -> None:
        if len(situation.objects) > 1:
            raise small.broken(rule, situation, "there is more than one object")

    small = Law("small", "there is one object.", is_small)
    with pytest.raises(LawBrokenError, match="Mine breaks the law 'small'") as caught:
        check_predicate(GOOD, also=[small])
    assert len(caught.value.situation.objects) == 2


def test_a_law_that_need_not_be_kept_is_not_checked() -> None:
    with pytest.raises(LawBrokenError):
        check_predicate(BAD)
    check_predicate(BAD, without={"reads", "curing"}, settings=FEW)


@pytest.mark.parametrize("options", [{"also": ["raeds"]}, {"without": ["raeds"]}])
def test_a_law_that_there_is_not(options: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError, match="law 'raeds' is not registered; did you mean"):
        check_predicate(GOOD, **options)


def test_a_single_name_need_not_be_in_a_list() -> None:
    with pytest.raises(LawBrokenError, match="breaks the law 'reads'"):
        check_predicate(BAD, without="curing")
    registry = Registry().extended(BAD)
    with pytest.raises(RegistryBrokenError) as caught:
        check_registry(registry, without={"Mine": "curing"})
    assert [breach.law for breach in caught.value.breaches] == ["reads"]


@pytest.mark.parametrize(
    ("check", "kind"),
    [
        (check_predicate, "predicate, expected a PredicateSpec"),
        (check_priority, "priority, expected a PrioritySpec"),
        (check_registry, "registry, expected a Registry"),
    ],
)
@pytest.mark.parametrize("spec", [lambda *_: FITS, node("n1"), None])
def test_what_is_no_rule_or_registry(check: Callable[..., None], kind: str, spec: Any) -> None:
    with pytest.raises(SpecError, match=f"is no {kind}"):
        check(spec)


def test_a_rule_of_the_other_sort() -> None:
    with pytest.raises(SpecError, match="is no predicate"):
        check_predicate(EQUAL_PRIORITY)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="is no priority"):
        check_priority(GOOD)  # type: ignore[arg-type]


def test_situations_that_are_given_are_told_as_they_are() -> None:
    with pytest.raises(LawBrokenError) as caught:
        check_predicate(BAD, situations=st.just(WEB), without={"curing"})
    assert caught.value.situation == WEB


def test_what_is_smaller_is_drawn_from_what_is_given() -> None:
    many = st.integers(3, 9).map(lambda number: Situation(pod("web"), [node(f"n{number}")]))
    with pytest.raises(LawBrokenError) as caught:
        check_predicate(refusing_if(lambda _: True, reads=()), situations=many)
    assert [it.key for it in caught.value.situation.objects] == ["n3"]


def test_a_rule_with_a_memory_is_tried_afresh_each_time() -> None:
    seen: list[str] = []

    def remembers(node: NodeInfo) -> bool:
        seen.append(node.name)
        return len(seen) > 3

    with pytest.raises(LawBrokenError) as caught:
        check_predicate(refusing_if(remembers))
    assert caught.value.law == "repetition"
    assert seen == []


def test_a_rule_of_which_nobody_knows_what_it_remembers_is_told_as_it_was_seen() -> None:
    numbers = iter(range(10**9))
    rule = refusing_if(lambda _node: next(numbers) % 7 == 3)
    with pytest.raises(LawBrokenError):
        check_predicate(rule)


def test_hypothesis_has_nothing_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(LawBrokenError) as caught:
        check_predicate(BAD)
    assert not getattr(caught.value, "__notes__", None)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("deadline", [1, 200])
def test_a_slow_rule_is_no_failure(deadline: int) -> None:
    rule = refusing_if(lambda node: sum(range(100_000)) < 0 and node.pods, reads={Facet.PODS})
    check_predicate(rule, settings=settings(max_examples=3, deadline=deadline))


@settings(max_examples=2, suppress_health_check=[*HealthCheck])
@given(st.booleans())
def test_it_may_be_called_from_a_test_that_draws(is_bad: bool) -> None:  # noqa: FBT001
    if is_bad:
        with pytest.raises(LawBrokenError):
            check_predicate(BAD)
    else:
        check_predicate(GOOD, settings=FEW)


class TestInUnittest(unittest.TestCase):
    def test_it(self) -> None:
        check_predicate(GOOD, settings=FEW)
        with self.assertRaises(LawBrokenError):  # noqa: PT027
            check_predicate(BAD)


def test_random_numbers_are_left_as_they_were() -> None:
    random.seed(5)
    expected = random.random()  # noqa: S311
    random.seed(5)
    check_predicate(GOOD, settings=FEW)
    assert random.random() == expected  # noqa: S311


def test_where_much_is_left_it_is_looked_for_something_smaller() -> None:
    """To leave out one of three nodes does not help here: it takes another beginning."""
    seen: list[int] = []

    def check(rule: Any, situation: Situation, _draw: Draw, /) -> None:
        number = len(situation.nodes)
        if number == 3 or (seen and number == 1):
            seen.append(number)
            raise odd.broken(rule, situation, "an odd number of nodes")

    odd = Law("odd", "", check)
    with pytest.raises(LawBrokenError) as caught:
        check_predicate(GOOD, also=[odd], without=[law.name for law in PREDICATE_LAWS])
    assert len(caught.value.situation.nodes) == 1
