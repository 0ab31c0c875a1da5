"""Decisions beside those that were expected, one after the other, and what comes of all of them."""

from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from kubesched.model import Pod
from kubesched.state import Snapshot
from kubesched.testing.differential.answers import Answer
from kubesched.testing.differential.comparing import Comparison, compared
from kubesched.testing.differential.course import Course
from kubesched.testing.differential.recording import ScenarioObjects
from kubesched.testing.differential.report import Difference, ReplayReport
from kubesched.testing.situation import Situation


@frozen(eq=False)
class Attempt:
    """One decision beside the expected one.

    Attributes:
        pod: the pod.
        snapshot: the cluster that was decided on.
        comparisons: all that was expected, beside what is answered now.
    """

    pod: Pod
    snapshot: Snapshot
    comparisons: tuple[Comparison, ...]

    def difference(self) -> Difference | None:
        """Return what differs, if anything does."""
        parts = [each for each in self.comparisons if each.is_compared and not each.agrees]
        if not parts:
            return None
        others = ScenarioObjects.of(self.snapshot, without={self.pod.key})
        situation = Situation(self.pod, others)
        return Difference(scenario=parts[0].scenario, situation=situation, parts=parts)


def attempts_on(
    course: Course, pods: Iterable[Pod], expected: Iterable[Answer], scenario: str = ""
) -> Iterator[Attempt]:
    """Decide about pods, each of which then goes where the expected answer says.

    Raises:
        SpecError: a rule broke the contract.
    """
    for pod, answer in zip(pods, expected, strict=True):
        snapshot = course.cluster.snapshot()
        asked = {rule for answers in (answer.each or {}).values() for rule in answers}
        alone = {name: spec for name, spec in course.decider.alone.items() if name in asked}
        got = course.answer(pod, alone, snapshot)
        yield Attempt(pod, snapshot, tuple(compared(scenario, answer, got, alone)))
        course.place(pod, answer.node)


@define(eq=False)
class Tally:
    """What has become of all decisions so far."""

    scenarios: int = 0
    decisions: int = 0
    answers: int = 0
    differences: list[Difference] = field(factory=list)
    left_out: Counter[str] = field(factory=Counter)

    def leave_out(self, why: str) -> None:
        """Count a scenario without decisions."""
        self.scenarios += 1
        self.left_out[why] += 1

    def note(self, attempts: Iterable[Attempt]) -> None:
        """Count the decisions of one scenario."""
        self.scenarios += 1
        for attempt in attempts:
            self.decisions += 1
            self.answers += sum(each.is_compared for each in attempt.comparisons)
            self.left_out.update(each.left_out for each in attempt.comparisons if each.left_out)
            if difference := attempt.difference():
                self.differences.append(difference)

    def report(self, sides: tuple[str, str] = ("expected", "got")) -> ReplayReport:
        """Return what is known."""
        return ReplayReport(
            scenarios=self.scenarios,
            decisions=self.decisions,
            answers=self.answers,
            differences=self.differences,
            left_out=self.left_out,
            sides=sides,
        )
