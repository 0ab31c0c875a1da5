"""Whole attempts with extenders, which answer over HTTP as a script says.

After each attempt the pod goes where the recording says, as in the other scenarios.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from attrs import evolve, frozen

from kubesched.engine import Decision, FitError, GenericScheduler
from kubesched.engine.extender import bind_by_extender, binder_of
from kubesched.engine.preemption import preempt
from kubesched.errors import ExtenderError, SchedulingError
from kubesched.framework import RuleSet, Victims
from kubesched.manifests import read_wire
from kubesched.model import Binding, Pod
from kubesched.state import Snapshot
from kubesched.testing.differential import Answer as PodAnswer, Comparison, Scenario, as_configured
from kubesched.testing.differential.answering import answer_of, outcome_of, verdicts_of
from kubesched.testing.differential.comparing import compared
from tests.conformance.recordings import Recording
from tests.conformance.refusals import refusal
from tests.conformance.setting import Setting
from tests.conformance.wording import words_that_matter
from tests.scripted_server import HOST, Answer, Asked, Json, the_server

NO_NODE: Final = "(no node)"
UNKNOWN_NODES: Final = "whole nodes that do not exist are refused"
AN_ERROR: Final = "an error of an extender"


def replay_extender_attempts(recording: Recording, setting: Setting) -> Iterator[Comparison]:
    """Make a scenario's attempts and lay our answers beside the recorded ones."""
    here = json.dumps(recording.data).replace(HOST, the_server().host)
    data = json.loads(here)
    expected = data["expected"]
    if "error" in expected:
        yield refusal(recording.name, data["scenario"]["config"], expected["error"])
        return
    scenario = read_wire(Scenario, data["scenario"], recording.name)
    cluster, rules = scenario.cluster(), as_configured(scenario.config).rules
    results = expected.get("results", [expected] * len(scenario.pending))
    for pod, result in zip(scenario.pending, results, strict=True):
        attempt = ExtenderAttempt(
            scenario=recording.name,
            pod=pod,
            result=result,
            scheduler=setting.scheduler(cluster, rules),
            snapshot=cluster.snapshot(),
            script=[each["responses"] for each in data["extenders"]],
        )
        yield from attempt.parts()
        if result.get("node") in cluster.snapshot().node_infos and "bindError" not in result:
            cluster.add_pod(pod.bound_to(result["node"]))


