"""The whole life of a scheduling queue, beside a plain list."""

from typing import ClassVar, Final, TypeVar

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from kubesched.builders import pod as make_pod
from kubesched.model import Affinity, LabelSelector, Pod, PodAffinity, PodAffinityTerm
from kubesched.runtime import Clock, ManualClock, QueuedPod, SchedulingQueue
from kubesched.testing.machines.drawing import DrawsFromMethods, from_method, often
from kubesched.testing.machines.naive_queue import NaiveQueue, QueueEntry
from kubesched.testing.machines.promises import Promise, PromiseMachine

T = TypeVar("T")

NONE_LOST: Final = Promise(
    "none lost", "Every pod that came in waits until it is popped or deleted, and no other does."
)
LATEST: Final = Promise("latest", "A pod that waits is known as it was last seen.")
PARTS: Final = Promise(
    "parts", "A pod waits in the part where what has happened since it came puts it."
)
ORDER: Final = Promise("order", "Turns come in order.")
TIME: Final = Promise("time", "What time alone makes due is done, and neither sooner nor later.")
COUNTS: Final = Promise("counts", "Cycles, attempts and the time of coming in are counted.")
NOMINATIONS: Final = Promise(
    "nominations", "A node is promised until the promise is withdrawn or the pod is gone."
)

NODES: Final = ("n1", "n2")
_KEYS: Final = ("a", "b", "c", "d")
_APPS: Final = ("web", "db")


def _near(*apps: str) -> Affinity | None:
    terms = [
        PodAffinityTerm(
            label_selector=LabelSelector(match_labels={"app": app}), topology_key="zone"
        )
        for app in apps
    ]
    return Affinity(pod_affinity=PodAffinity(required=terms)) if terms else None


_AFFINITIES: Final = (_near(), _near("web"), _near("db"), _near("web", "db"))


@st.composite
def queue_pods(draw: st.DrawFn) -> Pod:
    """Draw pods that differ in what queues look at; of few names, so that they often meet."""
    made = make_pod(
        draw(st.sampled_from(_KEYS)),
        priority=draw(st.sampled_from([None, 0, 10, -5])),
        labels=draw(st.sampled_from([{}, {"app": "web"}, {"app": "db"}])),
        affinity=draw(st.sampled_from(_AFFINITIES)),
    )
    return nominated(made, draw(st.sampled_from(["", "", *NODES])))


def nominated(pod: Pod, node_name: str) -> Pod:
    """Return a pod whose status says that it has been promised a node."""
    return evolve(pod, status=evolve(pod.status, nominated_node_name=node_name))


_pods: Final = from_method("pods")
_pods_often_known: Final = st.runner().flatmap(
    lambda machine: often(machine.model.pending(), machine.drawn_from("pods"))
)
_seconds: Final = st.sampled_from([0.0, 0.5, 1.0, 7.0, 30.0, 60.0])
_popped: Final = st.runner().flatmap(lambda machine: st.sampled_from(sorted(machine.popped)))


