"""How many recorded answers agree with ours."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from attrs import define, field

from kubesched.testing.differential import Comparison


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
    left_out: int = 0


@define(eq=False)
class Tally:
    """What became of all parts.

    A scenario agrees if all of its parts that were compared agree; one of which none was compared
    counts neither way.

    Attributes:
        scenarios, parts: how many agree, in all.
        families: the same by family.
        answers: the parts by what they are and by the rule that they are about, if any.
        left_out: how many parts were left out, by the reason.
        differences: the parts that disagree.
    """

    scenarios: Count = field(factory=Count)
    parts: Count = field(factory=Count)
    families: defaultdict[str, Family] = field(factory=lambda: defaultdict(Family))
    answers: defaultdict[tuple[str, str], Count] = field(factory=lambda: defaultdict(Count))
    left_out: Counter[str] = field(factory=Counter)
    differences: list[Comparison] = field(factory=list)

    def note(self, family: str, parts: Iterable[Comparison]) -> None:
        """Count the parts of one scenario."""
        of_family = self.families[family]
        agreeing = [part.agrees for part in parts if self._note_part(of_family, part)]
        if agreeing:
            for count in (self.scenarios, of_family.scenarios):
                count.note(agrees=all(agreeing))

    def _note_part(self, of_family: Family, part: Comparison) -> bool:
        """Count a part, and tell whether it was compared."""
        if not part.is_compared:
            of_family.left_out += 1
            self.left_out[part.left_out] += 1
            return False
        for count in (self.parts, of_family.parts, self.answers[part.part, part.rule]):
            count.note(agrees=part.agrees)
        if not part.agrees:
            self.differences.append(part)
        return True

    @property
    def all_agree(self) -> bool:
        """Whether something was compared and nothing disagrees."""
        return self.parts.compared > 0 and not self.differences
