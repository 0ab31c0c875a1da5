"""The whole life of our queues, beside a plain list."""

from hypothesis import settings

from kubesched.model import Pod
from kubesched.runtime import FIFO, Clock, PriorityQueue
from kubesched.testing.machines.insides import check_inside
from kubesched.testing.machines.naive_queue import NaiveFIFO, NaiveQueue
from kubesched.testing.machines.queue_machine import QueueMachine


def wants(pod: Pod, other: Pod) -> bool:
    """Tell what the terms of the machine's pods say, without a selector."""
    affinity = pod.spec.affinity
    terms = affinity.pod_affinity.required if affinity and affinity.pod_affinity else ()
    wanted = [term.label_selector.match_labels["app"] for term in terms if term.label_selector]
    return other.labels.get("app") in wanted


class PlainQueue(NaiveQueue):
    """A model that has nothing in common with the queue, not even selectors."""

    def helps(self, assigned: Pod, waiting: Pod) -> bool:
        assert super().helps(assigned, waiting) == wants(waiting, assigned)
        return wants(waiting, assigned)


class PriorityQueueBesideList(QueueMachine):
    def make_queue(self, clock: Clock) -> PriorityQueue:
        return PriorityQueue(clock)

    def make_model(self) -> NaiveQueue:
        return PlainQueue()

    def look_inside(self) -> None:
        check_inside(self.queue)


class FIFOBesideList(QueueMachine):
    def make_queue(self, clock: Clock) -> FIFO:
        return FIFO(clock)

    def make_model(self) -> NaiveQueue:
        return NaiveFIFO()

    def look_inside(self) -> None:
        check_inside(self.queue)


PriorityQueueBesideList.TestCase.settings = settings(
    PriorityQueueBesideList.TestCase.settings, max_examples=100, stateful_step_count=50
)
FIFOBesideList.TestCase.settings = settings(
    FIFOBesideList.TestCase.settings, max_examples=50, stateful_step_count=50
)
TestPriorityQueueBesideList = PriorityQueueBesideList.TestCase
TestFIFOBesideList = FIFOBesideList.TestCase
