"""Several threads write while another one reads."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.model import Node, ObjectMeta, Pod, Service
from kubesched.state import Change, Cluster, Snapshot
from kubesched.testing.machines.pictures import picture_of_snapshot

WRITERS = range(3)
ROUNDS = range(40)
SHARED_NODES = [make_node(name, zone=name) for name in ("x", "y")]


@pytest.fixture(autouse=True)
def threads_that_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def all_at_once(task: Callable[[int], object]) -> None:
    """Run a task in one thread for each writer, and raise what it raises."""
    together = Barrier(len(WRITERS))

    def start(writer: int) -> None:
        together.wait()
        task(writer)

    with ThreadPoolExecutor(len(WRITERS)) as threads:
        for done in [threads.submit(start, writer) for writer in WRITERS]:
            done.result()


# -- one reader ------------------------------------------------------------------------------------


def pods_of(writer: int, turn: int) -> list[Pod]:
    names = (f"w{writer}-{turn}-{fate}" for fate in ("bound", "ended", "forgotten", "gone"))
    return [make_pod(name, cpu=1, host_ports=[writer + 1]) for name in names]


def live(cluster: Cluster, writer: int) -> None:
    """Take four pods a turn through their lives on a shared node, and a node of one's own along."""
    own = make_node(f"own-{writer}")
    for turn in ROUNDS:
        where = SHARED_NODES[turn % 2].name
        bound, ended, forgotten, gone = pods_of(writer, turn)
        cluster.add(own)
        for pod in (bound, ended, forgotten, gone):
            cluster.add(pod)
            cluster.assume(pod, where)
            cluster.finish_binding(pod, now=0)
        cluster.update(make_node(own.name, cpu=turn, zone=where))
        cluster.update(bound.bound_to(where))
        cluster.update(make_pod(ended.key, phase="Succeeded", node_name=where))
        cluster.forget(forgotten)
        cluster.add(gone.bound_to(where))
        cluster.remove(gone)
        cluster.remove(own)


def assert_consistent(snapshot: Snapshot) -> None:
    on_nodes = Counter(key for info in snapshot.node_infos.values() for key in info.pods)
    assert set(on_nodes.values()) <= {1}
    assert not on_nodes.keys() & snapshot.pending.keys()
    assert sorted(snapshot.order.round) == sorted(
        name for name, info in snapshot.node_infos.items() if info.node is not None
    )
    for info in snapshot.node_infos.values():
        assert info.is_shared
        info._check()


def read(cluster: Cluster, done: Event) -> int:
    """Take snapshots until the writers are done, and return how many differed."""
    last, held = cluster.snapshot(), list[tuple[Snapshot, dict[str, object]]]()
    while not done.is_set():
        snapshot = cluster.snapshot()
        if snapshot is not last:
            assert_consistent(snapshot)
            assert all(map(int.__ge__, snapshot.generations, last.generations))
            held.append((snapshot, picture_of_snapshot(snapshot)))
            last = snapshot
    for snapshot, picture in held:
        assert picture_of_snapshot(snapshot) == picture
    return len(held)


def test_each_snapshot_is_consistent_while_others_write() -> None:
    cluster, told, done = Cluster.of(SHARED_NODES), list[Change](), Event()
    cluster.subscribe(told.append)
    with ThreadPoolExecutor(1) as thread:
        reading = thread.submit(read, cluster, done)
        try:
            all_at_once(lambda writer: live(cluster, writer))
        finally:
            done.set()
        assert reading.result() > 0
    assert_is_what_all_lives_left(cluster)
    # A turn is 4 x (added, assumed), and own node added, updated, removed, and 5 ends.
    assert len(told) == len(WRITERS) * len(ROUNDS) * (4 * 2 + 3 + 5)


def assert_is_what_all_lives_left(cluster: Cluster) -> None:
    cluster._check()
    bound, pending = set[str](), set[str]()
    for writer in WRITERS:
        for turn in ROUNDS:
            first, _, third, _ = pods_of(writer, turn)
            bound.add(first.key)
            pending.add(third.key)
    assert cluster.nodes.keys() == {node.name for node in SHARED_NODES}
    assert cluster.pending.keys() == pending
    assert cluster.pods.keys() == bound | pending
    requested = sum(info.requested.milli_cpu for info in cluster.snapshot().node_infos.values())
    assert requested == 1000 * len(bound)


# -- who comes first -------------------------------------------------------------------------------


def races(change: Callable[[int, str], object]) -> Counter[str]:
    """Let all writers make the same changes, and count who was let through for each name."""
    won: list[str] = []

    def try_all(writer: int) -> None:
        for turn in ROUNDS:
            try:
                change(writer, f"x{turn}")
            except ClusterError:
                continue
            won.append(f"x{turn}")

    all_at_once(try_all)
    return Counter(won)


ONCE = Counter(f"x{turn}" for turn in ROUNDS)


def test_a_pod_is_assumed_by_one_of_many() -> None:
    cluster = Cluster.of(make_pod(name) for name in ONCE)
    assert races(lambda writer, name: cluster.assume(make_pod(name), f"n{writer}")) == ONCE
    cluster._check()


def test_a_node_is_added_and_removed_by_one_of_many() -> None:
    cluster = Cluster()
    assert races(lambda _writer, name: cluster.add(make_node(name))) == ONCE
    assert races(lambda _writer, name: cluster.remove(make_node(name))) == ONCE
    cluster._check()


def test_an_object_is_added_and_removed_by_one_of_many() -> None:
    def service(name: str) -> Service:
        return Service(metadata=ObjectMeta(name=name))

    cluster = Cluster()
    assert races(lambda _writer, name: cluster.add(service(name))) == ONCE
    assert races(lambda _writer, name: cluster.remove(service(name))) == ONCE
    assert len(cluster.of_kind(Service)) == 0


def test_copies_are_written_to_without_each_other() -> None:
    cluster = Cluster.of([*SHARED_NODES, *(make_pod(name) for name in ONCE)])
    copies = [cluster.copy() for _ in WRITERS]
    before = picture_of_snapshot(cluster.snapshot())

    def fill(writer: int) -> None:
        for name in ONCE:
            copies[writer].assume(make_pod(name), SHARED_NODES[writer % 2].name)

    all_at_once(fill)
    assert picture_of_snapshot(cluster.snapshot()) == before
    for copy in copies:
        copy._check()
        assert not copy.pending
    nodes: list[Node] = [*cluster.nodes.values()]
    assert nodes == SHARED_NODES
