"""What a law is, and what it is handed."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from attrs import define, field, frozen
from hypothesis import strategies as st

from kubesched.framework import PredicateSpec, PrioritySpec
from kubesched.testing.broken import LawBrokenError
from kubesched.testing.situation import Situation
from kubesched.testing.words import Words

T = TypeVar("T")

Rule: TypeAlias = PredicateSpec[Any] | PrioritySpec[Any]
"""What laws are about."""


@define(eq=False)
class Draw:
    """What a law needs beside the situation, and what chance decides.

    Attributes:
        words: what names, labels and amounts are drawn from.
        other: another situation of the same words, for whatever is to come, change or be asked.
        forget: makes the rule forget whatever it remembers of earlier questions.
    """

    words: Words
    other: Situation
    _choices: Sequence[int]
    _draw: Callable[[st.SearchStrategy[Any]], Any]
    forget: Callable[[], None]
    _left: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left = [*reversed(self._choices)]

    def choose(self, options: Sequence[T]) -> T:
        """Return one of some options, of which there is at least one."""
        return options[self._left.pop() % len(options) if self._left else 0]

    def __call__(self, strategy: st.SearchStrategy[T]) -> T:
        """Draw a value; it stays as it is when a smaller situation is looked for."""
        drawn: T = self._draw(strategy)
        return drawn


class Check(Protocol):
    """Raises a `LawBrokenError` if a rule breaks a law in a situation."""

    def __call__(self, rule: Any, situation: Situation, draw: Draw, /) -> None: ...


@frozen
class Law:
    """Something that holds of every good rule, in every situation.

    Attributes:
        name: what it is called in `also` and `without`.
        says: the law in one sentence.
        check: raises if a rule breaks it.
    """

    name: str
    says: str
    check: Check

    def broken(
        self,
        rule: Rule,
        situation: Situation,
        seen: str,
        *,
        after: Situation | None = None,
        between: Situation | None = None,
    ) -> LawBrokenError:
        """Return the error of a rule that breaks it.

        Args:
            rule: the rule.
            situation: where it does.
            seen: what was seen, to follow on the word "Here".
            after: what became of the situation, where the law is about a change.
            between: what the rule was asked in between, where that makes the difference.
        """
        return LawBrokenError(
            self.name, self.says, rule.name, situation, seen, after=after, between=between
        )
