"""Examples of something, the same on every run."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from hypothesis import Phase, find, settings, strategies as st

T = TypeVar("T")


def smallest(
    strategy: st.SearchStrategy[T], condition: Callable[[T], Any], *, within: int = 1000
) -> T:
    """Return what an example shrinks to; one has to come up within so many."""
    return _found(strategy, condition, within, [Phase.generate, Phase.shrink])


def comes_up(
    strategy: st.SearchStrategy[T], condition: Callable[[T], Any], *, within: int = 1000
) -> T:
    """Return an example as it was drawn, one of the first so many."""
    return _found(strategy, condition, within, [Phase.generate])


def _found(
    strategy: st.SearchStrategy[T],
    condition: Callable[[T], Any],
    within: int,
    phases: Sequence[Phase],
) -> T:
    plainly = settings(max_examples=within, database=None, phases=phases, deadline=None)
    seeded = Random(0)  # noqa: S311 - not for secrets
    return find(strategy, lambda it: bool(condition(it)), settings=plainly, random=seeded)
