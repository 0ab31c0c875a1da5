"""One attempt to schedule a pod: the recorded answers, and ours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

from attrs import frozen

from kubesched.engine import Decision, FitError, GenericScheduler
from kubesched.engine.filtering import Filter, Verdict
from kubesched.engine.scoring import prioritize_nodes
from kubesched.errors import SchedulingError
from kubesched.framework import PredicateSpec, PrioritySpec
from kubesched.model import Pod
from kubesched.state import Snapshot
from tests.conformance.configuration import Configuration
from tests.conformance.parts import Part
from tests.conformance.recordings import Json

TIMES_TO_BE_REMEMBERED: Final = 2
"""The first pod of a class is not remembered, the second is."""


@frozen(kw_only=True)
class Attempt:
    """What was recorded of one attempt, and all that is needed to answer ourselves.

    Attributes:
        scenario: the scenario's name.
        pod: the pod.
        result: what was recorded.
        configuration: the rules.
        scheduler: decides by them.
        snapshot: the cluster.
    """

    scenario: str
    pod: Pod
    result: Json
    configuration: Configuration
    scheduler: GenericScheduler
    snapshot: Snapshot

    def parts(self) -> Iterator[Part]:
        """Compare all that was recorded."""
        yield from self._each()
        yield from self._scores()
        yield from self._filter()
        yield from self._totals()
        yield from self._ending()
        yield from self._preemption()

    def _part(self, what: str, expected: object, got: object, **about: str) -> Part:
        return Part(
            scenario=self.scenario,
            pod=self.pod.key,
            what=what,
            expected=expected,
            got=got,
            **about,
        )

    # -- one rule by itself --------------------------------------------------------------------

    def _each(self) -> Iterator[Part]:
        each = self.result.get("each", {})
        for name in dict.fromkeys(name for answers in each.values() for name in answers):
            got = self._asked(each, self.configuration.predicates[name])
            for node, answers in each.items():
                yield self._part("each", answers[name], got[node], rule=name, where=node)

    def _scores(self) -> Iterator[Part]:
        for name, recorded in self.result.get("scores", {}).items():
            got = self._scored(recorded, self.configuration.priority(name).weighted(1))
            for node, score in recorded.items():
                yield self._part("scores", score, got[node], rule=name, where=node)

    def _asked(self, names: Iterable[str], *rules: PredicateSpec[Any]) -> Mapping[str, Json]:
        """Return what predicates say about nodes."""
        checks_all = self.configuration.checks_all
        wanted = Filter.of(self.pod, rules, self.snapshot, checks_all=checks_all, keeps_room=False)
        verdicts = wanted.verdicts(self.snapshot.node_infos.select(names))
        return dict(zip(names, map(_answer, verdicts), strict=True))

    def _scored(self, names: Iterable[str], rule: PrioritySpec[Any]) -> Mapping[str, Any]:
        """Return nodes' scores by a priority, or why there are none."""
        nodes, workers = self.snapshot.node_infos.select(names), self.scheduler.workers
        try:
            totals = prioritize_nodes(self.pod, [rule], nodes, self.snapshot, workers).totals
        except SchedulingError as error:
            return dict.fromkeys(names, str(error))
        return dict(zip(names, totals, strict=True))

    # -- whether each node fits ----------------------------------------------------------------

    def _filter(self) -> Iterator[Part]:
        recorded = self.result["filter"]
        ours = self._verdicts(recorded)
        for node, answer in recorded.items():
            yield self._part("filter", answer, ours[node], where=node)

    def _verdicts(self, names: Iterable[str]) -> Mapping[str, Json]:
        """Return the scheduler's verdict on each node; errors it tells only of all together."""
        if isinstance(self.outcome, (Decision, FitError)):
            refusals = self.outcome.refusals
            return {name: _answer(refusals.get(name, ())) for name in names}
        return self._asked(names, *self.configuration.rules.predicates)

    # -- what the scheduler decides ------------------------------------------------------------

    @cached_property
    def outcome(self) -> Decision | SchedulingError:
        """What the scheduler makes of the pod; one that remembers is asked until it does."""
        for _ in range(TIMES_TO_BE_REMEMBERED if self.scheduler.equivalence_cache else 0):
            with suppress(SchedulingError):
                self.scheduler.schedule(self.pod, self.snapshot)
        try:
            return self.scheduler.schedule(self.pod, self.snapshot)
        except SchedulingError as error:
            return error

    def _totals(self) -> Iterator[Part]:
        recorded = self.result.get("totals")
        if recorded is None:
            return
        ours = self.outcome.totals if isinstance(self.outcome, Decision) else {}
        for node, total in recorded.items():
            yield self._part("totals", total, ours.get(node), where=node)
        yield self._part("top", self.result["top"], _best(ours))

    def _ending(self) -> Iterator[Part]:
        outcome, result = self.outcome, self.result
        node = outcome.node if isinstance(outcome, Decision) else None
        if "totals" not in result:
            yield self._part("top", result["top"], [node] if node else [])
        yield self._part("node", result["node"], node)
        if result["node"] is None:
            yield self._part("message", result["message"], self._message())

    def _message(self) -> str | None:
        """Return why the pod goes nowhere, if that is so."""
        return str(self.outcome) if isinstance(self.outcome, SchedulingError) else None

    def _preemption(self) -> Iterator[Part]:
        """Compare who would have to go, where it was tried; without PodPriority it never is."""
        if self.result["node"] is None:
            yield self._part("preemption", self.result.get("preemption"), self._our_preemption())

    def _our_preemption(self) -> Json | None:
        """Return what the scheduler makes of the pod's failure, in the form of the recordings."""
        if not isinstance(self.outcome, FitError) or not self.configuration.has_pod_priority:
            return None
        ours = self.scheduler.preempt(self.pod, self.outcome, self.snapshot)
        tied = {"tied": [*ours.tied]} if len(ours.tied) > 1 else {}
        return {
            "nominatedNode": ours.node,
            "victims": sorted(each.name for each in ours.victims),
            "candidates": {
                name: {
                    "victims": sorted(each.name for each in victims.pods),
                    "pdbViolations": victims.num_pdb_violations,
                }
                for name, victims in ours.candidates.items()
            },
            **tied,
        }


def _answer(verdict: Verdict) -> Json:
    """Put a verdict into the form of the recordings."""
    if isinstance(verdict, Exception):
        return {"fits": False, "reasons": [], "error": str(verdict)}
    return {"fits": not verdict, "reasons": [str(reason) for reason in verdict]}


def _best(totals: Mapping[str, Any]) -> Sequence[str]:
    """Return the names that share the highest total, sorted."""
    highest = max(totals.values(), default=None)
    return sorted(name for name, total in totals.items() if total == highest)
