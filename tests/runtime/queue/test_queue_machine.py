"""The whole life of queues, beside a plain list."""

from typing import TypeAlias

from attrs import evolve
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kubesched.builders import pod as make_pod
from kubesched.model import Affinity, LabelSelector, Pod, PodAffinity, PodAffinityTerm
from kubesched.runtime import FIFO, ManualClock, PriorityQueue, QueuedPod
from tests.runtime.queue.naive_queue import NaiveQueue

APPS = ("web", "db")
NODES = ("n1", "n2")
KEYS = ("a", "b", "c", "d", "e", "f")

Queue: TypeAlias = PriorityQueue | FIFO


def near(*apps: str) -> Affinity:
    terms = tuple(
        PodAffinityTerm(
            label_selector=LabelSelector(match_labels={"app": app}), topology_key="zone"
        )
        for app in apps
    )
    return Affinity(pod_affinity=PodAffinity(required=terms))


AFFINITIES = (None, near("web"), near("db"), near("web", "db"))


@st.composite
def pods(draw: st.DrawFn) -> Pod:
    made = make_pod(
        draw(st.sampled_from(KEYS)),
        priority=draw(st.sampled_from([None, 0, 10, -5])),
        labels=draw(st.sampled_from([{}, {"app": "web"}, {"app": "db"}])),
        affinity=draw(st.sampled_from(AFFINITIES)),
    )
    return nominated(made, draw(st.sampled_from(["", "", *NODES])))


def nominated(pod: Pod, node_name: str) -> Pod:
    return evolve(pod, status=evolve(pod.status, nominated_node_name=node_name))


def wants(pod: Pod, other: Pod) -> bool:
    """Tell what the terms of the pods above say, without a selector."""
    affinity = pod.spec.affinity
    terms = affinity.pod_affinity.required if affinity and affinity.pod_affinity else ()
    wanted = [term.label_selector.match_labels["app"] for term in terms if term.label_selector]
    return other.labels.get("app") in wanted


class QueueBesideList(RuleBasedStateMachine):
    """Let the same happen to a queue and to its model."""

    kind: type[Queue]

    def __init__(self) -> None:
        super().__init__()
        self.clock = ManualClock()
        self.queue: Queue = self.kind(self.clock)
        self.model = NaiveQueue(has_priorities=self.kind is PriorityQueue)
        self.popped: dict[str, QueuedPod] = {}

    # -- in and out --------------------------------------------------------------------------------

    @rule(pod=pods())
    def add(self, pod: Pod) -> None:
        self.queue.add(pod)
        self.model.add(pod)

    @rule()
    def pop(self) -> None:
        popped, entry = self.queue.pop(block=False), self.model.pop()
        if entry is None:
            assert popped is None
        else:
            queued = QueuedPod(entry.pod, entry.added_at, entry.attempts, self.model.cycle)
            assert popped == queued
            self.popped[queued.pod.key] = queued

    @precondition(lambda self: self.popped)
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        queued = self.popped.pop(data.draw(st.sampled_from(sorted(self.popped))))
        self.queue.add_unschedulable(queued.pod, queued.cycle)
        self.model.add_unschedulable(queued.pod, queued.cycle)

    @precondition(lambda self: self.popped)
    @rule()
    def all_come_back(self) -> None:
        for queued in self.popped.values():
            self.queue.add_unschedulable(queued.pod, self.queue.cycle)
            self.model.add_unschedulable(queued.pod, self.model.cycle)
        self.popped.clear()

    @rule(pod=pods(), ago=st.integers(0, 2))
    def come_from_nowhere(self, pod: Pod, ago: int) -> None:
        self.queue.add_unschedulable(pod, self.queue.cycle - ago)
        self.model.add_unschedulable(pod, self.model.cycle - ago)

    @rule(pod=pods())
    def delete(self, pod: Pod) -> None:
        self.queue.delete(pod)
        self.model.delete(pod)

    # -- what happens to pods ----------------------------------------------------------------------

    @rule(pod=pods(), data=st.data())
    def update(self, pod: Pod, data: st.DataObject) -> None:
        before = self.known_as(pod)
        after = data.draw(pods().map(lambda other: evolve(other, metadata=pod.metadata)))
        may_help = (before.spec, before.labels) != (after.spec, after.labels)
        self.queue.update(before, after)
        self.model.update(before, after, may_help=may_help)

    @rule(pod=pods(), node_name=st.sampled_from(["", *NODES]))
    def update_status(self, pod: Pod, node_name: str) -> None:
        before = self.known_as(pod)
        metadata = evolve(before.metadata, resource_version="2", generation=3)
        after = nominated(evolve(before, metadata=metadata), node_name)
        self.queue.update(before, after)
        self.model.update(before, after, may_help=False)

    def known_as(self, pod: Pod) -> Pod:
        entry = self.model.find(pod)
        return entry.pod if entry else pod

    @rule(pod=pods(), node_name=st.sampled_from(NODES))
    def nominate(self, pod: Pod, node_name: str) -> None:
        self.queue.nominate(pod, node_name)
        self.model.nominate(pod, node_name)

    @rule(pod=pods())
    def withdraw_nomination(self, pod: Pod) -> None:
        self.queue.withdraw_nomination(pod)
        self.model.nominated.pop(pod.key, None)

    # -- what may help -----------------------------------------------------------------------------

    @rule()
    def move_all(self) -> None:
        self.queue.move_all()
        self.model.move(lambda _: True)

    @rule(pod=pods(), is_new=st.booleans())
    def assigned(self, pod: Pod, is_new: bool) -> None:  # noqa: FBT001
        tell = self.queue.assigned_pod_added if is_new else self.queue.assigned_pod_updated
        tell(pod)
        self.model.move(lambda it: wants(it, pod))

    @rule(seconds=st.sampled_from([0.0, 0.5, 1.0, 7.0, 30.0, 60.0]))
    def let_time_pass(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.model.now += seconds

    @rule()
    def flush(self) -> None:
        self.queue.flush()
        self.model.flush()
        next_flush_at = self.queue.next_flush_at()
        assert next_flush_at is None or next_flush_at > self.clock.now()

    # -- what always holds -------------------------------------------------------------------------

    @invariant()
    def the_queue_is_its_model(self) -> None:
        queue, model = self.queue, self.model
        queue._check()
        assert list(queue.pending()) == model.pending()
        assert len(queue) == len(model.entries)
        assert queue.cycle == model.cycle
        assert queue.next_flush_at() == model.next_flush_at()
        for pod in map(make_pod, KEYS):
            assert queue.part_of(pod) == model.part_of(pod)
        for node_name in NODES:
            assert list(queue.nominated_pods(node_name)) == model.nominated_pods(node_name)

    def teardown(self) -> None:
        """Let all out: each once."""
        self.clock.advance(60)
        self.model.now += 60
        while self.model.entries:
            self.pop()
            self.the_queue_is_its_model()
        assert self.queue.pop(block=False) is None


class PriorityQueueBesideList(QueueBesideList):
    kind: type[Queue] = PriorityQueue


class FIFOBesideList(QueueBesideList):
    kind: type[Queue] = FIFO


PriorityQueueBesideList.TestCase.settings = settings(max_examples=100, stateful_step_count=50)
FIFOBesideList.TestCase.settings = settings(max_examples=50, stateful_step_count=50)
TestPriorityQueueBesideList = PriorityQueueBesideList.TestCase
TestFIFOBesideList = FIFOBesideList.TestCase
