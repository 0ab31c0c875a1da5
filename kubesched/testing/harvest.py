"""The words that somebody's functions speak of.

A rule about racks called `r7` has to meet such racks, and one about 110 pods has to meet 109, 110
and 111 of them, or its mistakes are not found.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kubesched.quantity import Quantity
from kubesched.testing.matching import matches_of, pattern_of
from kubesched.testing.reach import reachable

MOST_TEXTS: Final = 48
MOST_NUMBERS: Final = 24
LONGEST: Final = 253

_SEPARATORS: Final = re.compile(r"[=:,;|]")
_MARKS: Final = frozenset("=:,;|/ ")
_JOINTS: Final = "/.-_"
_ENDS: Final = ("a", "b")
_WORD: Final = re.compile(r"[^\s<>(){}]*[A-Za-z0-9][^\s<>(){}]*")


def texts_and_numbers(functions: Iterable[object]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the texts and whole numbers in somebody's code and in what it can get at.

    Nearest first, and a few dozen of each. Texts are single words: labels, names, keys; `a=b` also
    counts as `a` and `b`, `team/` as `team/a` and `team/b`, a pattern as a text that it matches,
    and `a/b` as `a` and `b` where the code has a `/` by which it may take it apart. Nothing is
    called.

    Args:
        functions: functions, specs, or whatever holds some.

    >>> from kubesched.plugins.node_conditions import CHECK_NODE_UNSCHEDULABLE
    >>> texts_and_numbers([CHECK_NODE_UNSCHEDULABLE])[0][:2]
    ('node.kubernetes.io/unschedulable', 'NoSchedule')
    """
    found = list(reachable(*functions))
    texts = dict.fromkeys(text for it in found for text in _texts(it))
    texts |= dict.fromkeys(_taken_apart(texts, found))
    numbers = dict.fromkeys(number for it in found for number in _numbers(it))
    return tuple(texts)[:MOST_TEXTS], tuple(numbers)[:MOST_NUMBERS]


def separators(functions: Iterable[object]) -> tuple[str, ...]:
    """Return the marks in somebody's code by which texts may be taken apart.

    >>> separators([("app=", "=", ", ")])
    ('=', ',')
    """
    marks = (it.strip() or " " for it in reachable(*functions) if type(it) is str and it)
    return tuple(mark for mark in dict.fromkeys(marks) if mark in _MARKS)


def _texts(it: object) -> Iterator[str]:
    if type(it) is str:
        pattern = pattern_of(it)
        yield from matches_of(pattern) if pattern else _texts_in(it)
    elif isinstance(it, re.Pattern):
        yield from matches_of(it)


def _texts_in(it: str) -> Iterator[str]:
    if not _is_a_word(it):
        return
    yield it
    pieces = _SEPARATORS.split(it)
    if len(pieces) > 1:
        yield from filter(None, pieces)
    if it[-1] in _JOINTS:  # what something is to begin with, and what is left without it
        yield from (f"{it}{end}" for end in _ENDS)
        yield from _ENDS
    if it[0] in _JOINTS:
        yield from (f"{end}{it}" for end in _ENDS)
        yield from _ENDS


def _taken_apart(texts: Iterable[str], found: Iterable[object]) -> Iterator[str]:
    """Go over the parts of texts between joints that stand in the code by themselves."""
    joints = {it for it in found if type(it) is str and it in _JOINTS and it}
    for text in texts:
        for joint in joints:
            yield from filter(None, text.split(joint) if joint in text else ())


def _is_a_word(text: str) -> bool:
    return len(text) <= LONGEST and text[:1] != "_" and _WORD.fullmatch(text) is not None


def _numbers(it: object) -> Iterator[int]:
    if type(it) is int:
        yield it
    elif type(it) is float and it.is_integer():
        yield int(it)
    elif type(it) is Quantity:
        yield it.value()
        yield it.milli_value()
