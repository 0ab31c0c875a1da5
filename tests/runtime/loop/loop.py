"""Schedulers in a small world of which every step is commanded: the same commands, the same way.

A world tells all that happens in it as lines of text. What must be so in it is in `loop_checks`.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, TypeVar

from attrs import define, evolve, field

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.config import Profile
from kubesched.engine import EquivalenceCache
from kubesched.framework import FITS, Fit, PredicateSpec, Reason
from kubesched.model import Binding, KubeObject, Node, Pod
from kubesched.runtime import ClusterFeed, FeedProblem, ManualClock, Outcome, Scheduler
from kubesched.state import Change, Cluster, Facet, NodeInfo
from tests.runtime.api_model import Listed, Told
from tests.runtime.loop.loop_outside import Api, Elsewhere, Fault, Faults, Outside

T = TypeVar("T")

NAMES = ("default-scheduler", "batch-scheduler")
KINDS: tuple[type[KubeObject], ...] = (Node, Pod)
MOODS = ("good", "closed", "bad", "odd")
"""Of a node: whether a rule takes it, refuses it, fails on it or answers out of shape."""
BIND_TIMEOUT = 600.0
LATER = BIND_TIMEOUT + 1
MOST_PLANNED = 3
"""How many faults may wait for one step, lest quiet times end."""
LONGEST_WAIT = 3
"""Minutes after which a pod has been tried again, whatever it waits for."""
OVERTAKEN = 6
"""How many pieces of news may be overtaken by one."""


def mood(_pod: Pod, _meta: None, info: NodeInfo, /) -> Fit:
    """Do what the node's mood says."""
    match info.labels.get("mood"):
        case "closed":
            return Fit(Reason("closed"))
        case "bad":
            raise ValueError(f"{info.name} is in a bad mood")
        case "odd":
            return None  # type: ignore[return-value]  # it breaks the contract on purpose
        case _:
            return FITS


MOOD = PredicateSpec("Mood", mood, reads={Facet.LABELS}, blocks=True)


@define(eq=False)
class Member:
    """A scheduler and what it asks."""

    scheduler: Scheduler
    outside: Outside
    elsewhere: Elsewhere | None


