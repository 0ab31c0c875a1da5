"""Situations in which a rule goes ways that it has seldom gone.

What a rule does at the end of three conditions shows only where all three hold. So each situation
is changed in several ways, the rule is asked about all of them, and that one is taken in which it
comes to the places in its code that it has come to least often. One in which it comes to a place
for the first time is kept, to go on from there.
"""

import sys
from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from types import CodeType, FrameType
from typing import Any, Final

from attrs import define, field

from kubesched.framework import MAX_SCORE
from kubesched.testing.laws.crossing import crossed
from kubesched.testing.laws.crowding import crowds_of
from kubesched.testing.laws.law import Rule
from kubesched.testing.laws.listening import Asked, told_of
from kubesched.testing.laws.picking import Picker
from kubesched.testing.laws.question import Answer, Question, Raised, nodes_of
from kubesched.testing.laws.salting import salts_of
from kubesched.testing.reach import is_of_somebodys
from kubesched.testing.situation import Situation
from kubesched.testing.words import Words

VARIANTS: Final = 16
"""How many situations one is chosen of."""

MOST_KEPT: Final = 24
"""How many situations are kept to go on from."""

MOST_ASKED: Final = 24
"""How many labels and annotations are known to be asked for."""


@define(eq=False)
class Explorer:
    """Knows the ways that a rule has gone, and what it has asked for.

    Attributes:
        rule: the rule.
        words: what it is tried with.
        features: what puts into situations what the rule names.
        forgotten: calls something, and makes the rule forget that it was asked.
    """

    rule: Rule
    words: Words
    features: Sequence[Picker]
    forgotten: Callable[[Callable[[], None]], None]
    _asked: dict[Asked, None] = field(factory=dict, init=False)
    _pickers: list[Picker] = field(factory=list, init=False)
    _entered: set[CodeType] = field(factory=set, init=False)
    _times: Counter[Hashable] = field(factory=Counter, init=False)
    _kept: deque[Situation] = field(factory=lambda: deque(maxlen=MOST_KEPT), init=False)

    def __attrs_post_init__(self) -> None:
        self._learn({})

    def rarest(self, situation: Situation, seed: int) -> Situation:
        """Return the one of several variants in which the rule goes the rarest way.

        Half of them are variants of the situation, the others of those that are kept. One situation
        in four is not chosen so, as not everything shows in the way that a rule goes.
        """
        chance = Random(seed)  # noqa: S311 - not for secrets
        if not chance.randrange(4):
            return self._varied(situation, chance)
        from_kept = [self._from_kept(chance) for _ in range(VARIANTS // 2) if self._kept]
        begin = [*[situation] * (VARIANTS - len(from_kept)), *from_kept]
        variants = [self._varied(each, chance) for each in begin]
        ways = [self._way(each) for each in variants]
        times = [min((self._times[place] for place in way), default=0) for way in ways]
        best = times.index(min(times))
        if ways[best] - self._times.keys():
            self._kept.append(variants[best])
        self._times.update(ways[best])
        return variants[best]

    def _from_kept(self, chance: Random) -> Situation:
        """Return one that is kept, or two of them in one."""
        one, other = (chance.choice(self._kept) for _ in range(2))
        return crossed(one, other, chance) if not chance.randrange(4) else one

    def _varied(self, situation: Situation, chance: Random) -> Situation:
        """Return a situation with a few changes."""
        for _ in range(chance.choice([1, 2, 3, 4])):
            situation = chance.choice(self._pickers)(chance)(situation)
        return situation

    def _way(self, situation: Situation) -> frozenset[Hashable]:
        """Return the places in somebody's code that the rule comes to, and how it ends."""
        before = len(self._entered)
        seen = self._asked_once(situation)
        if len(self._entered) == before:
            return seen
        # From Python 3.12 on, a function that is traced for the first time does not tell all.
        return self._asked_once(situation)

    def _asked_once(self, situation: Situation) -> frozenset[Hashable]:
        seen: set[Hashable] = set()
        asked: dict[Asked, None] = {}
        given = told_of(situation, asked.setdefault)

        def ask() -> None:
            snapshot = given.snapshot()
            asked.clear()  # the cluster asks for some, too
            before = sys.gettrace()
            sys.settrace(self._noting(seen))
            try:
                question = Question.of(self.rule, given.pod, snapshot)
                for node in nodes_of(snapshot):
                    seen.add(_kind_of(question.answer(node)))
            finally:
                sys.settrace(before)

        self.forgotten(ask)
        self._learn(asked)
        return frozenset(seen)

    def _noting(self, seen: set[Hashable]) -> Callable[..., Any]:
        """Return a trace function that notes each instruction, as conditions may be on one line."""

        def trace(frame: FrameType, event: str, _argument: Any) -> Callable[..., Any] | None:
            if event == "call":
                if not is_of_somebodys(frame.f_globals.get("__name__", "")):
                    return None
                self._entered.add(frame.f_code)
                frame.f_trace_opcodes = True
                frame.f_trace_lines = False
            elif event == "opcode":
                seen.add((frame.f_code, frame.f_lasti))
            return trace

        return trace

    def _learn(self, asked: Mapping[Asked, None]) -> None:
        """Put what a rule asks for into situations from now on."""
        if self._pickers and (
            not asked.keys() - self._asked.keys() or len(self._asked) >= MOST_ASKED
        ):
            return
        self._asked |= asked
        salts = salts_of(self.rule, self.words, [*self._asked])
        self._pickers = [*self.features, *salts, *crowds_of(self.words)]


def _kind_of(answer: Answer) -> Hashable:
    """Tell what an answer is like: which error, how many reasons, which score as far as it goes."""
    if isinstance(answer, Raised):
        return type(answer.error).__name__
    if isinstance(answer, int):
        return max(-1, min(answer, MAX_SCORE + 1))
    return type(answer).__name__, len(answer) if isinstance(answer, tuple) else 0
