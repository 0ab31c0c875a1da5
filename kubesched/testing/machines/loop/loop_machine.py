"""The whole loop, whatever comes in whatever order, and whatever fails."""

from collections.abc import Mapping, Sequence
from logging import CRITICAL, getLogger
from typing import ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from kubesched.config import Profile
from kubesched.framework import Registry, RuleSet
from kubesched.model import Node, Pod
from kubesched.runtime import Binder, Clock, PriorityQueue, SchedulingQueue
from kubesched.testing.machines.both_ways import BothWays, own_rules, rules_of, words_of
from kubesched.testing.machines.drawing import DrawsFromMethods, from_method, often
from kubesched.testing.machines.loop.cast import (
    nodes_of_all_moods,
    nodes_of_words,
    pods_of_all_kinds,
    pods_of_words,
)
from kubesched.testing.machines.loop.checks import PROMISES, complaints, complaints_once_quiet
from kubesched.testing.machines.loop.faults import STEPS, Fault
from kubesched.testing.machines.loop.loop import LATER, Loop
from kubesched.testing.machines.loop.member import Manner, Parts
from kubesched.testing.machines.promises import Promise, PromiseMachine
from kubesched.testing.strategies import labels
from kubesched.testing.words import WORDS

_LOGGER: Final = getLogger("kubesched")

_anywhere: Final = st.integers(0, 11)
_numbers: Final = st.integers(0, 5)
_either: Final = st.integers(0, 1)
_faults: Final = st.sampled_from(Fault)
_nodes: Final = from_method("nodes")
_pods: Final = from_method("pods")
_node_names: Final = st.runner().flatmap(
    lambda machine: often(machine.loop.node_names(), st.sampled_from(["n0", "n1", "n2"]))
)


