"""One attempt to schedule a pod: the recorded answers, and ours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from tests.conformance.original import REFUSALS
from tests.conformance.parts import Part
from tests.conformance.policies import Json, Missing

NOMINATED_PODS: Final = "nominated pods"
PREEMPTION: Final = "preemption"
POD_PRIORITY_OFF: Final = "PodPriority off"


@frozen(kw_only=True)
class Attempt:
    """What was recorded of one attempt, and all that is needed to answer ourselves.

    Attributes:
        scenario: the scenario's name.
        pod: the pod.
        result: what was recorded.
        configuration: the rules.
        scheduler: decides by them, as far as they are there.
        snapshot: the cluster.
        kept: the nodes that are kept for other pods.
    """

    scenario: str
    pod: Pod
    result: Json
    configuration: Configuration
    scheduler: GenericScheduler
    snapshot: Snapshot
    kept: frozenset[str]

    def parts(self) -> Iterator[Part]:
        """Compare whatever can be compared, and name what cannot."""
        yield from self._each()
        yield from self._scores()
        yield from self._filter()
        yield from self._totals()
        yield from self._ending()
        yield from self._preemption()

    def _part(self, what: str, expected: object, got: object, **about: Any) -> Part:
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
            rule = self.configuration.predicate(name)
            lacks = (rule.what,) if isinstance(rule, Missing) else ()
            got = {} if isinstance(rule, Missing) else self._asked(each, rule)
            for node, answers in each.items():
                about = {"rule": name, "where": node, "lacks": lacks}
                yield self._part("each", answers[name], got.get(node), **about)

    def _scores(self) -> Iterator[Part]:
        for name, recorded in self.result.get("scores", {}).items():
            rule = self.configuration.priority(name)
            lacks = (rule.what,) if isinstance(rule, Missing) else ()
            got = {} if isinstance(rule, Missing) else self._summed(recorded, rule.weighted(1))
            for node, score in recorded.items():
                about = {"rule": name, "where": node, "lacks": lacks}
                yield self._part("scores", score, got.get(node), **about)

    def _asked(self, names: Iterable[str], *rules: PredicateSpec[Any]) -> Mapping[str, Json]:
        """Return what predicates say about nodes."""
        checks_all = self.configuration.checks_all
        wanted = Filter.prepared(self.pod, rules, self.snapshot, checks_all=checks_all)
        verdicts = wanted.verdicts(self.snapshot.node_infos.select(names))
        return dict(zip(names, map(_answer, verdicts), strict=True))

    def _summed(self, names: Iterable[str], *rules: PrioritySpec[Any]) -> Mapping[str, Any]:
        """Return the weighted sums of nodes' scores, or why there are none."""
        nodes, workers = self.snapshot.node_infos.select(names), self.scheduler.workers
        try:
            totals = prioritize_nodes(self.pod, rules, nodes, self.snapshot, workers).totals
        except SchedulingError as error:
            return dict.fromkeys(names, str(error))
        return dict(zip(names, totals, strict=True))

    # -- whether each node fits ----------------------------------------------------------------

    def _filter(self) -> Iterator[Part]:
        recorded = self.result["filter"]
        ours = self._verdicts(recorded)
        for node, answer in recorded.items():
            lacks = self._lacks_for(node, answer)
            yield self._part("filter", answer, ours[node], where=node, lacks=lacks)

    def _verdicts(self, names: Iterable[str]) -> Mapping[str, Json]:
        """Return the scheduler's verdict on each node; errors it tells only of all together."""
        if isinstance(self.outcome, (Decision, FitError)):
            refusals = self.outcome.refusals
            return {name: _answer(refusals.get(name, ())) for name in names}
        return self._asked(names, *self.configuration.rules.predicates)

    def _lacks_for(self, node: str, recorded: Json) -> tuple[str, ...]:
        """Return what is missing to know whether a node fits.

        A refusal by a predicate that is there can be compared even if others are missing: those
        before it have let the pod pass, and those behind it were not asked.
        """
        missing = self.configuration.missing_predicates
        lacks = {NOMINATED_PODS} if node in self.kept else set()
        if missing and not self._refused_by_one_that_is_there(recorded):
            lacks.update(missing.values())
        return tuple(sorted(lacks))

    def _refused_by_one_that_is_there(self, recorded: Json) -> bool:
        if self.configuration.checks_all or not recorded["reasons"]:
            return False
        first, missing = recorded["reasons"][0], self.configuration.missing_predicates
        return not any(first in REFUSALS.get(name, ()) for name in missing)

    # -- what the scheduler decides ------------------------------------------------------------

    @cached_property
    def outcome(self) -> Decision | SchedulingError:
        """What the scheduler makes of the pod, by the rules that are there."""
        try:
            return self.scheduler.schedule(self.pod, self.snapshot)
        except SchedulingError as error:
            return error

    @cached_property
    def lacks(self) -> tuple[str, ...]:
        """What is missing for the outcome to be comparable."""
        recorded = self.result["filter"]
        missing = {what for node, each in recorded.items() for what in self._lacks_for(node, each)}
        if sum(each["fits"] for each in recorded.values()) > 1:
            missing.update(self.configuration.missing_priorities.values())
        return tuple(sorted(missing))

    def _totals(self) -> Iterator[Part]:
        recorded = self.result.get("totals")
        if recorded is None:
            return
        lacks = tuple(sorted(set(self.configuration.missing_priorities.values())))
        ours = self._our_totals(recorded)
        for node, total in recorded.items():
            yield self._part("totals", total, ours.get(node), where=node, lacks=lacks)
        yield self._part("top", self.result["top"], _best(ours), lacks=lacks)

    def _our_totals(self, names: Iterable[str]) -> Mapping[str, Any]:
        """Return the decision's totals, or those of the recorded nodes if it is not comparable."""
        if self.lacks:
            return self._summed(names, *self.configuration.rules.priorities)
        return self.outcome.totals if isinstance(self.outcome, Decision) else {}

    def _ending(self) -> Iterator[Part]:
        outcome, result, lacks = self.outcome, self.result, self.lacks
        node = outcome.node if isinstance(outcome, Decision) else None
        message = str(outcome) if isinstance(outcome, SchedulingError) else None
        if "totals" not in result:
            yield self._part("top", result["top"], [node] if node else [], lacks=lacks)
        yield self._part("node", result["node"], node, lacks=lacks)
        if result["node"] is None:
            yield self._part("message", result["message"], message, lacks=lacks)

    def _preemption(self) -> Iterator[Part]:
        """Stand for what is not there yet: who would have to go, or that nobody has to."""
        if "preemption" in self.result:
            yield self._part("preemption", self.result["preemption"], None, lacks=(PREEMPTION,))
        elif self.result["node"] is None and not self.configuration.has_pod_priority:
            yield self._part("preemption", None, None, lacks=(POD_PRIORITY_OFF,))


def _answer(verdict: Verdict) -> Json:
    """Put a verdict into the form of the recordings."""
    if isinstance(verdict, Exception):
        return {"fits": False, "reasons": [], "error": str(verdict)}
    return {"fits": not verdict, "reasons": [str(reason) for reason in verdict]}


def _best(totals: Mapping[str, Any]) -> Sequence[str]:
    """Return the names that share the highest total, sorted."""
    highest = max(totals.values(), default=None)
    return sorted(name for name, total in totals.items() if total == highest)
