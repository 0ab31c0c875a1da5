"""Queues with mistakes are found out; ours, and honest ones of others, are not accused."""

from collections.abc import Callable, Collection
from functools import partial
from typing import ClassVar

import hypothesis
import pytest

from kubesched.builders import pod
from kubesched.errors import UnknownNameError
from kubesched.runtime import FIFO, Backoff, Clock, PriorityQueue, SchedulingQueue
from kubesched.testing.machines import queue_threads
from kubesched.testing.machines.check_queue import check_queue
from kubesched.testing.machines.naive_queue import NaiveFIFO, NaiveQueue
from kubesched.testing.machines.promises import PromiseBrokenError
from kubesched.testing.machines.queue_machine import QueueMachine
from kubesched.testing.machines.running import default_settings
from tests.testing.machines import broken_queues as broken
from tests.testing.machines.honest_queues import PlainList, SmallestFirst, SmallestFirstModel

FEW = hypothesis.settings(default_settings(), max_examples=6)
SURE = hypothesis.settings(default_settings(), derandomize=True)
UNSHRUNK = hypothesis.settings(SURE, phases=[hypothesis.Phase.generate])

MISTAKES: dict[type[PriorityQueue], set[str]] = {
    broken.LosesWhatChanges: {"none lost"},
    broken.LosesOneOfTheSameName: {"parts", "latest", "time", "counts", "order", "nominations"},
    broken.KeepsWhatIsGone: {"none lost"},
    broken.StarvesBackoff: {"time", "order", "parts"},
    broken.ForgetsTheLeftAlone: {"time"},
    broken.OldestLast: {"order"},
    broken.ForgetsMovesMeanwhile: {"parts", "time"},
    broken.LeaksNominations: {"nominations"},
    broken.ForgetsAttempts: {"counts", "time"},
    broken.ShowsStalePods: {"latest"},
}
"""Mistakes, and the promises of which one is broken first."""

WITH_THREADS = {
    broken.SleepsOn: "wakes",
    broken.NeverLetsGo: "closes",
    broken.LetsOutAfterTheEnd: "closes",
    broken.CountsWithoutALock: "threads",
}


@pytest.mark.parametrize(
    ("kind", "promises"), MISTAKES.items(), ids=[kind.__name__ for kind in MISTAKES]
)
def test_a_queue_with_a_mistake_is_found_out(kind: type[PriorityQueue], promises: set[str]) -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        check_queue(kind, settings=UNSHRUNK)
    assert caught.value.promise.name in promises
    assert caught.value.whose == kind.__name__


@pytest.mark.parametrize(
    ("kind", "promise"), WITH_THREADS.items(), ids=[kind.__name__ for kind in WITH_THREADS]
)
def test_one_that_threads_cannot_rely_on_is_found_out(
    kind: type[PriorityQueue], promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_threads, "PATIENCE", 0.5)
    with pytest.raises(PromiseBrokenError) as caught:
        check_queue(kind, settings=FEW)
    assert caught.value.promise.name == promise


@pytest.mark.parametrize(
    ("make_queue", "make_model"),
    [(FIFO, NaiveFIFO), (PlainList, NaiveQueue), (SmallestFirst, SmallestFirstModel)],
)
def test_an_honest_queue_is_not_accused(
    make_queue: Callable[..., SchedulingQueue], make_model: Callable[[], NaiveQueue]
) -> None:
    check_queue(make_queue, make_model=make_model, settings=FEW)


def test_it_is_told_what_was_seen_and_what_was_expected() -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        check_queue(broken.ForgetsTheLeftAlone, settings=UNSHRUNK)
    first, second = str(caught.value).splitlines()
    assert first == (
        "ForgetsTheLeftAlone breaks the promise 'time': "
        "What time alone makes due is done, and neither sooner nor later."
    )
    assert second.startswith("Here next_flush_at() is None, expected ")


def test_what_is_not_asked_for_may_be_broken() -> None:
    check_queue(broken.LeaksNominations, without=["nominations"], settings=FEW)
    check_queue(broken.SleepsOn, without=["wakes", "closes", "threads"], settings=FEW)


def test_a_queue_with_an_order_of_its_own_is_checked_for_the_rest() -> None:
    same_backoff = partial(NaiveQueue, backoff=Backoff(2.0, 10.0))
    check_queue(SmallestFirst, make_model=same_backoff, without=["order"], settings=FEW)


def machine_after_a_failure(
    make_queue: Callable[[Clock], SchedulingQueue], *less: str
) -> QueueMachine:
    """Return a machine in which a pod backs off, and to which some promises do not matter."""

    class Machine(QueueMachine):
        without: ClassVar[Collection[str]] = less

        def make_queue(self, clock: Clock) -> SchedulingQueue:
            return make_queue(clock)

    machine = Machine()
    machine.add(pod("web"))
    machine.pop()
    machine.move_all()
    machine.come_back("default/web")
    return machine


def test_a_queue_with_a_backoff_of_its_own_may_be_late() -> None:
    patient = partial(PriorityQueue, backoff=Backoff(3.0, 200.0))
    machine = machine_after_a_failure(patient, "order", "time", "parts")
    for seconds in (2.0, 1.0):
        machine.let_time_pass(seconds)
        machine.pop()
        machine.it_is_as_promised()
    assert machine.popped.keys() == {"default/web"}


def test_one_that_is_too_early_is_found_out_though_it_has_an_order_of_its_own() -> None:
    machine = machine_after_a_failure(broken.CannotWait, "order")
    with pytest.raises(PromiseBrokenError, match="before its turn has come") as caught:
        machine.pop()
    assert caught.value.promise.name == "time"


def test_only_promises_that_are_made_can_be_left_out() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'nominations'"):
        check_queue(PriorityQueue, without=["nomination"])


def test_a_machine_that_does_not_say_which_queue_says_what_is_missing() -> None:
    with pytest.raises(NotImplementedError, match="override make_queue"):
        QueueMachine()
