"""What came of comparing decisions, in data and in words."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import field, frozen

from kubesched.model.frozen import frozen_map, frozen_tuple
from kubesched.testing.differential.comparing import Comparison
from kubesched.testing.situation import Situation

MOST_SHOWN: Final = 5
"""Decisions that a report shows; it counts the others."""

MOST_PARTS: Final = 10
"""Items of one decision that a report shows."""

MOST_OBJECTS: Final = 50
"""A manifest of more objects is left out of a report's text."""


@frozen(kw_only=True)
class Difference:
    """A decision that is not as it was.

    Attributes:
        scenario: the scenario's name.
        situation: the pod, and the cluster in which it was asked about.
        parts: what differs, the decision before its evidence.
    """

    scenario: str
    situation: Situation
    parts: tuple[Comparison, ...] = field(converter=frozen_tuple)

    @property
    def pod(self) -> str:
        """The pod's key."""
        return self.situation.pod.key

    def manifest(self) -> str:
        """Write the pod and the cluster down, to be put into a file and loaded."""
        return self.situation.manifest()


@frozen(kw_only=True)
class ReplayReport:
    """How far decisions are as they were; its text tells, and shows what differs.

    Attributes:
        scenarios: how many scenarios there were.
        decisions: how many pods were decided about.
        answers: how many items were compared.
        differences: the decisions that differ.
        left_out: how many items were not compared, by the reason.
        sides: what the recorded answers and those of now are called.
    """

    scenarios: int = 0
    decisions: int = 0
    answers: int = 0
    differences: tuple[Difference, ...] = field(default=(), converter=frozen_tuple)
    left_out: Mapping[str, int] = field(factory=dict, converter=frozen_map)
    sides: tuple[str, str] = ("expected", "got")

    @property
    def agrees(self) -> bool:
        """Whether something was compared and nothing differs."""
        return self.answers > 0 and not self.differences

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def _lines(report: ReplayReport) -> Iterator[str]:
    yield _headline(report)
    yield from (f"left out: {count} times, {why}" for why, count in report.left_out.items())
    for difference in report.differences[:MOST_SHOWN]:
        yield ""
        yield from _told(difference, report.sides)
    more = len(report.differences) - MOST_SHOWN
    if more > 0:
        yield from ("", f"and {more} more decisions")
    if report.differences:
        yield from ("", *_manifest(report.differences[0]))


def _headline(report: ReplayReport) -> str:
    if not report.answers:
        return "nothing was compared"
    agreeing = report.decisions - len(report.differences)
    return f"{agreeing} of {report.decisions} decisions agree"


def _told(difference: Difference, sides: tuple[str, str]) -> Iterator[str]:
    yield ", ".join(filter(None, (difference.scenario, f"pod {difference.pod}")))
    for part in difference.parts[:MOST_PARTS]:
        yield f"  {part.path}"
        yield from _side_by_side(part, sides)
    more = len(difference.parts) - MOST_PARTS
    if more > 0:
        yield f"  and {more} more answers"


def _side_by_side(part: Comparison, sides: tuple[str, str]) -> Iterator[str]:
    width = max(map(len, sides))
    for side, text in zip(sides, part.told(), strict=True):
        yield f"    {side.ljust(width)} {text}"


def _manifest(difference: Difference) -> Iterable[str]:
    objects = len(difference.situation.objects)
    if objects > MOST_OBJECTS:
        return [f"The manifest of the first one has {objects} objects; its manifest() writes it."]
    return ["The situation of the first one:", "", *difference.manifest().splitlines()]
