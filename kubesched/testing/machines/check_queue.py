"""Checking a scheduling queue of one's own."""

from collections.abc import Callable, Collection, Mapping
from typing import ClassVar, Final

import hypothesis

from kubesched.runtime import Clock, SchedulingQueue
from kubesched.testing.machines.naive_queue import NaiveQueue
from kubesched.testing.machines.promises import Promise, asked_for, left_out
from kubesched.testing.machines.queue_machine import QueueMachine
from kubesched.testing.machines.queue_threads import (
    CLOSES,
    THREADS,
    WAKES,
    MakeQueue,
    check_closes,
    check_threads,
    check_wakes,
)
from kubesched.testing.machines.running import run

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

_WITH_THREADS: Final[Mapping[Promise, Callable[[MakeQueue], None]]] = {
    WAKES: check_wakes,
    CLOSES: check_closes,
    THREADS: check_threads,
}


def check_queue(
    make_queue: MakeQueue,
    *,
    make_model: Callable[[], NaiveQueue] = NaiveQueue,
    without: Collection[str] = (),
    settings: hypothesis.settings | None = None,
) -> None:
    """Check that a scheduling queue keeps its promises, whatever happens to it.

    Pods come, are popped, come back, change and go, time passes and help comes, in arbitrary order;
    after each step the queue has to agree with a plain list. Then threads wait for pods. To add
    steps of your own, subclass `QueueMachine` instead.

    Args:
        make_queue: makes a new, empty queue that goes by the clock which it is given.
        make_model: makes what the queue is held against: a `NaiveQueue`, or a subclass that says
            what yours does otherwise.
        without: the names of promises that are not asked for. Without `order` pods may come out in
            any order; with another backoff also leave out `time` and `parts`, or say it in a model.
        settings: Hypothesis' settings.

    Raises:
        PromiseBrokenError: the queue does not keep a promise; the notes tell the smallest series of
            steps in which it does not.
        UnknownNameError: `without` names a promise that no queue makes.

    >>> from kubesched.runtime import FIFO
    >>> from kubesched.testing.machines.naive_queue import NaiveFIFO
    >>> few = hypothesis.settings(max_examples=5, deadline=None)
    >>> check_queue(FIFO, make_model=NaiveFIFO, settings=few)
    """
    asked = asked_for((*QueueMachine.promises, *_WITH_THREADS), without)
    run(_machine(make_queue, make_model, asked), settings)
    for promise, check in _WITH_THREADS.items():
        if promise.name in asked:
            check(make_queue)


def _machine(
    make: MakeQueue, model: Callable[[], NaiveQueue], asked: Collection[str]
) -> type[QueueMachine]:
    class Queue(QueueMachine):
        without: ClassVar[Collection[str]] = left_out(QueueMachine.promises, asked)

        def make_queue(self, clock: Clock) -> SchedulingQueue:
            return make(clock)

        def make_model(self) -> NaiveQueue:
            return model()

    return Queue
