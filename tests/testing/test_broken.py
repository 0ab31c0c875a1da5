"""The error of a law that is broken."""

import copy
import unittest
from collections.abc import Callable
from io import StringIO

import pytest

from kubesched import KubeschedError, load_objects, node, pod
from kubesched.testing import LawBrokenError, Situation
from tests.copies import pickled

BEFORE = Situation(pod("web"), [node("n1"), node("n2")])
AFTER = Situation(pod("web", labels={"app": "a"}), [node("n1")])


def broken(**more: Situation) -> LawBrokenError:
    return LawBrokenError("purity", "a rule changes nothing.", "Mine", BEFORE, "it did", **more)


def test_it_says_which_rule_breaks_which_law_and_how() -> None:
    assert str(broken()).splitlines()[:3] == [
        "Mine breaks the law 'purity': a rule changes nothing.",
        "Here it did.",
        "",
    ]


def test_it_ends_with_a_manifest() -> None:
    assert str(broken()).endswith(BEFORE.manifest().rstrip())


@pytest.mark.parametrize("kind", [KubeschedError, AssertionError])
def test_it_is_what_a_caller_expects(kind: type[Exception]) -> None:
    with pytest.raises(kind):
        raise broken()


def test_a_test_that_raises_it_has_failed() -> None:
    def test() -> None:
        raise broken()

    result = unittest.TestResult()
    unittest.FunctionTestCase(test).run(result)
    assert (len(result.failures), len(result.errors)) == (1, 0)


def test_what_has_changed_is_told_in_comments() -> None:
    text = broken(after=AFTER).manifest()
    assert "# Then:\n# Node n2 is gone.\n# Pod default/web becomes:\n" in text
    assert load_objects(StringIO(text)).objects == (BEFORE.pod, *BEFORE.objects)


def test_what_was_asked_in_between_is_told_in_comments() -> None:
    text = broken(between=AFTER).manifest()
    assert "# In between it is asked about:\n# apiVersion: v1\n# kind: Pod\n" in text
    assert load_objects(StringIO(text)).objects == (BEFORE.pod, *BEFORE.objects)


@pytest.mark.parametrize("how", [copy.copy, pickled], ids=["copied", "pickled"])
def test_it_can_be_copied(how: Callable[[LawBrokenError], LawBrokenError]) -> None:
    error = broken(after=AFTER)
    other = how(error)
    assert (str(other), other.situation, other.after) == (str(error), BEFORE, AFTER)
