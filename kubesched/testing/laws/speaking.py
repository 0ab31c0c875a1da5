"""The words that a rule is tried with."""

from typing import Final

from attrs import evolve

from kubesched.testing.laws.law import Rule
from kubesched.testing.words import WORDS, Words

_USUAL_KEYS: Final = 2
_USUAL_VALUES: Final = 3


def words_of(rule: Rule) -> Words:
    """Return the words that a rule speaks of, and a few others.

    The more others there are, the seldomer it meets what it speaks of.
    """
    words = WORDS.with_those_of(rule)
    keys, values = words.keys[len(WORDS.keys) :], words.values[len(WORDS.values) :]
    return evolve(
        words,
        keys=(*WORDS.keys[:_USUAL_KEYS], *keys),
        values=(*WORDS.values[:_USUAL_VALUES], *values),
    )