class QueueMachine(DrawsFromMethods, PromiseMachine):
    """Let the same happen to a queue and to a plain list; after each step they have to agree.

    Override `make_queue`, and `make_model` if yours is not to do as `PriorityQueue` does:

    >>> from kubesched.runtime import PriorityQueue
    >>> class MyQueueMachine(QueueMachine):
    ...     def make_queue(self, clock):
    ...         return PriorityQueue(clock)
    >>> TestMyQueue = MyQueueMachine.TestCase

    Add rules for what your queue can do beside, and override `look_inside` if it can check itself.
    Blocking is not tried here: `check_queue` does so, too.

    Attributes:
        clock: the queue's clock; it stands still but for a rule.
        queue: the queue.
        model: the plain list.
        popped: pods that are being tried, by key.
        seen: all pods that were ever mentioned, by key.
    """

    promises: ClassVar[tuple[Promise, ...]] = (
        NONE_LOST,
        LATEST,
        PARTS,
        ORDER,
        TIME,
        COUNTS,
        NOMINATIONS,
    )

    draws: ClassVar[tuple[str, ...]] = ("pods",)

    def __init__(self) -> None:
        """Make the queue and its model."""
        super().__init__()
        self.clock = ManualClock()
        self.queue = self.make_queue(self.clock)
        self.model = self.make_model()
        self.whose = type(self.queue).__name__
        self.popped: dict[str, QueuedPod] = {}
        self.seen: dict[str, Pod] = {}
        self.get_ready_to_draw()

    # -- what to override ----------------------------------------------------------------------

    def make_queue(self, clock: Clock) -> SchedulingQueue:
        """Return a new, empty queue that goes by this clock."""
        raise NotImplementedError("override make_queue, and return a queue that goes by the clock")

    def make_model(self) -> NaiveQueue:
        """Return what the queue is held against."""
        return NaiveQueue()

    def pods(self) -> st.SearchStrategy[Pod]:
        """Return what to draw pods from."""
        return queue_pods()

    def look_inside(self) -> None:
        """Let the queue check itself, if it can."""

    # -- in and out ----------------------------------------------------------------------------

    @rule(pod=_pods_often_known)
    def add(self, pod: Pod) -> None:
        """A pod is new, or to be tried again at once."""
        self._see(pod)
        self.queue.add(pod)
        self.model.add(pod)

    @rule()
    def pop(self) -> None:
        """The next pod is taken."""
        popped = self.queue.pop(block=False)
        expected = self._turn(popped)
        if popped is None or expected is None:
            self._compare_turn(popped, expected)
            return
        self.compare(ORDER, "the pod that pop() gave", popped.pod.key, expected.pod.key)
        self.compare(LATEST, f"{popped.pod.key} as pop() gave it", popped.pod, expected.pod)
        counts = popped.added_at, popped.attempts, popped.cycle
        right = expected.added_at, expected.attempts, self.model.cycle
        self.compare(COUNTS, f"(added_at, attempts, cycle) of {popped.pod.key}", counts, right)
        self.popped[popped.pod.key] = popped

    def _turn(self, popped: QueuedPod | None) -> QueueEntry | None:
        """Take the pod out of the list whose turn it is; which it is may not be asked for."""
        in_time = self.asks_for(TIME)
        if popped is None:
            return self.model.pop() if in_time else None
        if self.asks_for(ORDER):
            return self.model.pop()
        self.model.flush()
        is_due = self.model.part_of(popped.pod) == "active"
        return self.model.let_out(popped.pod) if is_due or not in_time else None

    def _compare_turn(self, popped: QueuedPod | None, expected: QueueEntry | None) -> None:
        if popped is not None:
            self.complain(TIME, f"pop() gave {popped.pod.key} before its turn has come")
        elif expected is not None:
            self.complain(TIME, f"pop() gave nothing, but it is the turn of {expected.pod.key}")

    @precondition(lambda self: self.popped)
    @rule(key=_popped)
    def come_back(self, key: str) -> None:
        """A pod that is being tried finds no place."""
        queued = self.popped.pop(key)
        self.queue.add_unschedulable(queued.pod, queued.cycle)
        self.model.add_unschedulable(queued.pod, queued.cycle)

    @precondition(lambda self: self.popped)
    @rule()
    def all_come_back(self) -> None:
        """All that are being tried find no place, and were tried in the last cycle."""
        for queued in self.popped.values():
            self.queue.add_unschedulable(queued.pod, self.model.cycle)
            self.model.add_unschedulable(queued.pod, self.model.cycle)
        self.popped.clear()

    @rule(pod=_pods, ago=st.integers(0, 2))
    def come_from_nowhere(self, pod: Pod, ago: int) -> None:
        """A pod that nobody knows found no place some cycles ago."""
        self._see(pod)
        self.queue.add_unschedulable(pod, self.model.cycle - ago)
        self.model.add_unschedulable(pod, self.model.cycle - ago)

    @rule(pod=_pods_often_known)
    def delete(self, pod: Pod) -> None:
        """A pod is gone or bound."""
        self._see(pod)
        self.queue.delete(pod)
        self.model.delete(pod)

    # -- what happens to pods ------------------------------------------------------------------

    @rule(pod=_pods_often_known, becomes=_pods)
    def update(self, pod: Pod, becomes: Pod) -> None:
        """A pod changes in whatever way."""
        before = self._known_as(pod)
        metadata = evolve(becomes.metadata, name=pod.name, namespace=pod.namespace)
        self._update(before, evolve(becomes, metadata=metadata))

    @rule(pod=_pods_often_known, node_name=st.sampled_from(["", *NODES]))
    def update_status(self, pod: Pod, node_name: str) -> None:
        """The status alone of a pod changes."""
        before = self._known_as(pod)
        metadata = evolve(before.metadata, resource_version="2", generation=3)
        self._update(before, nominated(evolve(before, metadata=metadata), node_name))

    def _update(self, before: Pod, after: Pod) -> None:
        self._see(after)
        self.queue.update(before, after)
        self.model.update(before, after)

    def _known_as(self, pod: Pod) -> Pod:
        entry = self.model.find(pod)
        return entry.pod if entry else pod

    def _see(self, pod: Pod) -> None:
        self.seen.setdefault(pod.key, pod)

    @rule(pod=_pods_often_known, node_name=st.sampled_from(NODES))
    def nominate(self, pod: Pod, node_name: str) -> None:
        """A pod is promised a node."""
        self._see(pod)
        self.queue.nominate(pod, node_name)
        self.model.nominate(pod, node_name)

    @rule(pod=_pods_often_known)
    def withdraw_nomination(self, pod: Pod) -> None:
        """A pod is no longer promised any node."""
        self._see(pod)
        self.queue.withdraw_nomination(pod)
        self.model.withdraw_nomination(pod)

    # -- what may help -------------------------------------------------------------------------

    @rule()
    def move_all(self) -> None:
        """Something happens that may help any pod."""
        self.queue.move_all()
        self.model.move(lambda _: True)

    @rule(pod=_pods, is_new=st.booleans())
    def assigned(self, pod: Pod, *, is_new: bool) -> None:
        """A pod on a node is new or has changed, which may help those that want to be near it."""
        tell = self.queue.assigned_pod_added if is_new else self.queue.assigned_pod_updated
        tell(pod)
        self.model.move(lambda waiting: self.model.helps(pod, waiting))

    @rule(seconds=_seconds)
    def let_time_pass(self, seconds: float) -> None:
        """Time passes, and nothing is told to the queue."""
        self.clock.advance(seconds)
        self.model.now += seconds

    @rule(seconds=_seconds)
    def flush(self, seconds: float) -> None:
        """Time passes, and what it makes due is done."""
        self.let_time_pass(seconds)
        self.queue.flush()
        self.model.flush()
        at, now = self.queue.next_flush_at(), self.clock.now()
        if at is not None and at <= now:
            self.complain(TIME, f"flush() left something that was due at {at:g}, and it is {now:g}")

    @rule()
    def let_all_out(self) -> None:
        """So much time passes that all may be tried; each of them is, and then none is left."""
        self.let_time_pass(max(self.model.backoff.longest, self.model.left_alone))
        for _ in range(len(self.model.entries)):
            self.pop()
            self.it_is_as_promised()
        if not self.model.entries and (more := self.queue.pop(block=False)) is not None:
            self.complain(NONE_LOST, f"pop() gave {more.pod.key}, though none is left")

    # -- what must be so -----------------------------------------------------------------------

    @invariant()
    def it_is_as_promised(self) -> None:
        """Compare the queue with its model, in all that can be asked."""
        self._compare_pods()
        self._compare_times()
        for node_name in NODES:
            promised, expected = (
                [pod.key for pod in each.nominated_pods(node_name)]
                for each in (self.queue, self.model)
            )
            self.compare(NOMINATIONS, f"nominated_pods({node_name!r})", promised, expected)
        self.look_inside()

    def _compare_pods(self) -> None:
        queue, model = self.queue, self.model
        there, expected = queue.pending(), model.pending()
        keys = [pod.key for pod in there]
        self.compare(NONE_LOST, "pending(), sorted", sorted(keys), sorted(p.key for p in expected))
        self.compare(NONE_LOST, "len()", len(queue), len(expected))
        for pod in self.seen.values():
            part, expected_part = queue.part_of(pod), model.part_of(pod)
            promise = PARTS if part and expected_part else NONE_LOST
            self.compare(promise, f"part_of({pod.key})", part, expected_part)
        self.compare(ORDER, "pending()", keys, [pod.key for pod in expected])
        latest = {pod.key: pod for pod in expected}
        for pod in there:
            self.compare(LATEST, f"{pod.key} in pending()", pod, latest.get(pod.key, pod))

    def _compare_times(self) -> None:
        self.compare(COUNTS, "cycle", self.queue.cycle, self.model.cycle)
        seen, expected = self.queue.next_flush_at(), self.model.next_flush_at()
        self.compare(TIME, "next_flush_at()", seen, expected)
