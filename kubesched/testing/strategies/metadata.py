"""Labels, annotations and owners."""

from datetime import UTC, datetime
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import Final

from hypothesis import strategies as st

from kubesched.model import OwnerReference
from kubesched.testing.strategies.drawing import Drawn, drawn, refuse_odd_bounds
from kubesched.testing.words import WORDS, Words

TIMES: Final = (
    datetime(2018, 9, 1, tzinfo=UTC),
    datetime(2018, 9, 2, tzinfo=UTC),
    datetime(2100, 1, 1, tzinfo=UTC),
)
"""When things happen; the last of these is still to come."""

UIDS: Final = ("u1", "u2")
"""Identities of what controls pods."""


def labels(
    *, min_size: int = 0, max_size: int = 2, words: Words = WORDS
) -> st.SearchStrategy[dict[str, str]]:
    """Draw labels; annotations look the same.

    Args:
        min_size: how many there are at least.
        max_size: how many there are at most.
        words: what keys and values are drawn from.

    Raises:
        OptionError: a bound is below 0, or the minimum above the maximum.

    >>> from hypothesis import find
    >>> find(labels(), lambda labels: len(labels) == 2)
    {'app': 'a', 'tier': 'a'}
    """
    refuse_odd_bounds(min_size=min_size, max_size=max_size)
    pairs = key_value_pairs(words=words)
    return st.lists(pairs, min_size=min_size, max_size=max_size, unique_by=itemgetter(0)).map(dict)


def key_value_pairs(*, words: Words = WORDS) -> st.SearchStrategy[tuple[str, str]]:
    """Draw a key and a value, of a label or a taint.

    >>> from hypothesis import find
    >>> find(key_value_pairs(), bool)
    ('app', 'a')
    """
    return st.sampled_from(_pairs(words))


@lru_cache(maxsize=256)
def _pairs(words: Words) -> tuple[tuple[str, str], ...]:
    """Return the pairs that are drawn; about half of them are what somebody's rules speak of."""
    all_pairs = tuple(product(words.keys, words.values))
    keys = [key for key in words.keys if key not in WORDS.keys]
    values = [value for value in words.values if value not in WORDS.values]
    spoken_of = tuple(product(keys, values))
    return (*all_pairs, *spoken_of * (len(all_pairs) // max(len(spoken_of), 1)))


def owner_references(
    *, kind: Drawn[str] = ..., uid: Drawn[str] = ..., words: Words = WORDS
) -> st.SearchStrategy[OwnerReference]:
    """Draw references to what controls a pod.

    >>> from hypothesis import find
    >>> find(owner_references(), lambda owner: owner.uid == "u2").kind
    'ReplicaSet'
    """
    return st.builds(
        OwnerReference,
        kind=drawn(kind, st.sampled_from(words.owner_kinds)),
        name=st.sampled_from(words.service_names),
        uid=drawn(uid, st.sampled_from(UIDS)),
        controller=st.just(True),  # noqa: FBT003 - a value to draw
    )
