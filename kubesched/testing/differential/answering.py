"""Asking a scheduler about a pod, and putting all that it says into one answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kubesched.engine import Decision, FitError, GenericScheduler, NoNodesAvailable, Preemption
from kubesched.engine.errors import ClaimError
from kubesched.engine.filtering import Filter, Verdict as Reasons
from kubesched.errors import SchedulingError
from kubesched.framework import PredicateSpec, Victims
from kubesched.model import Pod
from kubesched.state import NodeInfo, Snapshot
from kubesched.testing.differential.answers import Answer, Candidate, PreemptionAnswer, Verdict

FITS_HERE: Final = Verdict(fits=True)


def outcome_of(
    pod: Pod, scheduler: GenericScheduler, snapshot: Snapshot
) -> Decision | SchedulingError:
    """Return what a scheduler decides, or why it cannot.

    Raises:
        SpecError: a rule broke the contract.
    """
    try:
        return scheduler.schedule(pod, snapshot)
    except SchedulingError as error:
        return error


def answer_of(
    pod: Pod,
    outcome: Decision | SchedulingError,
    scheduler: GenericScheduler,
    snapshot: Snapshot,
    alone: Mapping[str, PredicateSpec[Any]],
) -> Answer:
    """Put a decision and its evidence into the form of recordings, less who would make room.

    Args:
        pod: the pod.
        outcome: what the scheduler decided.
        scheduler: the scheduler.
        snapshot: the cluster that it decided on.
        alone: the predicates that are to be asked by themselves, by what they are called.

    Raises:
        SpecError: a rule broke the contract.
    """
    decision = outcome if isinstance(outcome, Decision) else None
    return Answer(
        pod=pod.key,
        filter=_filter(pod, outcome, scheduler, snapshot),
        each=each_alone(pod, alone, snapshot) if alone else None,
        scores=_scores(decision) if decision else None,
        totals=(_integers(decision.totals) or None) if decision else None,
        top=decision.top or decision.feasible if decision else (),
        node=decision.node if decision else None,
        message=None if decision else str(outcome),
    )


def preemption_of(
    pod: Pod, outcome: Decision | SchedulingError, scheduler: GenericScheduler, snapshot: Snapshot
) -> PreemptionAnswer | None:
    """Return who would make room for a pod that fits nowhere; None where that is not tried.

    Raises:
        SpecError: a rule broke the contract.
    """
    options = scheduler.profile.options
    if not isinstance(outcome, FitError) or not options.pod_priority or options.disable_preemption:
        return None
    try:
        return _told(scheduler.preempt(pod, outcome, snapshot))
    except SchedulingError as error:
        return PreemptionAnswer(error=str(error))


def verdicts_of(
    pod: Pod,
    predicates: Iterable[PredicateSpec[Any]],
    snapshot: Snapshot,
    *,
    checks_all: bool = False,
    keeps_room: bool = False,
) -> Mapping[str, Verdict]:
    """Return what predicates say of every node, by its name.

    Raises:
        SpecError: an answer is no `Fit`.
    """
    nodes = _nodes(snapshot)
    try:
        wanted = Filter.of(pod, predicates, snapshot, checks_all=checks_all, keeps_room=keeps_room)
    except SchedulingError as error:  # one could not even prepare
        return {node.name: _verdict(error) for node in nodes}
    verdicts = map(_verdict, wanted.verdicts(nodes))
    return dict(zip((node.name for node in nodes), verdicts, strict=True))


def each_alone(
    pod: Pod, predicates: Mapping[str, PredicateSpec[Any]], snapshot: Snapshot
) -> Mapping[str, Mapping[str, Verdict]]:
    """Return what each predicate by itself says of each node: `answers[node][predicate]`.

    Raises:
        SpecError: an answer is no `Fit`.
    """
    answers = {name: verdicts_of(pod, [predicates[name]], snapshot) for name in sorted(predicates)}
    return {
        node.name: {name: verdicts[node.name] for name, verdicts in answers.items()}
        for node in _nodes(snapshot)
    }


def _filter(
    pod: Pod,
    outcome: Decision | SchedulingError,
    scheduler: GenericScheduler,
    snapshot: Snapshot,
) -> Mapping[str, Verdict]:
    """Return the verdict on each node; an error does not tell it, so they are asked again."""
    match outcome:
        case Decision():
            found = dict.fromkeys(outcome.feasible, FITS_HERE)
            return _sorted(found | _refusals(outcome))
        case FitError():
            return _sorted(_refusals(outcome))
        case ClaimError() | NoNodesAvailable():
            return {}
    rules = scheduler.profile
    return verdicts_of(
        pod,
        rules.predicates,
        snapshot,
        checks_all=rules.options.always_check_all_predicates,
        keeps_room=rules.options.pod_priority,
    )


def _refusals(outcome: Decision | FitError) -> dict[str, Verdict]:
    return {name: _verdict(reasons) for name, reasons in outcome.refusals.items()}


def _verdict(verdict: Reasons) -> Verdict:
    if isinstance(verdict, Exception):
        return Verdict(fits=False, error=str(verdict))
    if not verdict:
        return FITS_HERE
    return Verdict(fits=False, reasons=[str(reason) for reason in verdict])


def _scores(decision: Decision) -> Mapping[str, Mapping[str, int]] | None:
    return _sorted({name: _integers(each) for name, each in decision.scores.items()}) or None


def _integers(scores: Mapping[str, int]) -> dict[str, int]:
    """Return scores by name as plain numbers: a rule may also score True."""
    return {name: int(score) for name, score in sorted(scores.items())}


def _told(preemption: Preemption) -> PreemptionAnswer:
    return PreemptionAnswer(
        nominated_node=preemption.node,
        victims=_names(preemption.victims),
        candidates=_sorted({name: _candidate(it) for name, it in preemption.candidates.items()}),
        tied=preemption.tied if len(preemption.tied) > 1 else None,
    )


def _candidate(victims: Victims) -> Candidate:
    return Candidate(victims=_names(victims.pods), pdb_violations=victims.num_pdb_violations)


def _names(pods: Iterable[Pod]) -> list[str]:
    return sorted(pod.name for pod in pods)


def _nodes(snapshot: Snapshot) -> Sequence[NodeInfo]:
    """Return the nodes that there are, by name: pods may claim to be on others."""
    return snapshot.node_infos.select(sorted({*snapshot.order.round}))


def _sorted(by_name: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(by_name.items()))
