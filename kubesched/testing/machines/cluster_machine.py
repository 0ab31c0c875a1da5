"""The whole life of a cluster, beside a cluster of plain dicts, with somebody's rules if wanted."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from kubesched.framework import Registry, RuleSet
from kubesched.model import Node, Pod
from kubesched.state import Facet, Snapshot
from kubesched.testing.machines.both_ways import BothWays, own_rules, rules_of, words_of
from kubesched.testing.machines.cluster_life import STATE, ClusterLife
from kubesched.testing.machines.cluster_world import World
from kubesched.testing.machines.comparing import (
    facets_of,
    snapshot_beside_model,
    state_beside_model,
)
from kubesched.testing.machines.drawing import from_method
from kubesched.testing.machines.insides import check_inside
from kubesched.testing.machines.pictures import picture_of_snapshot
from kubesched.testing.machines.promises import Promise
from kubesched.testing.strategies import labels, pods

ALLOWED: Final = Promise("allowed", "What the state does not allow is an error; all else is done.")
TOLD: Final = Promise("told", "Listeners are told every change, in order.")
FROZEN: Final = Promise("frozen", "A snapshot stays as it was.")
FACETS: Final = Promise("facets", "As long as a facet's generation stays, so does what it shows.")

_asked: Final = st.runner().flatmap(
    lambda machine: st.tuples(*[machine.drawn_from("waiting_pods")] * (2 if machine.ways else 0))
)


class ClusterMachine(ClusterLife):
    """Change a cluster and its model alike; after each step they have to agree.

    Override `make_profile` to have pods decided about after each step, with remembered verdicts and
    without, which must be the same: a predicate that reads more than it declares shows.

    >>> from kubesched.config import Profile
    >>> class MyRulesMachine(ClusterMachine):
    ...     def make_profile(self):
    ...         return Profile.default()  # .with_predicate(...)
    >>> TestMyRules = MyRulesMachine.TestCase

    Attributes:
        words: what everything is drawn from.
        own_words: the same, but with the labels that own rules of the profile speak of.
        world: the cluster, its model and its listener.
        now: the time.
        asked: the pods that are decided about after each step.
        snapshots: those that somebody keeps, each with what it showed when it was taken.
    """

    promises: ClassVar[tuple[Promise, ...]] = (STATE, ALLOWED, TOLD, FROZEN, FACETS)

    def __init__(self) -> None:
        """Begin with an empty cluster, and ask what to decide by."""
        super().__init__()
        profile = self.make_profile()
        rules = RuleSet() if profile is None else rules_of(profile)
        own, cluster = own_rules(rules), self.world.cluster
        self.ways = [] if profile is None else [BothWays(cluster, rules)]
        self.ways += BothWays.of_each(cluster, own)
        self.asked: list[Pod] = []
        self.snapshots: list[tuple[Snapshot, object]] = []
        self._shown: dict[tuple[str, Facet, int], object] = {}
        self.own_words = words_of(own, self.words)
        self.get_ready_to_draw()

    def make_profile(self) -> RuleSet | Registry | None:
        """Return a profile or registry to decide by; None if nothing is decided."""
        return None

    def labels(self) -> st.SearchStrategy[Mapping[str, str]]:
        """Draw any labels, and as often such as own rules speak of."""
        return super().labels() | labels(words=self.own_words)

    def waiting_pods(self) -> st.SearchStrategy[Pod]:
        """Draw any pods, and as often such as own rules speak of."""
        return super().waiting_pods() | pods(words=self.own_words)

    # -- readers -------------------------------------------------------------------------------

    @rule()
    def keep_a_snapshot(self) -> None:
        """Somebody takes a snapshot, and keeps it."""
        snapshot = self.world.cluster.snapshot()
        self._look_at_snapshot(snapshot)
        self.snapshots.append((snapshot, picture_of_snapshot(snapshot)))

    @rule()
    def look_at_snapshots(self) -> None:
        """Whoever has kept a snapshot looks at it again."""
        for snapshot, picture in self.snapshots:
            self.compare(FROZEN, "a snapshot", picture_of_snapshot(snapshot), picture)

    # -- decisions -----------------------------------------------------------------------------

    @initialize(nodes=st.lists(from_method("nodes"), max_size=3), asked=_asked)
    def begin(self, nodes: Sequence[Node], asked: Sequence[Pod]) -> None:
        """Begin with a few nodes; and choose the pods that are decided about after each step."""
        for node in nodes:
            self.put_node(node)
        self.asked = [*asked]

    @precondition(lambda self: self.ways)
    @rule(pod=from_method("waiting_pods"))
    def ask_about(self, pod: Pod) -> None:
        """Decide about another pod from now on, in place of the one that was chosen first."""
        self.asked = [*self.asked[1:], pod]

    @precondition(lambda self: self.ways and self.snapshots)
    @rule(at=st.integers(0, 3))
    def decide_as_it_was(self, at: int) -> None:
        """Decide as if the cluster still were as somebody remembers it."""
        snapshot, _ = self.snapshots[-1 - at % len(self.snapshots)]
        self._decide(snapshot)

    def _decide(self, snapshot: Snapshot | None = None) -> None:
        for pod in self.asked:
            for each in self.ways:
                each.compare(pod, snapshot)

    # -- what must be so -----------------------------------------------------------------------

    @invariant()
    def it_is_as_promised(self) -> None:
        """Compare the cluster with its model, and decisions of both kinds."""
        self.look_at(self.world)
        self._decide()

    def look_at(self, world: World) -> None:
        """Compare a cluster with its model, and what its listener was told with what happened."""
        check_inside(world.cluster)
        for odd in world.odd:
            self.complain(ALLOWED, odd)
        for what, seen, expected in state_beside_model(world.cluster, world.model):
            self.compare(STATE, what, seen, expected)
        self.compare(TOLD, "what listeners were told", world.told, world.expected)

    def _look_at_snapshot(self, snapshot: Snapshot) -> None:
        for what, seen, expected in snapshot_beside_model(snapshot, self.world.model):
            self.compare(STATE, what, seen, expected)
        for key, shown in facets_of(snapshot):
            name, facet, _ = key
            seen = self._shown.setdefault(key, shown)
            self.compare(FACETS, f"{facet.name} {name}".strip(), shown, seen)
