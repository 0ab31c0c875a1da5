"""Threads that change a cluster all at once, while the loop schedules in one of its own.

    python tests/runtime/loop/loop_threads.py --pods 10000 --nodes 500

Prints how long it took, and fails if what the loop knows in the end is not what the log says.
"""

import argparse
import faulthandler
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from threading import Condition, Event as StopEvent, Thread
from typing import Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from attrs import define, evolve, field

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.config import Profile
from kubesched.model import Binding, KubeObject, ObjectMeta, Pod
from kubesched.runtime import ClusterFeed, FeedProblem, ManualClock, Outcome, Scheduler
from kubesched.state import Cluster
from kubesched.testing.machines.loop.api_model import ApiModel, Told

WRITERS: Final = 8
BINDERS: Final = 8
PATIENCE: Final = 60
"""Seconds without an end after which every thread's stack is shown and the process ends."""


@define(eq=False)
class SharedApi:
    """An API server for many threads: each write is logged, and then told by whoever wrote."""

    feed: ClusterFeed
    model: ApiModel = field(factory=ApiModel, init=False)
    log: list[Told] = field(factory=list, init=False)
    bound: Counter[str] = field(factory=Counter, init=False)
    failures: Random = field(factory=lambda: Random(1), init=False)  # noqa: S311 - no secret
    _lock: Condition = field(factory=Condition, init=False)

    def put(self, it: KubeObject) -> None:
        with self._lock:
            told = self.model.put(it)
            self.log.append(told)
        hear(self.feed, told)

    def delete(self, it: KubeObject) -> None:
        with self._lock:
            if (type(it), it.key) not in self.model.objects:
                return
            told = self.model.delete(type(it), it.key, tells_first_state=False)
            self.log.append(told)
        hear(self.feed, told)

    def label(self, metadata: ObjectMeta, text: str) -> None:
        """Change a label of a pod, whatever has become of it."""
        with self._lock:
            pod = self.model.objects.get((Pod, metadata.key))
            if pod is None:
                return
            labels = {**pod.metadata.labels, "label": text}
            told = self.model.put(evolve(pod, metadata=evolve(pod.metadata, labels=labels)))
            self.log.append(told)
        hear(self.feed, told)

    def bind(self, binding: Binding, /) -> None:
        """Bind a pod; one time in twenty that fails."""
        with self._lock:
            pod = self.model.objects.get((Pod, binding.key))
            if not isinstance(pod, Pod) or pod.uid != binding.uid or pod.node_name:
                raise LookupError(f"{binding.key} is gone or bound")
            if self.failures.random() < 0.05:
                raise TimeoutError(f"{binding.key} cannot be bound now")
            self.bound[pod.uid] += 1
            told = self.model.put(pod.bound_to(binding.target.name))
            self.log.append(told)
        hear(self.feed, told)

    def pods(self) -> dict[str, Pod]:
        with self._lock:
            return {it.key: it for it in self.model.of(Pod) if isinstance(it, Pod)}


def hear(feed: ClusterFeed, told: Told) -> None:
    """Let a feed hear what a watch says."""
    if told.type == "DELETED":
        feed.delete(told.it)
    else:
        feed.update(told.it)


