"""A recorded answer beside ours, and how many of them agree."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from attrs import define, field, frozen


@frozen(kw_only=True)
class Part:
    """One item of a scenario's expected answers, and what we say to it.

    Attributes:
        scenario: the scenario's name.
        what: which answer it is: `filter`, `each`, `scores`, `node`, …
        expected: what was recorded.
        got: our answer.
        lacks: what the library does not have yet, so that `got` says nothing.
        pod, rule, where: what it is about, as far as that applies; `where` is mostly a node.
    """

    scenario: str
    what: str
    expected: object
    got: object = None
    lacks: tuple[str, ...] = ()
    pod: str = ""
    rule: str = ""
    where: str = ""

    @property
    def is_compared(self) -> bool:
        """Whether we have an answer at all."""
        return not self.lacks

    @property
    def agrees(self) -> bool:
        """Whether our answer is the recorded one."""
        return self.is_compared and self.expected == self.got


@define
class Count:
    """How many of the things that were compared agree."""

    agreeing: int = 0
    compared: int = 0

    def note(self, *, agrees: bool) -> None:
        """Count one more."""
        self.compared += 1
        self.agreeing += agrees

    def __str__(self) -> str:
        return f"{self.agreeing} of {self.compared}"


@define
class Family:
    """The counts of one family of scenarios."""

    scenarios: Count = field(factory=Count)
    parts: Count = field(factory=Count)
    not_yet: int = 0


@define(eq=False)
class Tally:
    """What became of all parts.

    A scenario agrees if all of its parts were compared and agree, and disagrees if one does; if
    none does but some could not be compared, it counts for neither.

    Attributes:
        scenarios, parts: how many agree, in all.
        families: the same by family.
        answers: the parts by what they are and by the rule that they are about, if any.
        lacking: how many parts wait for what; one that lacks several things counts for each.
        not_yet, scenarios_not_yet: how many parts and scenarios could not be compared.
        differences: the parts that disagree.
    """

    scenarios: Count = field(factory=Count)
    parts: Count = field(factory=Count)
    families: defaultdict[str, Family] = field(factory=lambda: defaultdict(Family))
    answers: defaultdict[tuple[str, str], Count] = field(factory=lambda: defaultdict(Count))
    lacking: Counter[str] = field(factory=Counter)
    not_yet: int = 0
    scenarios_not_yet: int = 0
    differences: list[Part] = field(factory=list)

    def note(self, family: str, parts: Iterable[Part]) -> None:
        """Count the parts of one scenario."""
        of_family = self.families[family]
        is_complete = agrees = True
        for part in parts:
            self._note_part(of_family, part)
            is_complete &= part.is_compared
            agrees &= part.agrees or not part.is_compared
        if is_complete or not agrees:
            for count in (self.scenarios, of_family.scenarios):
                count.note(agrees=agrees)
        else:
            self.scenarios_not_yet += 1

    def _note_part(self, of_family: Family, part: Part) -> None:
        if not part.is_compared:
            self.not_yet += 1
            of_family.not_yet += 1
            self.lacking.update(part.lacks)
            return
        for count in (self.parts, of_family.parts, self.answers[part.what, part.rule]):
            count.note(agrees=part.agrees)
        if not part.agrees:
            self.differences.append(part)

    @property
    def all_agree(self) -> bool:
        """Whether something was compared and nothing disagrees."""
        return self.parts.compared > 0 and not self.differences