@frozen(kw_only=True, slots=False)
class ExtenderAttempt:
    """What was recorded of an attempt in which extenders have their say.

    Attributes:
        scenario: the scenario's name.
        pod: the pod.
        result: what was recorded.
        scheduler: decides.
        snapshot: the cluster.
        script: for each extender what it answers to each kind of call.
    """

    scenario: str
    pod: Pod
    result: Json
    scheduler: GenericScheduler
    snapshot: Snapshot
    script: Sequence[Json]

    def parts(self) -> Iterator[Comparison]:
        """Compare all that was recorded."""
        if "crash" in self.result:
            yield self._crash()
        elif not {*self.result["feasible"]} <= {*self.snapshot.node_infos}:
            yield self._part("unknown nodes", None, None, left_out=UNKNOWN_NODES)
        else:
            yield from self._answered()
            yield from self._extended()

    @property
    def rules(self) -> RuleSet:
        """The rules."""
        return self.scheduler.profile

    def _part(self, part: str, expected: object, got: object, left_out: str = "") -> Comparison:
        return Comparison(
            scenario=self.scenario,
            pod=self.pod.key,
            part=part,
            expected=expected,
            got=got,
            left_out=left_out,
        )

    def _answered(self) -> Iterator[Comparison]:
        """Compare what is recorded of every attempt; of a preemption there is more here."""
        expected = evolve(read_wire(PodAnswer, self.result, self.scenario), preemption=None)
        for part in compared(self.scenario, expected, self._ours, ()):
            if part.part != "preemption":
                yield part
        if self.result["node"] is None:
            recorded = self.result.get("preemption")
            yield self._part("preemption", recorded, self._our_preemption())

    @property
    def _ours(self) -> PodAnswer:
        """Return our answer, in which `filter` is what predicates say, extenders not counted."""
        checks_all = self.rules.options.always_check_all_predicates
        said = verdicts_of(self.pod, self.rules.predicates, self.snapshot, checks_all=checks_all)
        ours = answer_of(self.pod, self.outcome, self.scheduler, self.snapshot, {})
        message = ours.message
        if isinstance(self.outcome, ExtenderError):
            message = self._worded(message, self.result.get("message"))
        return evolve(ours, filter=said, message=message)

    def _crash(self) -> Comparison:
        """Compare in which step an extender's answer is found to be of no use."""
        step: str | None = None
        if isinstance(self.outcome, ExtenderError):
            step = "schedule"
        elif isinstance(self._tried[0], ExtenderError):
            step = "preempt"
        return self._part(AN_ERROR, self.result["phase"], step)

    def _extended(self) -> Iterator[Comparison]:
        outcome = self.outcome
        refusals = outcome.refusals if isinstance(outcome, Decision | FitError) else {}
        feasible = outcome.feasible if isinstance(outcome, Decision) else ()
        ours = {
            "failed": {name: [str(why) for why in each] for name, each in refusals.items()},
            "feasible": sorted(feasible),
            "calls": self._decided[1],
            "binder": self._binder,
            "bindError": self._worded(self._decided[2], self.result.get("bindError")),
        }
        for what, got in ours.items():
            yield self._part(what, self.result.get(what), got)

    def _worded(self, ours: str | None, recorded: str | None) -> str | None:
        """Return an error of an extender of ours, as it was recorded if it says what matters."""
        if ours is None or recorded is None:
            return ours
        answers = (answer for calls in self.script for answer in calls.values())
        return recorded if words_that_matter(recorded, *answers) in {None, ours} else ours

    # -- what happens ----------------------------------------------------------------------------

    @property
    def outcome(self) -> Decision | SchedulingError:
        """What the scheduler makes of the pod."""
        return self._decided[0]

    @cached_property
    def _decided(self) -> tuple[Decision | SchedulingError, Sequence[Json], str | None]:
        """Return the outcome, what extenders were asked, and the error of the binding."""
        with the_server().playing(self._answer) as asked:
            outcome = outcome_of(self.pod, self.scheduler, self.snapshot)
            error = self._bound(outcome) if isinstance(outcome, Decision) else None
        return outcome, _calls(asked), error

    @property
    def _binder(self) -> int | None:
        """Return which extender binds the pod, if one does and the pod goes anywhere."""
        extenders = self.rules.extenders
        binder = binder_of(extenders, self.pod) if isinstance(self.outcome, Decision) else None
        return None if binder is None else extenders.index(binder)

    def _bound(self, decision: Decision) -> str | None:
        binder = binder_of(self.rules.extenders, self.pod)
        if binder is None:
            return None
        try:
            bind_by_extender(binder, Binding.of(self.pod, decision.node))
        except ExtenderError as error:
            return str(error)
        return None

    def _our_preemption(self) -> Json | None:
        preemption, calls = self._tried
        if preemption is None:
            return None
        return {**preemption, **({"calls": calls} if calls else {})}

    @cached_property
    def _tried(self) -> tuple[Any, Sequence[Json]]:
        """Return what comes of preemption, and what extenders were asked."""
        error = self.outcome
        if not isinstance(error, FitError):
            return None, []
        with the_server().playing(self._answer) as asked:
            try:
                ours: Any = self._preempted(error)
            except ExtenderError as failed:
                ours = failed if "crash" in self.result else self._failed(error, failed)
        return ours, _calls(asked)

    def _preempted(self, error: FitError) -> Json:
        ours = self.scheduler.preempt(self.pod, error, self.snapshot)
        answer: dict[str, Any] = {
            "nominatedNode": ours.node,
            "victims": sorted(pod.name for pod in ours.victims),
            "candidates": self._shown(ours.found),
        }
        if ours.found:
            answer["afterExtenders"] = self._shown(ours.candidates)
        if len(ours.tied) > 1:
            answer["tied"] = sorted(self._known(name) for name in ours.tied)
        return answer

    def _failed(self, error: FitError, failed: ExtenderError) -> Json:
        """Return what is known if an extender's error ends the preemption."""
        alone = evolve(self.rules, extenders=())
        found = preempt(self.pod, error, self.snapshot, alone).found
        recorded = (self.result.get("preemption") or {}).get("error")
        return {
            "nominatedNode": None,
            "victims": [],
            "candidates": self._shown(found),
            "error": self._worded(str(failed), recorded),
        }

    def _shown(self, candidates: Mapping[str, Victims]) -> Json:
        return {
            self._known(name): {
                "victims": sorted(pod.name for pod in victims.pods),
                "pdbViolations": victims.num_pdb_violations,
            }
            for name, victims in candidates.items()
        }

    def _known(self, name: str) -> str:
        return name if name in self.snapshot.node_infos else NO_NODE

    # -- the extenders' side ---------------------------------------------------------------------

    def _answer(self, asked: Asked) -> Answer:
        index, call = _place(asked)
        response = self.script[index].get(call)
        if response is None:
            return Answer(status=404)
        if "keep" in response:
            response = {**response, "json": _kept(response, json.loads(asked.body))}
        return Answer.recorded(response, the_server().host)


_EXTENDER: Final = re.compile(r"/ext(\d+)/(?:.*/)?([^/?]*)")


def _place(asked: Asked) -> tuple[int, str]:
    """Return which extender a request is for, and what is wanted: of `/ext0/filter`, 0 and filter.

    A prefix may also be written with more slashes, or lie deeper, and so may a verb.
    """
    found = _EXTENDER.search(asked.path)
    if found is None:
        raise ValueError(f"{asked.path} is no extender's")
    return int(found[1]), found[2]


def _kept(response: Json, request: Json) -> Json:
    """Return an answer that keeps some of the nodes, in the form in which they came."""
    failed = {"FailedNodes": response["failed"]} if "failed" in response else {}
    if request["Nodes"] is None:
        kept = [name for name in request["NodeNames"] if name in response["keep"]]
        return {"NodeNames": kept, **failed}
    items = request["Nodes"]["items"] or ()
    nodes = [node for node in items if node["metadata"]["name"] in response["keep"]]
    return {"Nodes": {"items": nodes}, **failed}


def _calls(asked: Sequence[Asked]) -> Sequence[Json]:
    """Return what was asked in the form of the recordings.

    Requests for scores go out at the same time, so they are listed by extender.
    """
    calls = [_call(each) for each in asked]
    scoring = iter(
        sorted((each for each in calls if _scores(each)), key=lambda each: each["extender"])
    )
    return [next(scoring) if _scores(each) else each for each in calls]


def _scores(call: Json) -> bool:
    return bool(call["call"] == "prioritize")


def _call(asked: Asked) -> dict[str, Any]:
    (index, call), body = _place(asked), json.loads(asked.body)
    return {"extender": index, "call": call, **_nodes(body)}


def _nodes(body: Json) -> Json:
    match body:
        case {"Nodes": {"items": items}}:
            return {"nodes": sorted(node["metadata"]["name"] for node in items or ())}
        case {"NodeNames": list(names)}:
            return {"nodes": sorted(names)}
        case {"NodeNameToVictims": dict(victims)} | {"NodeNameToMetaVictims": dict(victims)}:
            return {"nodes": sorted(victims)}
        case _:
            return {}
