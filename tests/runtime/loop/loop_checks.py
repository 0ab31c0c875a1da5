"""What must be so in the loop's small world: between any two steps, and once it is quiet."""

from kubesched.errors import SchedulingError
from kubesched.model import Pod
from kubesched.runtime import Outcome, Result, Scheduler, is_for
from tests.runtime.loop.loop import KINDS, LONGEST_WAIT, Loop, Member


def check(loop: Loop) -> None:
    """Assert what holds between any two steps."""
    loop.cluster._check()
    _check_sums(loop)
    for member in loop.members:
        member.scheduler.queue._check()  # type: ignore[attr-defined]
        assert {p.key for p in member.scheduler.queue.pending()} == _waiting_for(loop, member)
    _check_assumed(loop)
    for pod in loop.api.pods():
        assert loop.api.bound.get(pod.uid, "") == pod.node_name
    assert loop.problems == []
    assert loop.api.broken == []


def fall_quiet(loop: Loop) -> None:
    """Let everything end, without any more faults, and assert that nothing is left over."""
    loop.faults.planned.clear()
    loop.dead.clear()
    still = 0
    for _ in range(60):
        still = 0 if _settle(loop) else still + 1
        if still > LONGEST_WAIT:
            break
    else:
        raise AssertionError("it never falls quiet")
    check(loop)
    assert not any(loop.cluster.is_assumed(pod) for pod in loop.cluster.pods.values())
    assert {pod.key: pod for pod in loop.api.pods()} == _known(loop)
    for member in loop.members:
        _check_nothing_left(loop, member)


def _settle(loop: Loop) -> bool:
    """Let all go on until nobody has anything to do for a while; tell if they got anywhere."""
    got_anywhere = False
    for kind in range(len(KINDS)):
        loop.relist(kind)
    loop.hear_all()
    for _ in range(100):
        outcomes = [o for m in loop.members for o in m.scheduler.run_until_idle()]
        for outcome in outcomes:
            loop.tell_outcome(outcome)
            got_anywhere |= _gets_anywhere(outcome)
        _end_bindings(loop)
        _end_deletions(loop)
        loop.hear_all()
        if not outcomes:
            break
    else:
        raise AssertionError("it never ends")
    loop.clock.advance(61)
    for member in loop.members:
        member.scheduler.keep_time()
    return got_anywhere


def _end_bindings(loop: Loop) -> None:
    for member in loop.members:
        while member.elsewhere is not None and member.elsewhere.tasks:
            member.elsewhere.run(0)


def _end_deletions(loop: Loop) -> None:
    for pod in loop.api.pods():
        if pod.is_terminating:
            loop.api.remove(pod, tells_first_state=False)


def _check_nothing_left(loop: Loop, member: Member) -> None:
    scheduler, queue = member.scheduler, member.scheduler.queue
    assert len(scheduler._bindings) == 0
    assert scheduler._bindings._futures == set()
    assert member.outside.assumed_volumes == {}
    outcomes = member.outside.outcomes
    ends = outcomes[Result.BOUND] + outcomes[Result.BINDING_REJECTED]
    ends += outcomes[Result.VOLUME_BINDING_FAILED]
    assert member.elsewhere is None or outcomes[Result.BINDING] == ends
    nominated = [pod for node in loop.cluster.nodes for pod in queue.nominated_pods(node)]
    assert all(queue.part_of(pod) for pod in nominated)
    assert {*queue._attempts._away} <= {*loop.cluster.pending}  # type: ignore[attr-defined]
    for pod in queue.pending():
        assert not _fits(scheduler, pod)


def _fits(scheduler: Scheduler, pod: Pod) -> bool:
    try:
        scheduler._algorithm.schedule(pod)
    except (SchedulingError, TypeError):
        return False
    return True


def _check_sums(loop: Loop) -> None:
    for info in loop.cluster.snapshot().node_infos.values():
        there = [p for p in loop.cluster.pods.values() if p.node_name == info.name]
        asked = [p.spec.containers[0].resources.requests["cpu"].value() for p in there]
        assert {p.key for p in there} == set(info.pods)
        assert info.requested.milli_cpu == 1000 * sum(asked)


def _waiting_for(loop: Loop, member: Member) -> set[str]:
    """Return who has to be in a queue: those who wait, and not those left alone to go."""
    name, queue = member.scheduler.name, member.scheduler.queue
    waiting = [pod for pod in loop.cluster.pending.values() if is_for(pod, name)]
    return {p.key for p in waiting if not p.is_terminating or queue.part_of(p) is not None}


def _check_assumed(loop: Loop) -> None:
    """Assert that each assumed pod is being bound, or is said to be bound and may expire."""
    bindings = (member.scheduler._bindings for member in loop.members)
    under_way = {each.assumed.key for some in bindings for each in some._under_way}
    for key, assumed in loop.cluster._pods.assumed.items():
        is_bound = (assumed.pod.uid, assumed.pod.node_name) in loop.said_bound
        assert key in under_way if assumed.deadline is None else is_bound


def _known(loop: Loop) -> dict[str, Pod]:
    return {**loop.cluster.pods, **loop.cluster._pods.ended}


def _gets_anywhere(outcome: Outcome) -> bool:
    """Tell whether a pod got a node, or somebody has to leave for it."""
    preemption = outcome.preemption
    return outcome.node is not None or (preemption is not None and preemption.node is not None)
