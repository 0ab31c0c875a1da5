"""Taints, and what puts up with them."""

from typing import Final

from hypothesis import strategies as st

from kubesched.model import Taint, Toleration
from kubesched.testing.strategies.drawing import Drawn, drawn, mostly
from kubesched.testing.strategies.metadata import key_value_pairs
from kubesched.testing.words import WORDS, Words

EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def taints(
    *,
    key: Drawn[str] = ...,
    value: Drawn[str] = ...,
    effect: Drawn[str] = ...,
    words: Words = WORDS,
) -> st.SearchStrategy[Taint]:
    """Draw taints; each keyword is a value or a strategy.

    >>> from hypothesis import find
    >>> find(taints(), lambda taint: taint.effect != "NoSchedule")
    Taint(key='app', value='a', effect='PreferNoSchedule')
    """
    return st.builds(
        _taint,
        key_value_pairs(words=words),
        key=drawn(key, _AS_PAIRED),
        value=drawn(value, _AS_PAIRED),
        effect=drawn(effect, st.sampled_from(EFFECTS)),
    )


_AS_PAIRED: Final = st.none()


def _taint(pair: tuple[str, str], *, key: str | None, value: str | None, effect: str) -> Taint:
    return Taint(key=_said(key, pair[0]), value=_said(value, pair[1]), effect=effect)


def _said(it: str | None, paired: str) -> str:
    return paired if it is None else it


def tolerations(
    *,
    key: Drawn[str] = ...,
    operator: Drawn[str] = ...,
    value: Drawn[str] = ...,
    effect: Drawn[str] = ...,
    words: Words = WORDS,
) -> st.SearchStrategy[Toleration]:
    """Draw tolerations of one taint, of a key, of everything.

    Each keyword is a value or a strategy.

    >>> from hypothesis import find
    >>> find(tolerations(), lambda toleration: toleration.operator == "Equal")
    Toleration(key='app', operator='Equal', value='a', effect='NoSchedule')
    """
    empty = st.just("")
    return st.builds(
        _toleration,
        key_value_pairs(words=words),
        key=drawn(key, mostly(_AS_PAIRED, empty)),
        operator=drawn(operator, st.sampled_from(["Exists", "Equal", ""])),
        value=drawn(value, _AS_PAIRED),
        effect=drawn(effect, mostly(st.sampled_from(EFFECTS), empty, one_in=4)),
    )


def _toleration(
    pair: tuple[str, str], *, key: str | None, operator: str, value: str | None, effect: str
) -> Toleration:
    """Make a toleration; where a key has only to exist, its value says nothing."""
    held = "" if operator == "Exists" else _said(value, pair[1])
    return Toleration(key=_said(key, pair[0]), operator=operator, value=held, effect=effect)
