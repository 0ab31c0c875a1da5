"""Whether a priority keeps the laws."""

from collections.abc import Iterable
from typing import Any, Final

from hypothesis import settings as Settings  # noqa: N812 - it is a class
from hypothesis.strategies import SearchStrategy

from kubesched.errors import SpecError
from kubesched.framework import MAX_SCORE, PrioritySpec
from kubesched.testing.laws.arriving import ARRIVAL
from kubesched.testing.laws.constancy import CONSTANCY
from kubesched.testing.laws.following import FOLLOWING
from kubesched.testing.laws.law import Law
from kubesched.testing.laws.monotone_scores import (
    MONOTONE_IN_FREE_RESOURCES,
    MONOTONE_IN_REMOVED_PODS,
    MONOTONE_IN_REQUESTS,
    MONOTONE_IN_TOLERATIONS,
)
from kubesched.testing.laws.node_order import NODE_ORDER
from kubesched.testing.laws.ordering import ORDER
from kubesched.testing.laws.purity import PURITY
from kubesched.testing.laws.reads import READS
from kubesched.testing.laws.reduce import ONE_SCORE_EACH, REDUCE_PURITY
from kubesched.testing.laws.renaming import UNKNOWN_LABELS
from kubesched.testing.laws.repetition import REPETITION
from kubesched.testing.laws.running import check_laws, chosen
from kubesched.testing.laws.scores import SCORE_RANGE, SCORES, score_range
from kubesched.testing.laws.scoring import of_whole
from kubesched.testing.laws.threads import THREADS
from kubesched.testing.situation import Situation
from kubesched.testing.words import Words

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

PRIORITY_LAWS: Final = (
    SCORES,
    PURITY,
    REDUCE_PURITY,
    ONE_SCORE_EACH,
    SCORE_RANGE,
    of_whole(REPETITION),
    NODE_ORDER,
    of_whole(CONSTANCY),
    of_whole(ORDER),
    READS,
    FOLLOWING,
    of_whole(THREADS),
)
"""The laws that every priority keeps."""

OPTIONAL_PRIORITY_LAWS: Final = (
    MONOTONE_IN_REQUESTS,
    MONOTONE_IN_FREE_RESOURCES,
    MONOTONE_IN_TOLERATIONS,
    MONOTONE_IN_REMOVED_PODS,
    of_whole(ARRIVAL),
    of_whole(UNKNOWN_LABELS),
)
"""The laws that some priorities keep, and others for a reason do not."""


def check_priority(  # noqa: PLR0913 - each is a choice of its own
    spec: PrioritySpec[Any],
    *,
    also: Iterable[str | Law] = (),
    without: Iterable[str] = (),
    max_score: int = MAX_SCORE,
    words: Words | None = None,
    situations: SearchStrategy[Situation] | None = None,
    settings: Settings | None = None,
    seed: int | None = None,
) -> None:
    """Try a priority in many situations, and raise if it breaks a law in one of them.

    Args:
        spec: the priority.
        also: laws beside the usual ones: some of `OPTIONAL_PRIORITY_LAWS` by name, or one's own.
        without: names of laws that it need not keep.
        max_score: the highest score, as the registry has it.
        words: what names, labels and amounts are drawn from; else what the priority speaks of is
            added to `WORDS`.
        situations: what to draw situations from.
        settings: Hypothesis' settings, in place of 400 examples.
        seed: makes the run repeatable.

    Raises:
        LawBrokenError: it breaks a law; with the smallest situation that was found.
        SpecError: it is no priority.
        UnknownNameError: there is no law of such a name.

    >>> from kubesched.state import Facet
    >>> def pods_there(pod, meta, node):
    ...     return len(node.pods) - 1
    >>> check_priority(PrioritySpec("FewPods", pods_there, reads={Facet.PODS}))
    Traceback (most recent call last):
        ...
    kubesched.testing.broken.LawBrokenError: FewPods breaks the law 'range': scores lie between ...
    """
    if not isinstance(spec, PrioritySpec):
        raise SpecError(f"{spec!r} is no priority, expected a PrioritySpec")
    laws = chosen(PRIORITY_LAWS, OPTIONAL_PRIORITY_LAWS, also, without)
    check_laws(
        spec,
        [score_range(max_score) if law is SCORE_RANGE else law for law in laws],
        words=words,
        situations=situations,
        settings=settings,
        seed=seed,
    )
