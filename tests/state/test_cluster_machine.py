"""The whole life of clusters, beside clusters of plain dicts."""

from collections.abc import Callable
from typing import TypeAlias

import pytest
from attrs import define, field
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.model import KubeObject, Node, Pod, Service
from kubesched.state import Change, Cluster, Facet, Snapshot
from tests.state.naive_cluster import Assumption, NaiveCluster
from tests.state.pictures import SHOWN, picture_of_snapshot
from tests.strategies import counted_nodes, counted_pods, node_names, services

pod_keys = st.sampled_from(["shop/p1", "shop/p2", "shop/p3", "batch/p1"])
waiting_pods = counted_pods(keys=pod_keys)
placed_pods = counted_pods(keys=pod_keys, node_names=node_names)
any_pods = st.one_of(
    waiting_pods,
    placed_pods,
    counted_pods(
        keys=pod_keys,
        node_names=st.just("") | node_names,
        phases=st.sampled_from(["Running", "Succeeded", "Failed"]),
    ),
)

Told: TypeAlias = tuple[str, KubeObject | None, KubeObject | None]
Picture: TypeAlias = dict[str, object]


@define
class World:
    """A cluster beside its model, and what its listener was told and should have been."""

    cluster: Cluster = field(factory=Cluster)
    model: NaiveCluster = field(factory=NaiveCluster)
    told: list[Told] = field(factory=list)
    expected: list[Told] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.cluster.subscribe(self.listen)

    def listen(self, change: Change) -> None:
        self.told.append((change.action, change.before, change.after))

    def happens(
        self, *, allowed: bool, change: Callable[[], object], told: Told | None = None
    ) -> None:
        """Make a change that the model allows or does not."""
        if allowed:
            change()
            self.expected += [told] if told else []
        else:
            with pytest.raises(ClusterError):
                change()


def assumptions(cluster: Cluster) -> dict[str, Assumption]:
    there = cluster._pods.assumed
    return {key: Assumption(it.pod, it.waiting, it.deadline) for key, it in there.items()}