class LoopMachine(DrawsFromMethods, PromiseMachine):
    """Two schedulers in a small world, in which all that they ask fails or hangs now and then.

    Pods and nodes come, change and go, the watch repeats itself and leaves out a lot, schedulers
    are stopped, killed and started again, in arbitrary order. After each step every pod has to be
    in one place, and whenever all may come to rest, nothing is left over.

    Own predicates are also asked by themselves after each step, with a memory and without, which
    has to be the same: one that reads more than it declares shows.

    The rules' own extenders are asked, but if one of them binds pods the world does that for it.

    Override `make_profile`, `make_queue` or `make_binder` to have your own parts driven so:

    >>> from kubesched.config import Profile
    >>> class MyRulesInALoop(LoopMachine):
    ...     def make_profile(self):
    ...         return Profile.default()  # .with_predicate(...)
    >>> TestMyRules = MyRulesInALoop.TestCase

    Attributes:
        loop: the world and its schedulers.
    """

    promises: ClassVar[tuple[Promise, ...]] = PROMISES
    draws: ClassVar[tuple[str, ...]] = ("nodes", "pods", "labels")
    whose = "The loop"
    loop: Loop

    def __init__(self) -> None:
        """Find out what the schedulers are made of."""
        super().__init__()
        self._rules = rules_of(self.make_profile())
        self._own_rules = own_rules(self._rules)
        self._own_words = words_of(self._own_rules, WORDS)
        self._ways: list[BothWays] = []
        self.get_ready_to_draw()
        self._level = _LOGGER.level
        _LOGGER.setLevel(CRITICAL + 1)  # whatever goes wrong on command is told there

    # -- what to override ----------------------------------------------------------------------

    def make_profile(self) -> RuleSet | Registry:
        """Return a profile or registry to decide by."""
        return Profile.default()

    def make_queue(self, clock: Clock) -> SchedulingQueue:
        """Return a new, empty queue that goes by the clock."""
        return PriorityQueue(clock)

    def make_binder(self, outside: Binder) -> Binder:
        """Return what schedulers call to bind a pod; it has to go on to the world's own binder."""
        return outside

    def pods(self) -> st.SearchStrategy[Pod]:
        """Return what to draw pods from; those of your rules' own words are among them."""
        usual = pods_of_all_kinds()
        return usual | pods_of_words(self._own_words) if self._own_rules else usual

    def nodes(self) -> st.SearchStrategy[Node]:
        """Return what to draw nodes from; those of your rules' own words are among them."""
        usual = nodes_of_all_moods()
        return usual | nodes_of_words(self._own_words) if self._own_rules else usual

    def labels(self) -> st.SearchStrategy[Mapping[str, str]]:
        """Return what to draw a node's labels from."""
        return labels(words=self._own_words)

    # -- the cluster ---------------------------------------------------------------------------

    @initialize(
        remembers=st.booleans(),
        elsewhere=st.booleans(),
        nodes=st.lists(_nodes, max_size=3),
        pods=st.lists(_pods, max_size=3),
    )
    def begin(
        self, *, remembers: bool, elsewhere: bool, nodes: Sequence[Node], pods: Sequence[Pod]
    ) -> None:
        """Start the schedulers, and let them hear of a few nodes and pods."""
        parts = Parts(self._rules, self.make_queue, self.make_binder)
        self.loop = Loop(Manner(1, remembers, elsewhere), parts)
        for node in nodes:
            self.loop.put_node(node)
        for pod in pods:
            self.loop.put_pod(pod)
        self.loop.hear_all()

    @rule(pod=_pods)
    def put_pod(self, pod: Pod) -> None:
        """A pod is created."""
        self.loop.put_pod(pod)

    @rule(at=_numbers, label=_either)
    def change_pod(self, at: int, label: int) -> None:
        """A pod changes."""
        self.loop.change_pod(at, label)

    @rule(at=_numbers, at_once=st.booleans())
    def delete_pod(self, at: int, *, at_once: bool) -> None:
        """A pod is deleted, or its deletion begins or ends."""
        self.loop.delete_pod(at, at_once=at_once)

    @rule(at=_numbers)
    def end_pod(self, at: int) -> None:
        """A pod has done its work."""
        self.loop.end_pod(at)

    @rule(node=_nodes)
    def put_node(self, node: Node) -> None:
        """A node comes or changes."""
        self.loop.put_node(node)

    @rule(name=_node_names, labels=from_method("labels"))
    def relabel_node(self, name: str, labels: Mapping[str, str]) -> None:
        """The labels of a node change, and nothing else does."""
        self.loop.relabel_node(name, labels)

    @rule(name=_node_names)
    def remove_node(self, name: str) -> None:
        """A node goes, and the pods on it."""
        self.loop.remove_node(name)

    # -- the watch -----------------------------------------------------------------------------

    @rule(at=_anywhere, how=st.sampled_from(["deliver", "deliver_all", "deliver_all", "lose"]))
    def hear(self, at: int, how: str) -> None:
        """News arrives, or is lost."""
        getattr(self.loop, how)(at)

    @rule(at=_anywhere, how=st.sampled_from(["deliver_again", "relist_late"]))
    def hear_again(self, at: int, how: str) -> None:
        """Old news arrives again."""
        getattr(self.loop, how)(at)

    @rule(kind=_either)
    def relist(self, kind: int) -> None:
        """All nodes or all pods are listed."""
        self.loop.relist(kind)

    # -- the schedulers ------------------------------------------------------------------------

    @rule(at=_either)
    def schedule_one(self, at: int) -> None:
        """A scheduler takes the next pod."""
        self.loop.schedule_one(at)

    @rule(at=_either)
    def hear_all_and_schedule_all(self, at: int) -> None:
        """A scheduler takes all pods, knowing all that there is to know."""
        self.loop.hear_all()
        self.loop.schedule_all(at)

    @rule(at=_anywhere)
    def bind_one(self, at: int) -> None:
        """A binding goes on to its end."""
        self.loop.bind_one(at)

    @rule(seconds=st.sampled_from([0.5, 1, 10, 31, 61, LATER]), at=_either)
    def let_time_pass(self, seconds: float, at: int) -> None:
        """Time passes, and a scheduler does what that makes due."""
        self.loop.let_time_pass(seconds)
        self.loop.keep_time(at)

    @rule(step=st.sampled_from(STEPS), fault=_faults)
    def plan_a_fault(self, step: str, fault: Fault) -> None:
        """Something will go wrong."""
        self.loop.plan(step, fault)

    @rule(fault=_faults, at=_either)
    def fail_while_a_pod_is_bound(self, fault: Fault, at: int) -> None:
        """What matters most goes wrong at once."""
        self.loop.hear_all()
        self.loop.plan("bind", fault)
        self.loop.schedule_one(at)
        self.loop.bind_one(at)

    # -- stopping and starting -----------------------------------------------------------------

    @rule(how=st.sampled_from(["kill", "stop"]), elsewhere=st.booleans())
    def start_anew(self, how: str, *, elsewhere: bool) -> None:
        """The schedulers end, in good order or not, and others start."""
        getattr(self.loop, how)(elsewhere=elsewhere)

    @rule(at=_anywhere)
    def bind_late(self, at: int) -> None:
        """The binding of a scheduler that is dead arrives."""
        self.loop.bind_late(at)

    # -- what must be so -----------------------------------------------------------------------

    @rule()
    def fall_quiet(self) -> None:
        """Nothing fails any more until all has come to rest."""
        for promise, seen in complaints_once_quiet(self.loop):
            self.complain(promise, seen)

    @invariant()
    def it_is_as_promised(self) -> None:
        """Look at every pod, node and scheduler."""
        for promise, seen in complaints(self.loop):
            self.complain(promise, seen)
        self._ask_own_rules()

    def _ask_own_rules(self) -> None:
        """Ask each own predicate about all pods, as if they waited, with and without a memory."""
        cluster = self.loop.cluster
        if not self._ways or self._ways[0].cluster is not cluster:
            self._ways = BothWays.of_each(cluster, self._own_rules)
        for pod in cluster.pods.values():
            for each in self._ways:
                each.compare(pod.bound_to(""))

    def teardown(self) -> None:
        """Let others hear the log again."""
        _LOGGER.setLevel(self._level)
