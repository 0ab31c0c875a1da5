"""Texts that a regular expression matches."""

import re
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from hypothesis import Phase, find, settings, strategies as st
from hypothesis.errors import InvalidArgument, NoSuchExample, Unsatisfiable

_QUICKLY: Final = settings(
    max_examples=20, database=None, deadline=None, derandomize=True, phases=[Phase.generate]
)

_NONE_FOUND: Final = (
    NoSuchExample,
    Unsatisfiable,
    InvalidArgument,
    NotImplementedError,  # of what a pattern may hold Hypothesis does not know all
)


@lru_cache(maxsize=256)
def matches_of(pattern: "re.Pattern[Any]") -> tuple[str, ...]:
    r"""Return the simplest text that a pattern matches and that is not empty, if one is found.

    >>> matches_of(re.compile(r"rack-(\d+)")), matches_of(re.compile(r"(?!)"))
    (('rack-0',), ())
    """
    if not isinstance(pattern.pattern, str):
        return ()
    texts = st.from_regex(pattern, fullmatch=True)
    with suppress(*_NONE_FOUND):
        return (find(texts, bool, settings=_QUICKLY),)
    return ()


def pattern_of(text: str) -> "re.Pattern[str] | None":
    r"""Return the pattern that a text looks like; None if it looks like none.

    >>> pattern_of(r"rack-\d+") is not None, pattern_of("rack"), pattern_of("[")
    (True, None, None)
    """
    if not _LOOKS_LIKE_A_PATTERN.search(text):
        return None
    try:
        return re.compile(text)
    except re.error:
        return None


_LOOKS_LIKE_A_PATTERN: Final = re.compile(r"\\[dwsDWSbB.]|^\^|\$$|\[[^\]]+\][+*]|\.[+*]")
