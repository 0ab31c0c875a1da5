"""What threads may expect of a scheduling queue: those that wait for a pod, those that bring it.

Nothing is promised about how long anything takes. But who waits for ten seconds waits for ever.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Condition, Thread
from typing import Final, TypeAlias

from attrs import define, field

from kubesched.builders import pod
from kubesched.model import Pod
from kubesched.runtime import Clock, ManualClock, QueuedPod, SchedulingQueue
from kubesched.testing.machines.promises import Promise, PromiseBrokenError

MakeQueue: TypeAlias = Callable[[Clock], SchedulingQueue]
"""Makes a new, empty queue that goes by a clock."""

WAKES: Final = Promise("wakes", "Who waits for a pod gets it as soon as there is one.")
CLOSES: Final = Promise(
    "closes", "A closed queue lets out nothing, and lets go whoever waits for a pod."
)
THREADS: Final = Promise("threads", "Every method may be called from any thread.")

PATIENCE: Final = 10.0
"""Real seconds after which somebody waits for ever."""

_WEB: Final = pod("web")
_MANY: Final = 60
_HANDS: Final = 3
"""How many threads add many pods, and how many take them."""


@define(eq=False)
class Takers:
    """Threads that take pods until the queue is closed.

    Attributes:
        queue: the queue.
        hands: how many there are.
        taken: what they have taken.
        errors: what was raised instead.
        left: how many have not been let go yet.
    """

    queue: SchedulingQueue
    hands: int
    taken: list[QueuedPod] = field(factory=list, init=False)
    errors: list[Exception] = field(factory=list, init=False)
    left: int = field(init=False)
    _changed: Condition = field(factory=Condition, init=False)

    def __attrs_post_init__(self) -> None:
        self.left = self.hands
        for _ in range(self.hands):  # as daemons, for a bad queue never lets them go
            Thread(target=self._take_all, daemon=True).start()

    def _take_all(self) -> None:
        try:
            while (queued := self.queue.pop()) is not None:
                with self._changed:
                    self.taken.append(queued)
                    self._changed.notify_all()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            self.errors.append(error)
        with self._changed:
            self.left -= 1
            self._changed.notify_all()

    def have(self, count: int) -> bool:
        """Wait until they have taken so many; tell if they have."""
        return self._wait_for(lambda: len(self.taken) >= count or self.left == 0)

    def are_let_go(self) -> bool:
        """Wait until all are let go; tell if they are."""
        return self._wait_for(lambda: self.left == 0)

    def _wait_for(self, happens: Callable[[], bool]) -> bool:
        with self._changed:
            return self._changed.wait_for(happens, PATIENCE)

    def demand(self, promise: Promise, seen: str, *, holds: bool) -> None:
        """Raise if something is not as promised, or if anything was raised."""
        if self.errors:
            seen, holds = f"pop() raised {self.errors[0]!r}", False
        if not holds:
            self.queue.close()
            raise PromiseBrokenError(promise, type(self.queue).__name__, seen)


def check_wakes(make_queue: MakeQueue) -> None:
    """Check that who waits gets what is added, and what time makes ready."""
    clock = ManualClock()
    queue = make_queue(clock)
    takers = Takers(queue, 1)
    queue.add(_WEB)
    gets_it = takers.have(1)
    takers.demand(WAKES, "a thread waits for ever, though a pod was added", holds=gets_it)
    queue.move_all()
    queue.add_unschedulable(takers.taken[0].pod, takers.taken[0].cycle)
    due = queue.next_flush_at()
    clock.advance(0.0 if due is None else max(0.0, due - clock.now()))
    gets_it = takers.have(2)
    takers.demand(WAKES, "a thread waits for ever, though a backoff is over", holds=gets_it)
    queue.close()


def check_closes(make_queue: MakeQueue) -> None:
    """Check that all who wait are let go, and that nobody gets anything any more."""
    queue = make_queue(ManualClock())
    takers = Takers(queue, 2)
    queue.close()
    are_let_go = takers.are_let_go()
    takers.demand(CLOSES, "a thread waits for ever, though the queue is closed", holds=are_let_go)
    queue.add(_WEB)
    late = Takers(queue, 1)
    is_let_go = late.are_let_go()
    late.demand(CLOSES, "pop() waits for ever, though the queue is closed", holds=is_let_go)
    late.demand(CLOSES, "a closed queue let out a pod", holds=not late.taken)
    late.demand(CLOSES, "a pod that came after the end is not in the queue", holds=len(queue) == 1)


def check_threads(make_queue: MakeQueue) -> None:
    """Check that of many pods, added by some threads, each goes to one of others."""
    queue, pods = make_queue(ManualClock()), [pod(f"p{number:02}") for number in range(_MANY)]
    takers = Takers(queue, _HANDS)
    with ThreadPoolExecutor(_HANDS) as pool:
        adding = [pool.submit(_add, queue, pods[start::_HANDS]) for start in range(_HANDS)]
    raised = [error for each in adding if (error := each.exception()) is not None]
    takers.demand(THREADS, f"add() raised {raised[:1]}", holds=not raised)
    takers.have(_MANY)
    queue.close()
    takers.are_let_go()
    names = sorted(queued.pod.name for queued in takers.taken)
    expected = [each.name for each in pods]
    takers.demand(THREADS, f"of {_MANY} pods these came out: {names}", holds=names == expected)
    cycles = sorted(queued.cycle for queued in takers.taken)
    numbered = cycles == [*range(1, _MANY + 1)]
    takers.demand(THREADS, f"the cycles of {_MANY} pods are {cycles}", holds=numbered)


def _add(queue: SchedulingQueue, pods: list[Pod]) -> None:
    for each in pods:
        queue.add(each)
