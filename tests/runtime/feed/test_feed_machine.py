"""A watch that repeats itself, comes in disorder and leaves out a lot, beside its server."""

from attrs import evolve
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.model import KubeObject, Node, ObjectMeta, Pod, Service
from kubesched.runtime import ClusterFeed, FeedProblem
from kubesched.state import Cluster
from kubesched.testing.machines.loop.api_model import ApiModel, Listed, Told

KINDS: tuple[type[KubeObject], ...] = (Node, Pod, Service)
BOUND = 6
"""How many events may overtake one."""

names = st.sampled_from(["a", "b"])
places = st.integers(0, 1000)
pods = st.builds(make_pod, names, cpu=st.integers(1, 2))
anything = st.one_of(
    pods,
    pods,
    st.builds(make_node, names, cpu=st.integers(1, 3)),
    st.builds(Service, metadata=st.builds(ObjectMeta, name=names, namespace=st.just("default"))),
)


class FeedBesideServer(RuleBasedStateMachine):
    """Deliver what the server says anyhow; the server's own state is what must come of it."""

    def __init__(self) -> None:
        super().__init__()
        self.server = ApiModel()
        self.cluster = Cluster()
        self.problems: list[FeedProblem] = []
        self.feed = ClusterFeed(self.cluster, report=self.problems.append)
        self.under_way: list[Told] = []
        self.delivered: list[Told] = []
        self.lists: list[Listed] = [self.server.list(kind) for kind in KINDS]
        self.lost: set[type[KubeObject]] = set()

    # -- the server ----------------------------------------------------------------------------

    @rule(it=anything)
    def put(self, it: KubeObject) -> None:
        known = self.server.objects.get((type(it), it.key))
        if isinstance(it, Pod) and isinstance(known, Pod):
            it = evolve(it, spec=evolve(it.spec, node_name=known.node_name))
        self.say(self.server.put(it))

    @precondition(lambda self: self.unbound())
    @rule(at=places, name=names)
    def bind(self, at: int, name: str) -> None:
        unbound = self.unbound()
        self.say(self.server.put(unbound[at % len(unbound)].bound_to(name)))

    @precondition(lambda self: any(self.server.of(Pod)))
    @rule(at=places, phase=st.sampled_from(["Running", "Succeeded", "Failed"]))
    def change_phase(self, at: int, phase: str) -> None:
        pods = [pod for pod in self.server.of(Pod) if isinstance(pod, Pod)]
        pod = pods[at % len(pods)]
        self.say(self.server.put(evolve(pod, status=evolve(pod.status, phase=phase))))

    @precondition(lambda self: self.server.objects)
    @rule(at=places, tells_first_state=st.booleans())
    def delete(self, at: int, *, tells_first_state: bool) -> None:
        there = list(self.server.objects)
        kind, key = there[at % len(there)]
        self.say(self.server.delete(kind, key, tells_first_state=tells_first_state))

    def say(self, told: Told) -> None:
        self.under_way.append(told)

    def unbound(self) -> list[Pod]:
        pods = (pod for pod in self.server.of(Pod) if isinstance(pod, Pod))
        return [pod for pod in pods if not pod.node_name and not pod.is_terminated]

    # -- the way -------------------------------------------------------------------------------

    @precondition(lambda self: self.under_way)
    @rule(at=st.integers(0, BOUND))
    def deliver(self, at: int) -> None:
        told = self.under_way.pop(min(at, len(self.under_way) - 1))
        self.hear(told)
        self.delivered.append(told)

    @rule()
    def deliver_all(self) -> None:
        while self.under_way:
            self.deliver(at=BOUND)

    @precondition(lambda self: self.delivered)
    @rule(at=places)
    def deliver_again(self, at: int) -> None:
        self.hear(self.delivered[at % len(self.delivered)])

    @precondition(lambda self: self.under_way)
    @rule(at=st.integers(0, BOUND))
    def lose(self, at: int) -> None:
        told = self.under_way.pop(min(at, len(self.under_way) - 1))
        self.lost.add(type(told.it))

    @rule(kind=st.sampled_from(KINDS))
    def list_all(self, kind: type[KubeObject]) -> None:
        self.lists.append(self.server.list(kind))

    @rule(at=places)
    def deliver_a_list_of_any_age(self, at: int) -> None:
        listed = self.lists[at % len(self.lists)]
        self.feed.relist(listed.kind, listed.objects, resource_version=listed.version)

    @rule(kind=st.sampled_from(KINDS), says_when=st.booleans())
    def relist(self, kind: type[KubeObject], *, says_when: bool) -> None:
        listed = self.server.list(kind)
        self.feed.relist(kind, listed.objects, resource_version=listed.version * says_when)
        self.lost.discard(kind)

    def hear(self, told: Told) -> None:
        handlers = {
            "ADDED": self.feed.add,
            "MODIFIED": self.feed.update,
            "DELETED": self.feed.delete,
        }
        handlers[told.type](told.it)

    # -- the scheduler -------------------------------------------------------------------------

    @precondition(lambda self: self.cluster.pending)
    @rule(at=places, name=names)
    def assume(self, at: int, name: str) -> None:
        waiting = list(self.cluster.pending.values())
        self.cluster.assume(waiting[at % len(waiting)], name)

    @rule()
    def forget_all(self) -> None:
        for pod in self.cluster.pods.values():
            if self.cluster.is_assumed(pod):
                self.cluster.forget(pod)

    # -- what must come of it ------------------------------------------------------------------

    @rule()
    def fall_quiet(self) -> None:
        """Once everything has arrived, whatever was not lost is as it is on the server."""
        self.deliver_all()
        for kind in KINDS:
            if kind not in self.lost:
                self.check(kind)

    def check(self, kind: type[KubeObject]) -> None:
        wanted = {it.key: it for it in self.server.of(kind)}
        assert self.held(kind) == wanted

    def held(self, kind: type[KubeObject]) -> dict[str, KubeObject]:
        """Return what the cluster holds; an assumed pod as it was last seen."""
        if kind is Node:
            return dict(self.cluster.nodes)
        if kind is Service:
            return dict(self.cluster.of_kind(Service))
        book = self.cluster._pods
        assumed = {key: it.waiting for key, it in book.assumed.items() if it.waiting}
        return {**book.pending.view(), **assumed, **book.bound, **book.ended}

    @invariant()
    def nothing_was_odd(self) -> None:
        self.cluster._check()
        assert self.problems == []

    def teardown(self) -> None:
        for kind in KINDS:
            self.relist(kind, says_when=True)
        self.fall_quiet()
        for told in self.delivered:
            self.hear(told)
        self.fall_quiet()


FeedBesideServer.TestCase.settings = settings(max_examples=150, stateful_step_count=50)
TestFeedBesideServer = FeedBesideServer.TestCase
