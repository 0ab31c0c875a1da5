"""Trying a rule in many situations, and telling the smallest in which it breaks a law."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from random import SystemRandom
from typing import Any, Final, TypeVar
from zlib import crc32

from hypothesis import (
    HealthCheck,
    Phase,
    Verbosity,
    given,
    seed as seeded,
    settings as Settings,  # noqa: N812 - it is a class
    strategies as st,
)
from hypothesis.errors import Flaky

from kubesched.errors import UnknownNameError
from kubesched.testing.broken import LawBrokenError
from kubesched.testing.laws.attempts import (
    SEEDS,
    Attempt,
    QuickAttempts,
    Sighting,
    Trial,
    attempts,
)
from kubesched.testing.laws.featuring import features_of
from kubesched.testing.laws.law import Law, Rule
from kubesched.testing.laws.rewinding import Beginning
from kubesched.testing.laws.shrinking import MANY, smallest
from kubesched.testing.laws.speaking import words_of
from kubesched.testing.laws.varying import Explorer
from kubesched.testing.situation import Situation, situations as any_situations
from kubesched.testing.words import Words

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

T = TypeVar("T")

EXAMPLES: Final = 400
"""Situations that a rule is tried in, if nothing else is said."""


LOOKS_FURTHER: Final = 3
"""How often it is looked for a smaller situation, each time in a quarter of the examples."""


def chosen(
    default: Sequence[Law],
    optional: Sequence[Law],
    also: Iterable[str | Law],
    without: Iterable[str],
) -> tuple[Law, ...]:
    """Return the laws to check: the default ones and some others, less some.

    Raises:
        UnknownNameError: there is no law of such a name.
    """
    known = {law.name: law for law in (*default, *optional)}
    more = [each if isinstance(each, Law) else _named(each, known) for each in several(also)]
    less = {_named(name, known).name for name in several(without)}
    return tuple(law for law in (*default, *more) if law.name not in less)


def several(names: Any) -> list[Any]:
    """Return names as a list, where there is a single one as well: its letters are not meant."""
    return [names] if isinstance(names, (str, Law)) else [*names]


def _named(name: str, known: dict[str, Law]) -> Law:
    if name not in known:
        raise UnknownNameError("law", name, known)
    return known[name]


def default_settings() -> Settings:
    """Return how rules are tried if nothing else is said: without a deadline."""
    return Settings(max_examples=EXAMPLES, deadline=None, database=None)


def check_laws(
    rule: Rule,
    laws: Sequence[Law],
    *,
    words: Words | None = None,
    situations: st.SearchStrategy[Situation] | None = None,
    settings: Settings | None = None,
    seed: int | None = None,
) -> None:
    """Try a rule in many situations.

    Args:
        rule: the rule.
        laws: what is to hold.
        words: what to draw names, labels and amounts from; else also those that the rule speaks of.
        situations: what to draw situations from; the smallest one is then one of these.
        settings: how many examples there are, and whether they are always the same.
        seed: makes a run repeatable.

    Raises:
        LawBrokenError: it breaks a law, in the smallest situation that was found.
    """
    spoken = words_of(rule) if words is None else words
    trial = Trial(rule, spoken, Beginning.of(rule))
    wanted = settings or default_settings()
    asked = _quiet(wanted)
    if seed is None and wanted.derandomize:
        seed = crc32(rule.name.encode())
    if seed is None:
        seed = SystemRandom().randrange(2**32)
    if situations is None:
        usual = any_situations(words=spoken)
        features = features_of(rule, spoken, asked, seed)
        make = QuickAttempts(Explorer(rule, spoken, features, trial.forgotten).rarest)
        seen = _smallest_sighting(trial, laws, st.tuples(usual, SEEDS), make, asked, seed)
    else:  # what is smaller has to be drawn from what was given
        shrinks = Settings(asked, phases=[Phase.generate, Phase.shrink])
        seen = _sighting(trial, laws, attempts(situations), lambda it: it, shrinks, seed)
    if seen is not None:
        raise seen.error.with_traceback(None) from seen.error.__cause__


def _smallest_sighting(
    trial: Trial,
    laws: Sequence[Law],
    drawn_from: st.SearchStrategy[T],
    make: Callable[[T], Attempt],
    settings: Settings,
    seed: int,
) -> Sighting | None:
    """Try attempts until a law is broken, and look for smaller ones while there is much to see."""
    first = _sighting(trial, laws, drawn_from, make, settings, seed)
    if first is None:
        return None
    seen = smallest(trial, first)
    shorter = Settings(settings, max_examples=max(1, settings.max_examples // 4))
    for number in range(LOOKS_FURTHER):
        if _can_be_seen_at_a_glance(seen):
            break
        other = _sighting(trial, [seen.law], drawn_from, make, shorter, seed + 1 + number)
        seen = seen if other is None else min(seen, smallest(trial, other), key=_size)
    return seen


def _can_be_seen_at_a_glance(seen: Sighting) -> bool:
    situation = seen.error.situation
    return len(situation.nodes) < MANY and len(situation.pods) < MANY


def _size(seen: Sighting) -> tuple[int, int]:
    text = str(seen.error)
    return len(seen.error.situation.objects), len(text)


def _quiet(settings: Settings) -> Settings:
    """Return settings with which Hypothesis only looks for a mistake, and has nothing to say."""
    return Settings(
        settings,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=tuple(HealthCheck),
        verbosity=Verbosity.quiet,
    )


def _sighting(
    trial: Trial,
    laws: Sequence[Law],
    drawn_from: st.SearchStrategy[T],
    make: Callable[[T], Attempt],
    settings: Settings,
    seed: int,
) -> Sighting | None:
    """Try attempt after attempt until a law is broken, and return the last one."""
    seen: list[Sighting] = []

    @settings
    @given(drawn_from, st.data())
    def try_all(drawn: T, data: st.DataObject) -> None:
        attempt = make(drawn)
        found = trial.first_sighting(laws, attempt, data.draw)
        if found is not None:
            seen[:] = [found]
            raise found.error

    with suppress(LawBrokenError, Flaky):
        seeded(seed)(try_all)()
    return seen[0] if seen else None
