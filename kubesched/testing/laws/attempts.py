"""One attempt to see a rule break a law."""

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from traceback import extract_tb
from typing import Any, Final

from attrs import evolve, field, frozen
from hypothesis import strategies as st

from kubesched.testing.broken import LawBrokenError
from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.rewinding import Beginning
from kubesched.testing.situation import Situation
from kubesched.testing.words import Words

NUM_CHOICES: Final = 24
NUM_EARLIER: Final = 12
ASKED_AGAIN: Final = 20
_SEEN_WHATEVER_CHANCE_DOES: Final = frozenset({"answers", "scores", "purity", "repetition"})


@frozen
class Attempt:
    """All that decides whether a rule breaks a law.

    Attributes:
        situation: the pod that is asked about, and the cluster.
        other: another situation, for whatever is to come, change or be asked meanwhile.
        choices: numbers by which laws choose.
        drawn: what laws have drawn besides.
    """

    situation: Situation
    other: Situation
    choices: tuple[int, ...] = ()
    drawn: tuple[Any, ...] = field(default=(), converter=tuple)


SEEDS: Final = st.integers(0, 2**32 - 1)


def attempts(situations: st.SearchStrategy[Situation]) -> st.SearchStrategy[Attempt]:
    """Draw attempts with situations of a kind."""
    return st.builds(Attempt, situation=situations, choices=SEEDS.map(_choices), other=situations)


@frozen(eq=False)
class QuickAttempts:
    """Makes attempts of situations, each with one of the last situations as the other one.

    It takes half the time of drawing two; but the same situation gives another attempt the next
    time.
    """

    _vary: Callable[[Situation, int], Situation]
    _earlier: deque[Situation] = field(factory=lambda: deque(maxlen=NUM_EARLIER), init=False)

    def __call__(self, drawn: tuple[Situation, int]) -> Attempt:
        """Make an attempt of a situation and a seed."""
        situation, seed = self._vary(*drawn), drawn[1]
        other = self._earlier[seed % len(self._earlier)] if self._earlier else situation
        self._earlier.append(situation)
        return Attempt(situation, other, _choices(seed))


def _choices(seed: int) -> tuple[int, ...]:
    """Return numbers that are as good as any: Hypothesis prefers small ones, and draws slowly."""
    return tuple(Random(seed).choices(range(1000), k=NUM_CHOICES))  # noqa: S311 - not for secrets


@frozen
class Sighting:
    """A law that was broken, and the attempt in which that was seen."""

    law: Law
    attempt: Attempt
    error: LawBrokenError

    @property
    def origin(self) -> tuple[object, ...]:
        """What smaller attempts must have in common with it, to be about the same mistake."""
        last = extract_tb(self.error.__traceback__)[-1]
        return self.law.name, last.filename, last.lineno, type(self.error.__cause__)


def _recorded(draw: Callable[..., Any], drawn: list[Any], strategy: st.SearchStrategy[Any]) -> Any:
    drawn.append(draw(strategy))
    return drawn[-1]


class _NothingDrawnError(Exception):
    """A law came further than before, to where something has to be drawn."""


@frozen(eq=False)
class Trial:
    """A rule that is tried; whatever it remembers of a law, it forgets afterwards."""

    rule: Rule
    words: Words
    _beginning: Beginning

    def sighting(self, law: Law, attempt: Attempt) -> Sighting | None:
        """Try a law again with what was drawn before; None if the rule keeps it."""
        left = [*reversed(attempt.drawn)]

        def again(_strategy: object) -> Any:
            if not left:
                raise _NothingDrawnError
            return left.pop()

        try:
            return self._try(law, attempt, again)
        except _NothingDrawnError:
            return None

    def first_sighting(
        self, laws: Iterable[Law], attempt: Attempt, draw: Callable[..., Any]
    ) -> Sighting | None:
        """Try laws until one is broken; None if the rule keeps them all."""
        for law in laws:
            drawn: list[Any] = []
            found = self._try(law, attempt, partial(_recorded, draw, drawn))
            if found is not None:
                seen = evolve(found, attempt=evolve(attempt, drawn=drawn))
                return self._by_chance(laws, seen) or seen
        return None

    def _by_chance(self, laws: Iterable[Law], seen: Sighting) -> Sighting | None:
        """Return how a rule answers by chance, if that is why it broke another law."""
        repetition = [law for law in laws if law.name == "repetition"]
        if seen.law.name in _SEEN_WHATEVER_CHANCE_DOES:
            return None
        again = (self.sighting(law, seen.attempt) for law in repetition * ASKED_AGAIN)
        return next((each for each in again if each is not None), None)

    def forgotten(self, ask: Callable[[], None]) -> None:
        """Ask a rule something, and make it forget that."""
        try:
            ask()
        finally:
            self._beginning.restore()

    def _try(self, law: Law, attempt: Attempt, draw: Callable[..., Any]) -> Sighting | None:
        try:
            choices, forget = attempt.choices, self._beginning.restore
            chance = Draw(self.words, attempt.other, choices, draw, forget)
            law.check(self.rule, attempt.situation, chance)
        except LawBrokenError as error:
            return Sighting(law, attempt, error)
        finally:
            self._beginning.restore()
        return None
