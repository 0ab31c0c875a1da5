"""Whether a predicate keeps the laws."""

from collections.abc import Iterable
from typing import Any, Final

from hypothesis import settings as Settings  # noqa: N812 - it is a class
from hypothesis.strategies import SearchStrategy

from kubesched.errors import SpecError
from kubesched.framework import PredicateSpec
from kubesched.testing.laws.answers import ANSWERS
from kubesched.testing.laws.arriving import ARRIVAL
from kubesched.testing.laws.constancy import CONSTANCY
from kubesched.testing.laws.curing import CURING
from kubesched.testing.laws.evicting import EVICTION
from kubesched.testing.laws.following import FOLLOWING
from kubesched.testing.laws.law import Law
from kubesched.testing.laws.likeness import LIKENESS
from kubesched.testing.laws.monotone_fits import (
    FITS_WITH_FREE_RESOURCES,
    FITS_WITH_LESS_REQUESTS,
    FITS_WITH_TOLERATIONS,
    FITS_WITHOUT_PODS,
)
from kubesched.testing.laws.ordering import ORDER
from kubesched.testing.laws.purity import PURITY
from kubesched.testing.laws.reads import READS
from kubesched.testing.laws.renaming import UNKNOWN_LABELS
from kubesched.testing.laws.repetition import REPETITION
from kubesched.testing.laws.running import check_laws, chosen
from kubesched.testing.laws.threads import THREADS
from kubesched.testing.situation import Situation
from kubesched.testing.words import Words

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

PREDICATE_LAWS: Final = (
    PURITY,
    ANSWERS,
    REPETITION,
    CONSTANCY,
    ORDER,
    CURING,
    LIKENESS,
    READS,
    FOLLOWING,
    THREADS,
)
"""The laws that every predicate keeps."""

OPTIONAL_PREDICATE_LAWS: Final = (
    FITS_WITH_LESS_REQUESTS,
    FITS_WITH_FREE_RESOURCES,
    FITS_WITH_TOLERATIONS,
    FITS_WITHOUT_PODS,
    EVICTION,
    ARRIVAL,
    UNKNOWN_LABELS,
)
"""The laws that some predicates keep, and others for a reason do not."""


def check_predicate(  # noqa: PLR0913 - each is a choice of its own
    spec: PredicateSpec[Any],
    *,
    also: Iterable[str | Law] = (),
    without: Iterable[str] = (),
    words: Words | None = None,
    situations: SearchStrategy[Situation] | None = None,
    settings: Settings | None = None,
    seed: int | None = None,
) -> None:
    """Try a predicate in many situations, and raise if it breaks a law in one of them.

    Args:
        spec: the predicate.
        also: laws beside the usual ones: some of `OPTIONAL_PREDICATE_LAWS` by name, or one's own.
        without: names of laws that it need not keep.
        words: what names, labels and amounts are drawn from; else what the predicate speaks of is
            added to `WORDS`.
        situations: what to draw situations from.
        settings: Hypothesis' settings, in place of 400 examples.
        seed: makes the run repeatable.

    Raises:
        LawBrokenError: it breaks a law; with the smallest situation that was found.
        SpecError: it is no predicate.
        UnknownNameError: there is no law of such a name.

    >>> from kubesched.framework import FITS, Fit, Reason
    >>> taken = Reason("node(s) were taken", resolvable=False)
    >>> def is_free(pod, meta, node):
    ...     return Fit(taken) if "app" in node.labels else FITS
    >>> check_predicate(PredicateSpec("IsFree", is_free, reads=()))
    Traceback (most recent call last):
        ...
    kubesched.testing.broken.LawBrokenError: IsFree breaks the law 'reads': what a rule does not ...
    """
    if not isinstance(spec, PredicateSpec):
        raise SpecError(f"{spec!r} is no predicate, expected a PredicateSpec")
    check_laws(
        spec,
        chosen(PREDICATE_LAWS, OPTIONAL_PREDICATE_LAWS, also, without),
        words=words,
        situations=situations,
        settings=settings,
        seed=seed,
    )
