"""Two answers side by side."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from attrs import evolve, frozen

from kubesched.manifests.structuring import unstructured
from kubesched.testing.differential.answers import Answer, PreemptionAnswer, Verdict


@frozen(kw_only=True)
class Comparison:
    """One item of what was recorded, beside what is answered now.

    Attributes:
        scenario: the scenario's name.
        part: which answer it is: `node`, `filter`, `scores`, …
        expected: what was recorded; None for nothing.
        got: what is answered now; None for nothing.
        left_out: why the two are not compared, if they are not.
        pod: which pod it is about, if it is about one.
        rule: which rule, if it is about one.
        where: which node, if it is about one.

    >>> print(Comparison(scenario="racks/1", part="totals", where="n1", expected=12, got=7))
    totals[n1]: expected 12, got 7
    """

    scenario: str
    part: str
    expected: object
    got: object = None
    left_out: str = ""
    pod: str = ""
    rule: str = ""
    where: str = ""

    @property
    def is_compared(self) -> bool:
        """Whether the two are to be the same."""
        return not self.left_out

    @property
    def agrees(self) -> bool:
        """Whether they were compared and are the same."""
        return self.is_compared and self.expected == self.got

    @property
    def path(self) -> str:
        """Where it stands in a recording, such as `each[n1][HostName]`."""
        keys = (self.where, self.rule) if self.part == "each" else (self.rule, self.where)
        return self.part + "".join(f"[{key}]" for key in keys if key)

    def told(self) -> tuple[str, str]:
        """Put both into words, of mappings only what differs."""
        expected, got = _plain(self.expected), _plain(self.got)
        if isinstance(expected, Mapping) and isinstance(got, Mapping):
            keys = [key for key in {**expected, **got} if expected.get(key) != got.get(key)]
            expected, got = ({key: it.get(key) for key in keys} for it in (expected, got))
        return _text(expected), _text(got)

    def __str__(self) -> str:
        expected, got = self.told()
        return f"{self.path}: expected {expected}, got {got}"


def _plain(value: object) -> object:
    return unstructured(value) if isinstance(value, PreemptionAnswer) else value


def _text(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case Verdict():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False, default=str)


NOT_AMONG_THE_RULES: Final = "a predicate that was asked by itself is not among the rules"


def compared(
    scenario: str, expected: Answer, got: Answer, asked: Collection[str]
) -> Iterator[Comparison]:
    """Lay an answer beside the recorded one, item by item: the decision first, then its evidence.

    What was not recorded is not compared.

    Args:
        scenario: the scenario's name.
        expected: what was recorded.
        got: what is answered now.
        asked: the predicates that could be asked by themselves.
    """
    return _Pair(scenario, expected, got).comparisons(asked)


@frozen
class _Pair:
    """What was recorded about a pod, and what is answered now."""

    scenario: str
    expected: Answer
    got: Answer

    def comparisons(self, asked: Collection[str]) -> Iterator[Comparison]:
        yield from self._decision()
        yield from self._filter()
        yield from self._scores()
        yield from self._totals()
        yield from self._preemption()
        yield from self._each(asked)

    def _compare(self, part: str, expected: object, got: object, **about: str) -> Comparison:
        return Comparison(
            scenario=self.scenario,
            pod=self.expected.pod,
            part=part,
            expected=expected,
            got=got,
            **about,
        )

    def _decision(self) -> Iterator[Comparison]:
        expected, got = self.expected, self.got
        yield self._compare("node", expected.node, got.node)
        has_none_now = expected.node is not None and got.message is not None
        if expected.message is not None or has_none_now:
            yield self._compare("message", expected.message, got.message)
        if expected.top is not None:
            yield self._compare("top", expected.top, got.top)

    def _filter(self) -> Iterator[Comparison]:
        """Compare the verdicts; that another node was looked at is a difference, too."""
        if self.expected.filter is None:
            return
        expected, got = self.expected.filter, self.got.filter or {}
        for node in (*expected, *(node for node in got if node not in expected)):
            yield self._compare("filter", expected.get(node), got.get(node), where=node)

    def _scores(self) -> Iterator[Comparison]:
        ours = self.got.scores or {}
        for name, scores in (self.expected.scores or {}).items():
            got = ours.get(name, {})
            for node, score in scores.items():
                yield self._compare("scores", score, got.get(node), rule=name, where=node)

    def _totals(self) -> Iterator[Comparison]:
        got = self.got.totals or {}
        for node, total in (self.expected.totals or {}).items():
            yield self._compare("totals", total, got.get(node), where=node)

    def _preemption(self) -> Iterator[Comparison]:
        if self.expected.node is None:
            expected, got = self.expected.preemption, self.got.preemption
            yield self._compare("preemption", expected, _as_far_as(expected, got))

    def _each(self, asked: Collection[str]) -> Iterator[Comparison]:
        ours = self.got.each or {}
        for node, answers in (self.expected.each or {}).items():
            got = ours.get(node, {})
            for name, verdict in answers.items():
                why = "" if name in asked else NOT_AMONG_THE_RULES
                about = {"rule": name, "where": node, "left_out": why}
                yield self._compare("each", verdict, got.get(name), **about)


def _as_far_as(
    expected: PreemptionAnswer | None, got: PreemptionAnswer | None
) -> PreemptionAnswer | None:
    """Return an answer without what was not recorded."""
    if expected is None or got is None or expected.candidates is not None:
        return got
    return evolve(got, candidates=None, tied=None)
