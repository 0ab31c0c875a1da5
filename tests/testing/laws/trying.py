"""A law tried once, in a situation that is given."""

from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from kubesched import Pod, PredicateSpec, PrioritySpec
from kubesched.testing import WORDS, Draw, Law, LawBrokenError, Situation, Words
from kubesched.testing.laws.rewinding import Beginning

NOTHING = Situation(Pod())


def identified(pod: Pod, uid: str) -> Pod:
    """Return a pod with a uid."""
    return evolve(pod, metadata=evolve(pod.metadata, uid=uid))


def seen(
    law: Law,
    rule: PredicateSpec[Any] | PrioritySpec[Any],
    situation: Situation,
    *,
    other: Situation = NOTHING,
    choices: tuple[int, ...] = (),
    words: Words = WORDS,
) -> str | None:
    """Return what is seen where the rule breaks the law, None if it keeps it."""
    draw = Draw(words, other, choices, _nothing_more, Beginning.of(rule).restore)
    error = _error(law, rule, situation, draw)
    if error is None:
        return None
    assert (error.law, error.says, error.rule) == (law.name, law.says, rule.name)
    assert error.situation == situation
    return error.seen


def _error(law: Law, rule: Any, situation: Situation, draw: Draw) -> LawBrokenError | None:
    try:
        law.check(rule, situation, draw)
    except LawBrokenError as error:
        return error
    return None


def _nothing_more(strategy: st.SearchStrategy[Any]) -> Any:
    raise AssertionError(strategy)
