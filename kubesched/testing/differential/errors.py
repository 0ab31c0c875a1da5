"""What can be wrong with recordings, and with decisions."""

from collections.abc import Iterable

from kubesched.errors import KubeschedError
from kubesched.testing.differential.report import ReplayReport
from kubesched.testing.situation import Situation


class RecordingError(KubeschedError, ValueError):
    """A file that cannot be read, or a line that is no recording.

    Attributes:
        source: the file as it was named, or what the stream calls itself.
        line: which line, from 1; None if it is not about a line.
        problems: all that is wrong with it, and what was expected.

    >>> print(RecordingError("pinned.jsonl", 3, ["scenario.name is missing (expected a text)"]))
    pinned.jsonl, line 3: scenario.name is missing (expected a text)
    """

    def __init__(self, source: str, line: int | None, problems: Iterable[str]) -> None:
        """Put the problems into words, a line each."""
        self.source = source
        self.line = line
        self.problems = tuple(problems)
        where = source if line is None else f"{source}, line {line}"
        one = len(self.problems) == 1
        told = self.problems if one else [f"{len(self.problems)} problems:", *self.problems]
        super().__init__(f"{where}: " + "\n  ".join(told))


class DecisionsDifferError(KubeschedError, AssertionError):
    """Decisions are not as they were, or not the same; the text is the report's.

    Attributes:
        report: what differs.
    """

    def __init__(self, report: ReplayReport) -> None:
        """Tell what differs."""
        self.report = report
        super().__init__(str(report))

    @property
    def situation(self) -> Situation | None:
        """The pod and the cluster of the first decision that differs, if one does."""
        return self.report.differences[0].situation if self.report.differences else None