@define(eq=False)
class Loop:
    """An API server, a watch that is not to be relied on, and schedulers that share one cluster.

    Attributes:
        workers: how many help each scheduler to decide.
        remembers: whether schedulers remember verdicts.
        elsewhere: whether pods are bound elsewhere, or before the next pod.
    """

    workers: int = 1
    remembers: bool = False
    elsewhere: bool = True
    clock: ManualClock = field(factory=ManualClock, init=False)
    counts: Counter[str] = field(factory=Counter, init=False)
    lines: deque[str] = field(factory=lambda: deque(maxlen=300), init=False)
    problems: list[FeedProblem] = field(factory=list, init=False)
    said_bound: set[tuple[str, str]] = field(factory=set, init=False)
    members: list[Member] = field(factory=list, init=False)
    dead: list[Elsewhere] = field(factory=list, init=False)
    lists: deque[Listed] = field(factory=lambda: deque(maxlen=8), init=False)
    delivered: deque[Told] = field(factory=lambda: deque(maxlen=8), init=False)
    api: Api = field(init=False)
    faults: Faults = field(init=False)
    cluster: Cluster = field(init=False)
    feed: ClusterFeed = field(init=False)
    _digest: Any = field(factory=sha256, init=False)

    def __attrs_post_init__(self) -> None:
        self.api = Api(self.tell)
        self.faults = Faults(self._hang, self.hear_all)
        self._start()

    # -- what is told --------------------------------------------------------------------------

    def tell(self, line: str) -> None:
        self.lines.append(line)
        self._digest.update(line.encode() + b"\n")

    @property
    def digest(self) -> str:
        """A number for all that has been told."""
        return str(self._digest.hexdigest())

    # -- the cluster ---------------------------------------------------------------------------

    def put_pod(self, number: int, cpu: int, priority: int, kind: int) -> None:
        """Create a pod, unless there is one of its name; its kind decides about the rest."""
        made = make_pod(
            f"p{number}",
            cpu=cpu,
            priority=priority,
            scheduler_name=NAMES[kind % 2],
            labels={"volumes": "yes"} if kind // 2 % 2 else {},
            requests={"example.com/gpu": 0} if kind // 4 % 2 else {},
        )
        if (Pod, made.key) not in self.api.model.objects:
            self.api.put(made)

    def change_pod(self, at: int, label: int) -> None:
        """Change the labels of a pod."""
        for pod in self._pick(self.api.pods(), at):
            labels = {**pod.labels, "label": str(label)}
            self.api.put(evolve(pod, metadata=evolve(pod.metadata, labels=labels)))

    def delete_pod(self, at: int, *, at_once: bool) -> None:
        """Delete a pod; if it takes time, this begins or ends it."""
        for pod in self._pick(self.api.pods(), at):
            if at_once or pod.is_terminating:
                self.api.remove(pod, tells_first_state=at_once)
            else:
                self.api.begin_deletion(pod.metadata)

    def end_pod(self, at: int) -> None:
        """Let a pod that is on a node end."""
        running = [pod for pod in self.api.pods() if pod.node_name]
        for pod in self._pick(running, at):
            self.api.put(evolve(pod, status=evolve(pod.status, phase="Succeeded")))

    def put_node(self, number: int, cpu: int, mood: int) -> None:
        """Create or change a node."""
        self.api.put(make_node(f"n{number}", cpu=cpu, labels={"mood": MOODS[mood]}))

    def remove_node(self, number: int) -> None:
        """Take a node away, and the pods on it."""
        node = self.api.model.objects.get((Node, f"n{number}"))
        if node is not None:
            self.api.remove(node, tells_first_state=True)
            for pod in self.api.pods():
                if pod.node_name == node.name:
                    self.api.remove(pod, tells_first_state=True)

    # -- the watch -----------------------------------------------------------------------------

    def deliver(self, at: int) -> None:
        """Let the schedulers hear a piece of news."""
        for told in self._take_news(at):
            self.delivered.append(told)
            self._hear(told)

    def deliver_all(self, _at: int) -> None:
        self.hear_all()

    def deliver_again(self, at: int) -> None:
        for told in self._pick(list(self.delivered), at):
            self._hear(told)

    def lose(self, at: int) -> None:
        """Let a piece of news be lost; nobody knows until the next list."""
        for _ in self._take_news(at):
            pass

    def relist(self, kind: int) -> None:
        """List all objects of a kind."""
        listed = self.api.list_all(KINDS[kind])
        self.lists.append(listed)
        self.feed.relist(listed.kind, listed.objects, resource_version=listed.version)

    def relist_late(self, at: int) -> None:
        """Let an old list arrive again."""
        for listed in self._pick(list(self.lists), at):
            self.feed.relist(listed.kind, listed.objects, resource_version=listed.version)

    # -- the schedulers ------------------------------------------------------------------------

    def schedule_one(self, at: int) -> None:
        """Let one of the schedulers do its work."""
        scheduler = self._member(at).scheduler
        self.tell_outcome(scheduler.schedule_one(block=False))
        self._check_time_is_kept(scheduler)

    def schedule_all(self, at: int) -> None:
        """Let one of the schedulers work until it has nothing to do."""
        for outcome in self._member(at).scheduler.run_until_idle():
            self.tell_outcome(outcome)

    def bind_one(self, at: int) -> None:
        """Let a binding that is under way go on to its end."""
        elsewhere = self._member(at).elsewhere
        if elsewhere is not None and elsewhere.tasks:
            elsewhere.run(at // 2 % len(elsewhere.tasks))

    def let_time_pass(self, seconds: float) -> None:
        self.clock.advance(seconds)

    def keep_time(self, at: int) -> None:
        self._member(at).scheduler.keep_time()
        self._check_time_is_kept(self._member(at).scheduler)

    def plan(self, step: str, fault: Fault) -> None:
        """Have something go wrong the next time."""
        if len(self.faults.planned.get(step, ())) < MOST_PLANNED:
            self.faults.plan(step, fault)

    # -- stopping and starting -----------------------------------------------------------------

    def kill(self, *, elsewhere: bool) -> None:
        """Kill the schedulers and start others, which know nothing; some requests arrive late."""
        self.counts["killed"] += 1
        self.dead = [each.elsewhere for each in self.members if each.elsewhere is not None]
        self.elsewhere = elsewhere
        self._start()

    def stop(self, *, elsewhere: bool) -> None:
        """Stop the schedulers in good order and start others."""
        self.counts["stopped"] += 1
        for member in self.members:
            if member.elsewhere is not None:
                member.elsewhere.cancel_all()
            member.scheduler.close()
            assert len(member.scheduler._bindings) == 0
            assert member.scheduler.schedule_one() is None
        self.elsewhere = elsewhere
        self._start()

    def bind_late(self, at: int) -> None:
        """Let the binding of a scheduler that is dead arrive."""
        for elsewhere in self.dead:
            if elsewhere.tasks:
                elsewhere.run(at % len(elsewhere.tasks))
                return

    def places(self) -> str:
        """Return where all pods are, as text."""
        parts = [
            f"{pod.name} {member.scheduler.queue.part_of(pod)}"
            for member in self.members
            for pod in member.scheduler.queue.pending()
        ]
        placed = [f"{p.name} {p.node_name}" for p in self.cluster.pods.values() if p.node_name]
        return ", ".join([*parts, *placed])

    # -- within --------------------------------------------------------------------------------

    def _start(self) -> None:
        self.cluster = Cluster()
        self.cluster.subscribe(self._note)
        self.feed = ClusterFeed(self.cluster, report=self.problems.append)
        self.relist(0)
        self.members = [self._make_member(NAMES[0])]
        self.relist(1)
        self.members.append(self._make_member(NAMES[1]))

    def _make_member(self, name: str) -> Member:
        elsewhere = Elsewhere() if self.elsewhere else None

        def begin(binding: Binding) -> None:
            if not is_under_way(binding, scheduler):
                self.api.broken.append(f"{binding.key} is bound though that was given up")

        def end(binding: Binding) -> None:
            self.said_bound.add((binding.uid, binding.target.name))
            self.counts["succeeded late"] += not is_under_way(binding, scheduler)

        outside = Outside(self.api, self.faults, self.tell, begin, end)
        rules = Profile.default().with_predicate(MOOD)
        scheduler = Scheduler(
            self.cluster,
            evolve(rules, extenders=outside.extenders()),
            name=name,
            clock=self.clock,
            binder=outside,
            volume_binder=outside,
            conditions=outside,
            preemptor=outside,
            recorder=outside,
            workers=self.workers,
            equivalence_cache=EquivalenceCache() if self.remembers else None,
            binding_threads=elsewhere or 0,
            bind_timeout=BIND_TIMEOUT,
            observer=outside.observe,
        )
        return Member(scheduler, outside, elsewhere)

    def _note(self, change: Change) -> None:
        self.counts[f"pods {change.action}"] += isinstance(change.before or change.after, Pod)

    def _check_time_is_kept(self, scheduler: Scheduler) -> None:
        """Assert that a scheduler has given up what is overdue."""
        now = self.clock.now()
        assert all(each.deadline > now for each in scheduler._bindings._under_way)
        assert not self.cluster._pods.overdue(now)

    def _member(self, at: int) -> Member:
        return self.members[at % len(self.members)]

    def _hang(self) -> None:
        """Let so much time pass that others find a binding overdue."""
        self.clock.advance(LATER)
        self.counts["hangs"] += 1
        for member in self.members:
            member.scheduler.keep_time()
        self.hear_all()

    def hear_all(self) -> None:
        while self.api.under_way:
            self.deliver(0)

    def _hear(self, told: Told) -> None:
        hear: dict[str, Callable[[KubeObject], bool]] = {
            "ADDED": self.feed.add,
            "MODIFIED": self.feed.update,
            "DELETED": self.feed.delete,
        }
        hear[told.type](told.it)

    def _take_news(self, at: int) -> Iterator[Told]:
        news = self.api.under_way
        if news:
            yield news.pop(at % min(len(news), OVERTAKEN))

    def tell_outcome(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            victims = outcome.preemption.victims if outcome.preemption else ()
            self.counts[outcome.result] += 1
            self.counts["evicted"] += len(victims)
            evicted = " ".join(each.name for each in victims)
            self.tell(
                f"{outcome.pod.name} {outcome.result} {outcome.node} {outcome.message} {evicted}"
            )

    def _pick(self, some: list[T], at: int) -> Iterator[T]:
        if some:
            yield some[at % len(some)]


def is_under_way(binding: Binding, scheduler: Scheduler) -> bool:
    """Tell whether a scheduler still wants a binding."""
    return any(
        (each.assumed.uid, each.assumed.node_name) == (binding.uid, binding.target.name)
        for each in scheduler._bindings._under_way
    )
