"""What must be so in the loop's small world: between any two steps, and once it is quiet."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from kubesched.engine import FirstByName, GenericScheduler
from kubesched.errors import KubeschedError
from kubesched.model import Pod
from kubesched.quantity import Quantity
from kubesched.runtime import Outcome, Result, is_for
from kubesched.testing.machines.insides import (
    assumptions_of,
    check_inside,
    ended_in,
    futures_of,
    remembered_attempts,
    under_way,
)
from kubesched.testing.machines.loop.loop import Loop
from kubesched.testing.machines.loop.member import Member
from kubesched.testing.machines.loop.world import KINDS
from kubesched.testing.machines.promises import Promise, PromiseBrokenError

ONE_PLACE: Final = Promise(
    "one place", "Every pod is in one place: a queue, being tried, assumed, bound, or gone."
)
SUMS: Final = Promise("sums", "What a node gives away is what its pods ask for.")
ONCE: Final = Promise("once", "A pod is bound once, to the node that was said, or not at all.")
IN_TIME: Final = Promise("in time", "What takes too long is given up; who is closed does nothing.")
NEWS: Final = Promise("news", "Whatever a watch does, the cluster gets over it.")
REMEMBERED: Final = Promise("remembered", "A verdict that is remembered is as good as a new one.")
QUIET: Final = Promise("quiet", "When nothing fails any more, all comes to rest.")
NOTHING_LEFT: Final = Promise("nothing left", "Once all is quiet nothing is left over.")
NO_WAIT: Final = Promise("no wait", "Once all is quiet no pod waits that fits somewhere.")

PROMISES: Final = (
    ONE_PLACE,
    SUMS,
    ONCE,
    IN_TIME,
    NEWS,
    REMEMBERED,
    QUIET,
    NOTHING_LEFT,
    NO_WAIT,
)

LONGEST_WAIT: Final = 3
"""Minutes after which a pod has been tried again, whatever it waits for."""

_MOST_MINUTES: Final = 60
_MOST_ROUNDS: Final = 100

Complaint: TypeAlias = tuple[Promise, str]
"""A promise that is not kept, and what was seen instead."""


def check(loop: Loop) -> None:
    """Check what holds between any two steps.

    Raises:
        PromiseBrokenError: something does not.
    """
    _raise_first(complaints(loop))


def fall_quiet(loop: Loop) -> None:
    """Let everything end, without any more faults, and check that nothing is left over.

    Raises:
        PromiseBrokenError: something is.
    """
    _raise_first(complaints_once_quiet(loop))


def _raise_first(found: Iterator[Complaint]) -> None:
    for promise, seen in found:
        raise PromiseBrokenError(promise, "The loop", seen)


def complaints(loop: Loop) -> Iterator[Complaint]:
    """Look for what does not hold between any two steps."""
    check_inside(loop.cluster)
    yield from _wrong_sums(loop)
    for member in loop.members:
        check_inside(member.scheduler.queue)
        yield from _lost_pods(loop, member)
        if member.cache is not None:
            yield from ((REMEMBERED, str(each)) for each in member.cache.stale)
    yield from _odd_assumptions(loop)
    for pod in loop.api.pods():
        if loop.api.bound.get(pod.uid, "") != pod.node_name:
            yield ONCE, f"pod {pod.key} is on {pod.node_name or 'no node'}, but was bound elsewhere"
    yield from ((NEWS, str(problem)) for problem in loop.problems)
    yield from ((ONCE, seen) for seen in loop.api.broken)
    yield from ((IN_TIME, seen) for seen in loop.late)


def complaints_once_quiet(loop: Loop) -> Iterator[Complaint]:
    """Let everything end, without any more faults, and look for what is left over."""
    loop.faults.planned.clear()
    loop.dead.clear()
    if not _falls_quiet(loop):
        yield QUIET, "pods are still tried, bound and evicted after an hour"
        return
    yield from complaints(loop)
    for pod in loop.cluster.pods.values():
        if loop.cluster.is_assumed(pod):
            yield NOTHING_LEFT, f"pod {pod.key} is still assumed on {pod.node_name}"
    there, known = {pod.key: pod for pod in loop.api.pods()}, _known(loop)
    for key in sorted({*there, *known}):
        if there.get(key) != known.get(key):
            yield NEWS, f"pod {key} is {there.get(key)!r}, but known as {known.get(key)!r}"
    for member in loop.members:
        yield from _left_over(loop, member)


def _falls_quiet(loop: Loop) -> bool:
    still = 0
    for _ in range(_MOST_MINUTES):
        got_anywhere = _settle(loop)
        if got_anywhere is None:
            return False
        still = 0 if got_anywhere else still + 1
        if still > LONGEST_WAIT:
            return True
    return False


def _settle(loop: Loop) -> bool | None:
    """Let all go on until nobody has anything to do for a while.

    Returns:
        Whether they got anywhere; None if they never have nothing to do.
    """
    for kind in range(len(KINDS)):
        loop.relist(kind)
    loop.hear_all()
    got_anywhere = False
    for _ in range(_MOST_ROUNDS):
        outcomes = [o for member in loop.members for o in member.scheduler.run_until_idle()]
        for outcome in outcomes:
            loop.tell_outcome(outcome)
            got_anywhere |= _gets_anywhere(outcome)
        _end_bindings(loop)
        _end_deletions(loop)
        loop.hear_all()
        if not outcomes:
            _let_a_minute_pass(loop)
            return got_anywhere
    return None


def _let_a_minute_pass(loop: Loop) -> None:
    loop.clock.advance(61)
    for member in loop.members:
        member.scheduler.keep_time()


def _end_bindings(loop: Loop) -> None:
    for member in loop.members:
        while member.elsewhere is not None and member.elsewhere.tasks:
            member.elsewhere.run(0)


def _end_deletions(loop: Loop) -> None:
    for pod in loop.api.pods():
        if pod.is_terminating:
            loop.api.remove(pod, tells_first_state=False)


def _left_over(loop: Loop, member: Member) -> Iterator[Complaint]:
    scheduler, queue = member.scheduler, member.scheduler.queue
    if under_way(scheduler) or futures_of(scheduler):
        yield NOTHING_LEFT, f"bindings are still under way: {under_way(scheduler)}"
    if member.outside.assumed_volumes:
        yield NOTHING_LEFT, f"volumes are still assumed: {member.outside.assumed_volumes}"
    outcomes = member.outside.outcomes
    ends = outcomes[Result.BOUND] + outcomes[Result.BINDING_REJECTED]
    ends += outcomes[Result.VOLUME_BINDING_FAILED]
    if member.elsewhere is not None and outcomes[Result.BINDING] != ends:
        yield NOTHING_LEFT, f"{outcomes[Result.BINDING]} bindings have begun, and {ends} have ended"
    for pod in [pod for node in loop.cluster.nodes for pod in queue.nominated_pods(node)]:
        if queue.part_of(pod) is None:
            yield NOTHING_LEFT, f"pod {pod.key} is still nominated, and does not wait"
    for key in {*remembered_attempts(scheduler)} - {*loop.cluster.pending}:
        yield NOTHING_LEFT, f"the attempts of pod {key} are still counted"
    for pod in queue.pending():
        yield from _waits_in_vain(member, pod)


def _waits_in_vain(member: Member, pod: Pod) -> Iterator[Complaint]:
    scheduler = member.scheduler
    plain = GenericScheduler(scheduler.cluster, scheduler.profile, select=FirstByName())
    try:
        decision = plain.schedule(pod)
    except KubeschedError:
        return
    yield NO_WAIT, f"pod {pod.key} waits, but it fits on node {decision.node}"


def _wrong_sums(loop: Loop) -> Iterator[Complaint]:
    for info in loop.cluster.snapshot().node_infos.values():
        there = [pod for pod in loop.cluster.pods.values() if pod.node_name == info.name]
        keys = sorted(pod.key for pod in there)
        if keys != sorted(info.pods):
            yield ONE_PLACE, f"{sorted(info.pods)} are counted on {info.name}, where {keys} are"
        asked = sum(map(_milli_cpu, there))
        if info.requested.milli_cpu != asked:
            given = info.requested.milli_cpu
            yield SUMS, f"node {info.name} gives away {given} thousandths of a core, not {asked}"


def _milli_cpu(pod: Pod) -> int:
    requests = (each.resources.requests for each in pod.spec.containers)
    return sum(each.get("cpu", Quantity(0)).milli_value() for each in requests)


def _lost_pods(loop: Loop, member: Member) -> Iterator[Complaint]:
    """Compare a queue with the pods that have to be in it: those that wait.

    Those that are being deleted may be left alone to go.
    """
    name, queue = member.scheduler.name, member.scheduler.queue
    waiting = [pod for pod in loop.cluster.pending.values() if is_for(pod, name)]
    expected = {p.key for p in waiting if not p.is_terminating or queue.part_of(p) is not None}
    there = {pod.key for pod in queue.pending()}
    for key in sorted(expected - there):
        yield ONE_PLACE, f"pod {key} waits, but it is not in the queue of {name}"
    for key in sorted(there - expected):
        yield ONE_PLACE, f"pod {key} is in the queue of {name}, but it does not wait"


def _odd_assumptions(loop: Loop) -> Iterator[Complaint]:
    """Look for assumed pods that are neither being bound, nor said to be bound and may expire."""
    bound_now = {key for member in loop.members for key in under_way(member.scheduler)}
    for key, assumed in assumptions_of(loop.cluster).items():
        is_bound = (assumed.pod.uid, assumed.pod.node_name) in loop.said_bound
        if not (key in bound_now if assumed.deadline is None else is_bound):
            yield ONE_PLACE, f"pod {key} is assumed on {assumed.pod.node_name}, but nobody binds it"


def _known(loop: Loop) -> dict[str, Pod]:
    return {**loop.cluster.pods, **ended_in(loop.cluster)}


def _gets_anywhere(outcome: Outcome) -> bool:
    """Tell whether a pod got a node, or somebody has to leave for it."""
    preemption = outcome.preemption
    return outcome.node is not None or (preemption is not None and preemption.node is not None)