class ClusterBesideDicts(RuleBasedStateMachine):
    """Change clusters and their models alike; snapshots and copies must not notice."""

    def __init__(self) -> None:
        super().__init__()
        self.worlds = [World()]
        self.at = 0
        self.now = 0.0
        self.snapshots: list[tuple[Snapshot, Picture]] = []
        self.seen: dict[tuple[str, Facet, int], object] = {}

    @property
    def world(self) -> World:
        return self.worlds[self.at % len(self.worlds)]

    # -- nodes and services ------------------------------------------------------------------------

    @rule(node=counted_nodes())
    def add_node(self, node: Node) -> None:
        self.world.happens(
            allowed=self.world.model.add_node(node),
            change=lambda: self.world.cluster.add(node),
            told=("added", None, node),
        )

    @rule(node=counted_nodes())
    def update_node(self, node: Node) -> None:
        before = self.world.model.nodes.get(node.name)
        self.world.happens(
            allowed=self.world.model.update_node(node),
            change=lambda: self.world.cluster.update(node),
            told=("updated", before, node),
        )

    @rule(name=node_names)
    def remove_node(self, name: str) -> None:
        before = self.world.model.nodes.get(name)
        self.world.happens(
            allowed=self.world.model.remove_node(name),
            change=lambda: self.world.cluster.remove(make_node(name)),
            told=("removed", before, None),
        )

    @rule(service=services())
    def add_service(self, service: Service) -> None:
        there = self.world.model.services
        self.world.happens(
            allowed=service.key not in there,
            change=lambda: self.world.cluster.add(service),
            told=("added", None, service),
        )
        there.setdefault(service.key, service)

    @rule(service=services())
    def update_service(self, service: Service) -> None:
        there = self.world.model.services
        self.world.happens(
            allowed=service.key in there,
            change=lambda: self.world.cluster.update(service),
            told=("updated", there.get(service.key), service),
        )
        if service.key in there:
            there[service.key] = service

    @rule(service=services())
    def remove_service(self, service: Service) -> None:
        there = self.world.model.services
        self.world.happens(
            allowed=service.key in there,
            change=lambda: self.world.cluster.remove(service),
            told=("removed", there.pop(service.key, None), None),
        )

    # -- pods --------------------------------------------------------------------------------------

    @rule(pod=any_pods)
    def add_pod(self, pod: Pod) -> None:
        before = self.world.model.known(pod.key)
        self.world.happens(
            allowed=self.world.model.add_pod(pod),
            change=lambda: self.world.cluster.add(pod),
            told=("added", before, pod),
        )

    @rule(pod=any_pods)
    def update_pod(self, pod: Pod) -> None:
        before = self.world.model.known(pod.key)
        self.world.happens(
            allowed=self.world.model.update_pod(pod),
            change=lambda: self.world.cluster.update(pod),
            told=("updated", before, pod),
        )

    @rule(key=pod_keys)
    def remove_pod(self, key: str) -> None:
        before = self.world.model.known(key)
        self.world.happens(
            allowed=self.world.model.remove_pod(key),
            change=lambda: self.world.cluster.remove(make_pod(key)),
            told=("removed", before, None),
        )

    @rule(pod=waiting_pods | any_pods, name=node_names)
    def assume(self, pod: Pod, name: str) -> None:
        before = self.world.model.pending.get(pod.key)
        self.world.happens(
            allowed=self.world.model.assume(pod, name),
            change=lambda: self.world.cluster.assume(pod, name),
            told=("assumed", before, pod.bound_to(name)),
        )

    @rule(name=node_names)
    def assume_all_that_wait(self, name: str) -> None:
        for pod in list(self.world.model.pending.values()):
            self.assume(pod, name)

    @rule(key=pod_keys, ago=st.sampled_from([0, 5, -5]))
    def finish_binding(self, key: str, ago: float) -> None:
        self.world.cluster.finish_binding(make_pod(key), self.now - ago)
        self.world.model.finish_binding(key, self.now - ago)

    @rule(key=pod_keys, name=st.just("") | node_names)
    def forget(self, key: str, name: str) -> None:
        pod, before = make_pod(key, node_name=name), self.world.model.known(key)
        self.world.happens(
            allowed=self.world.model.forget(pod),
            change=lambda: self.world.cluster.forget(pod),
            told=("forgotten", before, self.world.model.known(key)),
        )

    @rule(seconds=st.sampled_from([10, 20, 31]))
    def expire(self, seconds: float) -> None:
        self.now += seconds
        expired = self.world.model.expire(self.now)
        assert self.world.cluster.expire(self.now) == tuple(expired)
        self.world.expected += [
            ("expired", pod, self.world.model.known(pod.key)) for pod in expired
        ]

    # -- readers -----------------------------------------------------------------------------------

    @rule()
    def look(self) -> None:
        snapshot = self.world.cluster.snapshot()
        self.check_snapshot(snapshot)
        self.snapshots.append((snapshot, picture_of_snapshot(snapshot)))

    def check_snapshot(self, snapshot: Snapshot) -> None:
        model = self.world.model
        infos = snapshot.node_infos
        assert {name: info.pods for name, info in infos.items()} == model.pods_by_node()
        assert {
            name: info.node for name, info in infos.items() if info.node is not None
        } == model.nodes
        assert {
            name: {image: state.num_nodes for image, state in info.images.items()}
            for name, info in infos.items()
            if info.node is not None
        } == model.images
        assert [zone.names for zone in snapshot.order.zones] == model.zones()
        assert snapshot.num_nodes == len(model.nodes)
        assert list(snapshot.pending.items()) == list(model.pending.items())
        assert list(snapshot.of(Service).items()) == list(model.services.items())
        self.check_generations(snapshot)

    def check_generations(self, snapshot: Snapshot) -> None:
        """While a facet stays, so does what it shows: in every copy, and for ever."""
        infos = snapshot.node_infos
        for name, info in infos.items():
            for facet, show in SHOWN.items():
                self.check_facet(name, facet, info.generations[facet], show(info))
        shown: dict[Facet, object] = {
            Facet.CLUSTER_NODES: {name: info.node for name, info in infos.items()},
            Facet.CLUSTER_PODS: {name: info.pods for name, info in infos.items() if info.pods},
            Facet.SERVICES: dict(snapshot.of(Service)),
        }
        for facet, what in shown.items():
            self.check_facet("", facet, snapshot.generations[facet], what)

    def check_facet(self, name: str, facet: Facet, generation: int, shown: object) -> None:
        assert self.seen.setdefault((name, facet, generation), shown) == shown

    @precondition(lambda self: len(self.worlds) < 3)
    @rule()
    def copy(self) -> None:
        self.worlds.append(World(self.world.cluster.copy(), self.world.model.copy()))

    @rule()
    def turn_to_the_next_world(self) -> None:
        self.at += 1

    # -- what always holds -------------------------------------------------------------------------

    @invariant()
    def each_cluster_is_its_model(self) -> None:
        for world in self.worlds:
            cluster, model = world.cluster, world.model
            cluster._check()
            assert cluster.nodes == model.nodes
            alive = {pod.key: pod for pod in (*model.pending.values(), *model.placed())}
            assert cluster.pods == alive
            assert list(cluster.pending) == list(model.pending)
            assert {key for key in alive if cluster.is_assumed(alive[key])} == {*model.assumed}
            assert assumptions(cluster) == model.assumed
            assert cluster._pods.ended == model.ended

    @invariant()
    def listeners_are_told_every_change(self) -> None:
        for world in self.worlds:
            assert world.told == world.expected

    def teardown(self) -> None:
        for _ in self.worlds:
            self.turn_to_the_next_world()
            self.look()
        for snapshot, picture in self.snapshots:
            assert picture_of_snapshot(snapshot) == picture


ClusterBesideDicts.TestCase.settings = settings(max_examples=150, stateful_step_count=50)
TestClusterBesideDicts = ClusterBesideDicts.TestCase
