"""The whole life of clusters and their copies, beside clusters of plain dicts."""

from hypothesis import settings, strategies as st
from hypothesis.stateful import invariant, precondition, rule

from kubesched.model import KubeObject, Node, Pod
from kubesched.testing.machines.cluster_machine import ClusterMachine
from tests.strategies import counted_nodes, counted_pods, node_names, services

pod_keys = st.sampled_from(["shop/p1", "shop/p2", "shop/p3", "batch/p1"])


class ClusterBesideDicts(ClusterMachine):
    """Clusters are also copied, and then each goes its own way, with a listener of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.worlds = [self.world]

    def nodes(self) -> st.SearchStrategy[Node]:
        return counted_nodes()

    def waiting_pods(self) -> st.SearchStrategy[Pod]:
        return counted_pods(keys=pod_keys)

    def pods(self) -> st.SearchStrategy[Pod]:
        phases = st.sampled_from(["Running", "Succeeded", "Failed"])
        placed = counted_pods(keys=pod_keys, node_names=node_names)
        any_state = counted_pods(keys=pod_keys, node_names=st.just("") | node_names, phases=phases)
        return st.one_of(self.waiting_pods(), placed, any_state)

    def others(self) -> st.SearchStrategy[KubeObject]:
        return services()

    @precondition(lambda self: len(self.worlds) < 3)
    @rule()
    def copy(self) -> None:
        self.worlds.append(self.world.copy())

    @rule()
    def turn_to_the_next_world(self) -> None:
        at = [world is self.world for world in self.worlds].index(True)
        self.world = self.worlds[(at + 1) % len(self.worlds)]

    @invariant()
    def so_are_all_copies(self) -> None:
        for world in self.worlds:
            if world is not self.world:
                self.look_at(world)

    def teardown(self) -> None:
        for _ in self.worlds:
            self.turn_to_the_next_world()
            self.keep_a_snapshot()
        self.look_at_snapshots()


ClusterBesideDicts.TestCase.settings = settings(
    ClusterBesideDicts.TestCase.settings, max_examples=150, stateful_step_count=50
)
TestClusterBesideDicts = ClusterBesideDicts.TestCase