def write(api: SharedApi, number: int, pods: int, nodes: int) -> None:
    """Do a writer's part: pods that come, change and go, and nodes that change."""
    chance = Random(number)  # noqa: S311 - no secret
    mine: list[Pod] = []
    for index in range(pods // WRITERS):
        made = make_pod(f"p{number}-{index}", cpu="100m", priority=chance.choice([0, 0, 5]))
        api.put(made)
        mine.append(made)
        if chance.random() < 0.2:
            api.label(chance.choice(mine).metadata, str(index))
        if chance.random() < 0.1:
            api.delete(mine.pop(chance.randrange(len(mine))))
        if chance.random() < 0.05:
            name = f"n{chance.randrange(nodes)}"
            api.put(make_node(name, cpu=64, labels={"touched-by": str(number)}))


@define(eq=False)
class Run:
    """What came of it.

    Attributes:
        api: what there was in the end, and the log of how it came so.
        cluster: what the loop knew.
        scheduler: the loop, stopped.
        problems: what was odd about the news.
        results: how attempts ended.
    """

    api: SharedApi
    cluster: Cluster
    scheduler: Scheduler
    problems: list[FeedProblem]
    results: Counter[str]


def watch() -> None:
    """Show where every thread is, and end, unless this is called again before long."""
    assert sys.__stderr__ is not None
    faulthandler.dump_traceback_later(PATIENCE, exit=True, file=sys.__stderr__)


def run(pods: int, nodes: int) -> Run:
    """Let all threads run until every pod is bound."""
    cluster, clock, problems = Cluster(), ManualClock(), list[FeedProblem]()
    feed = ClusterFeed(cluster, report=problems.append)
    api, stop = SharedApi(feed), StopEvent()
    for index in range(nodes):
        api.put(make_node(f"n{index}", cpu=64))
    results = Counter[str]()
    done = Condition()

    def observe(outcome: Outcome) -> None:
        with done:
            results[outcome.result] += 1
            if results.total() % 100 == 0:
                watch()
            done.notify_all()

    scheduler = Scheduler(
        cluster,
        Profile.default(),
        clock=clock,
        binder=api,
        binding_threads=BINDERS,
        observer=observe,
    )
    loop = Thread(target=scheduler.run, args=(stop,))
    loop.start()
    try:
        writers = [
            Thread(target=write, args=(api, number, pods, nodes)) for number in range(WRITERS)
        ]
        for each in writers:
            each.start()
        for each in writers:
            each.join()
        wait_until_all_are_bound(api, clock, done)
    finally:
        stop.set()
        loop.join()
    return Run(api, cluster, scheduler, problems, results)


def wait_until_all_are_bound(api: SharedApi, clock: ManualClock, done: Condition) -> None:
    """Let time pass while there are pods that wait."""
    while not all(pod.node_name for pod in api.pods().values()):
        with done:
            progress = done.wait(0.2)
        if not progress:  # those that failed have to wait for a minute
            clock.advance(10)


def replay(log: list[Told]) -> Cluster:
    """Return the cluster that comes of a log, told in order."""
    cluster = Cluster()
    feed = ClusterFeed(cluster)
    for told in log:
        hear(feed, told)
    return cluster


def check(it: Run) -> None:
    """Assert that the state is what the log says, and that nothing is left over."""
    it.cluster._check()
    assert it.problems == []
    assert picture(it.cluster) == picture(replay(it.api.log))
    assert it.cluster.pods == it.api.pods()
    assert len(it.scheduler._bindings) == 0
    assert it.scheduler.queue.pending() == ()
    assert set(it.api.bound.values()) <= {1}
    for info in it.cluster.snapshot().node_infos.values():
        assert info.requested.milli_cpu <= info.allocatable.milli_cpu


def picture(cluster: Cluster) -> dict[str, object]:
    """Return all that a cluster holds."""
    infos = cluster.snapshot().node_infos.values()
    return {
        "pods": dict(cluster.pods),
        "nodes": dict(cluster.nodes),
        "waiting": set(cluster.pending),
        "requested": {info.name: str(info.requested) for info in infos},
        "on nodes": {info.name: set(info.pods) for info in infos},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pods", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=500)
    asked = parser.parse_args()
    watch()
    since = time.perf_counter()
    it = run(asked.pods, asked.nodes)
    seconds = time.perf_counter() - since
    check(it)
    what = f"{asked.pods} pods, {asked.nodes} nodes, {len(it.api.log)} writes: {seconds:.1f} s"
    counts = ", ".join(f"{count} {result}" for result, count in sorted(it.results.items()))
    sys.stdout.write(f"{what}\n{counts}\n")


if __name__ == "__main__":
    main()
