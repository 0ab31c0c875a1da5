"""The cluster may be written to from other threads while a decision is made."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Event, Thread

import pytest
from attrs import evolve

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine import Decision, FitError, GenericScheduler, RoundRobin
from kubesched.errors import ClusterError
from kubesched.framework import RuleSet
from kubesched.model import Pod
from kubesched.state import Cluster, Snapshot
from kubesched.testing.machines.pictures import picture_of_snapshot

DECISIONS = 40
NODES = 24
SECONDS = 60
"""How long a test waits for a thread before it gives up."""


@pytest.fixture(autouse=True)
def threads_that_take_turns_often() -> Iterator[None]:
    """Let threads interrupt each other as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def come_and_go_pods(cluster: Cluster, turn: int) -> None:
    """Put pods on nodes and take them off again."""
    placed = pod(f"busy-{turn}", cpu=1, host_ports=[80], node_name=f"n{turn % NODES}")
    cluster.add_pod(placed)
    cluster.update_pod(evolve(placed, metadata=evolve(placed.metadata, labels={"turn": "2"})))
    cluster.remove_pod(placed)


def come_and_go_nodes(cluster: Cluster, turn: int) -> None:
    """Let nodes come, change and go."""
    made = node(f"m{turn % 3}", cpu=turn % 5, zone="east")
    cluster.add_node(made)
    cluster.update_node(node(made.name, cpu=turn % 5, zone="west", images={"web:1": 10**9}))
    cluster.remove_node(made)


def assume_and_forget(cluster: Cluster, turn: int) -> None:
    """Assume pods and forget them, as a binder that fails does."""
    waiting = pod(f"waiting-{turn}", cpu=1)
    cluster.add_pod(waiting)
    cluster.forget(cluster.assume(waiting, f"n{turn % NODES}"))
    cluster.remove_pod(waiting)


WRITERS = (come_and_go_pods, come_and_go_nodes, assume_and_forget)


@contextmanager
def written_to(
    cluster: Cluster, writers: tuple[Callable[[Cluster, int], None], ...] = WRITERS
) -> Iterator[None]:
    """Have other threads write to the cluster meanwhile; what they raise comes at the end."""
    stop, errors, turns = Event(), list[Exception](), list[int]()

    def write(writer: Callable[[Cluster, int], None]) -> None:
        try:
            for turn in count():
                writer(cluster, turn)
                if stop.is_set():
                    turns.append(turn)
                    return
        except Exception as error:  # noqa: BLE001 - it is raised below
            errors.append(error)

    threads = [Thread(target=write, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(SECONDS)
    assert not errors, errors
    assert len(turns) == len(threads)


def crowd() -> Cluster:
    return Cluster.of(
        [
            *(node(f"n{index}", cpu=2, zone=f"z{index % 3}") for index in range(NODES)),
            *(pod(f"p{index}", cpu=index % 3, node_name=f"n{index}") for index in range(NODES)),
        ]
    )


def blocking(rules: RuleSet) -> RuleSet:
    return RuleSet(
        [evolve(spec, blocks=True) for spec in rules.predicates],
        [evolve(spec, blocks=True) for spec in rules.priorities],
        rules.options,
    )


ASKED = pod("asked", cpu=1, host_ports=[80])


@pytest.mark.parametrize(
    "rules", [Profile.default(), blocking(Profile.default())], ids=["plain", "blocking"]
)
def test_a_decision_is_that_of_its_snapshot_whatever_happens_meanwhile(rules: RuleSet) -> None:
    cluster = crowd()
    made: list[tuple[Snapshot, dict[str, object], Decision]] = []
    with written_to(cluster):
        for _ in range(DECISIONS):
            snapshot = cluster.snapshot()
            before = picture_of_snapshot(snapshot)
            fresh = GenericScheduler(cluster, rules, workers=4)
            made.append((snapshot, before, fresh.schedule(ASKED, snapshot)))
    cluster._check()
    for snapshot, before, decision in made:
        assert picture_of_snapshot(snapshot) == before
        again = GenericScheduler(cluster, rules, workers=4).schedule(ASKED, snapshot)
        assert decision.node == again.node
        assert decision.feasible == again.feasible
        assert decision.refusals == again.refusals
        assert decision.totals == again.totals
        assert {*decision.feasible, *decision.refusals} == {
            info.name for info in snapshot.node_infos.values() if info.node is not None
        }


def test_one_scheduler_goes_on_while_nodes_come_and_go() -> None:
    cluster = crowd()
    scheduler = GenericScheduler(cluster, Profile.default(), select=RoundRobin())
    with written_to(cluster):
        for turn in range(DECISIONS):
            decision = scheduler.schedule(pod(f"asked-{turn}"))
            assert decision.node in decision.feasible
            assert decision.totals[decision.node] == max(decision.totals.values())
            assert not {*decision.feasible} & {*decision.refusals}
    cluster._check()


def place_all(cluster: Cluster, pods: list[Pod], lost: list[Pod]) -> None:
    """Place pods; one for which there was no room any more when it was assumed is lost."""
    scheduler = GenericScheduler(cluster, Profile.default())
    for each in pods:
        try:
            cluster.assume(each, scheduler.schedule(each).node)
        except (FitError, ClusterError):
            lost.append(each)


def test_several_schedulers_may_place_pods_at_once() -> None:
    cluster = crowd()
    lost: list[Pod] = []
    batches = [[pod(f"team-{team}/p{index}") for index in range(15)] for team in range(3)]
    threads = [Thread(target=place_all, args=(cluster, batch, lost)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert lost == []
    assert all(cluster.is_assumed(each) for batch in batches for each in batch)
    cluster._check()
