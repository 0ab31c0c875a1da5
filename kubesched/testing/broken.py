"""The error of a law that is broken."""

from kubesched.errors import KubeschedError
from kubesched.testing.situation import Situation
from kubesched.testing.writing import commented, told, told_changes


class LawBrokenError(KubeschedError, AssertionError):
    """A rule breaks a law; the text ends with the smallest situation in which it does.

    Attributes:
        law: the law's name.
        says: the law in one sentence.
        rule: the rule's name.
        seen: what was seen instead.
        situation: the pod that was asked about and the cluster.
        after: what became of it, where the law is about a change.
        between: what the rule was asked in between, where that makes the difference.

    >>> from kubesched.builders import node, pod
    >>> situation = Situation(pod("web"), [node("n1")])
    >>> error = LawBrokenError("pure", "It changes nothing.", "Mine", situation, "it did")
    >>> print(str(error).splitlines()[0])
    Mine breaks the law 'pure': It changes nothing.
    """

    def __init__(  # noqa: PLR0913 - each is a part of what is told
        self,
        law: str,
        says: str,
        rule: str,
        situation: Situation,
        seen: str,
        *,
        after: Situation | None = None,
        between: Situation | None = None,
    ) -> None:
        """Say which law it is, what was seen, and in which situation."""
        self.law = law
        self.says = says
        self.rule = rule
        self.situation = situation
        self.seen = seen
        self.after = after
        self.between = between
        super().__init__(
            f"{rule} breaks the law {law!r}: {says}\nHere {seen}.\n\n{self.manifest().rstrip()}"
        )

    def manifest(self) -> str:
        """Write the situation down as YAML, and what else matters as comments."""
        return self.situation.manifest() + commented(self._told_beside())

    def _told_beside(self) -> str:
        lines = []
        if self.after is not None:
            lines += ["", "Then:", told_changes(self.situation.objects, self.after.objects)]
            if self.after.pod != self.situation.pod:
                lines.append(told_changes([self.situation.pod], [self.after.pod]))
        if self.between is not None:
            lines += ["", "In between it is asked about:"]
            lines.append(told([self.between.pod, *self.between.objects]))
        return "\n".join(lines)
