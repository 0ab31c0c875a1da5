"""Placed pods by what they have in common."""

from collections import Counter
from collections.abc import Callable, Mapping

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.model import (
    Affinity,
    LabelSelector,
    NodeAffinity,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
)
from kubesched.state import AffinityGroup, Cluster, LabelGroup, Snapshot
from kubesched.state.pod_groups import G, PodGroups
from tests.strategies import labels, node_names, pod_affinities

Counts = Mapping[str, int]


def far_from(app: str) -> Affinity:
    selector = LabelSelector(match_labels={"app": app})
    term = PodAffinityTerm(label_selector=selector, topology_key="zone")
    return Affinity(pod_anti_affinity=PodAntiAffinity(required=[term]))


def web(name: str = "web-1", on: str = "n1", affinity: Affinity | None = None) -> Pod:
    return make_pod(f"shop/{name}", node_name=on, affinity=affinity or far_from("web"))


def affinity_counts(*pods: Pod) -> list[Counts]:
    return list(Cluster.of(pods).snapshot().affinity_groups.values())


@pytest.mark.parametrize(
    ("pods", "expected"),
    [
        pytest.param([web(), web("web-2")], [{"n1": 2}], id="alike on one node"),
        pytest.param([web(), web("web-2", "n2")], [{"n1": 1, "n2": 1}], id="alike on two"),
        pytest.param(
            [web(), web("db-1", affinity=far_from("db"))], [{"n1": 1}, {"n1": 1}], id="not alike"
        ),
        pytest.param(
            [web(), evolve(web("web-2"), metadata=make_pod("shop/w", labels={"a": "b"}).metadata)],
            [{"n1": 2}],
            id="whatever their labels",
        ),
        pytest.param(
            [web(), web("w", affinity=evolve(far_from("web"), node_affinity=NodeAffinity()))],
            [{"n1": 2}],
            id="whatever they say about nodes",
        ),
        pytest.param(
            [web(), make_pod("batch/web-1", node_name="n1", affinity=far_from("web"))],
            [{"n1": 1}, {"n1": 1}],
            id="in two namespaces",
        ),
        pytest.param(
            [web(affinity=Affinity(pod_affinity=PodAffinity()))], [{"n1": 1}], id="no terms given"
        ),
        pytest.param([make_pod("web-1", node_name="n1")], [], id="nothing said"),
        pytest.param([web(on="")], [], id="waiting"),
    ],
)
def test_pods_that_say_the_same_about_other_pods_are_counted_together(
    pods: list[Pod], expected: list[Counts]
) -> None:
    assert affinity_counts(*pods) == expected


def test_a_group_goes_with_its_last_pod() -> None:
    cluster = Cluster.of([web(), web("web-2", "n2")])
    cluster.remove(web())
    assert list(cluster.snapshot().affinity_groups.values()) == [{"n2": 1}]
    cluster.remove(web("web-2"))
    assert not cluster.snapshot().affinity_groups


def test_it_goes_by_what_was_placed_whatever_is_said_later() -> None:
    cluster = Cluster.of([web()])
    cluster.remove(make_pod("shop/web-1"))
    assert not cluster.snapshot().affinity_groups


# -- laws ------------------------------------------------------------------------------------------

SAID = st.none() | pod_affinities(max_terms=1)


@st.composite
def placed_pods(draw: st.DrawFn, node_name: st.SearchStrategy[str] = node_names) -> list[Pod]:
    """Draw pods that say one of two things, in one of two ways, of one of two namespaces."""
    said, names = draw(st.lists(SAID, min_size=2, max_size=2)), ("shop/a", "shop/b", "batch/a")
    pods = st.builds(
        make_pod,
        st.sampled_from(names),
        labels=labels(max_size=1),
        affinity=st.sampled_from(said),
        node_name=node_name,
    )
    return draw(st.lists(pods, max_size=3, unique_by=lambda pod: pod.key))


def counted(
    snapshot: Snapshot, group_of: Callable[[Pod], G | None]
) -> Mapping[G, Mapping[str, int]]:
    """Count the pods of a snapshot, each for itself."""
    counts: dict[G, Counter[str]] = {}
    for info in snapshot.node_infos.values():
        for pod in info.pods.values():
            group = group_of(pod)
            if group is not None:
                counts.setdefault(group, Counter())[info.name] += 1
    return counts


def check_groups(snapshot: Snapshot) -> None:
    assert dict(snapshot.label_groups) == counted(snapshot, LabelGroup.of)
    assert dict(snapshot.affinity_groups) == counted(snapshot, AffinityGroup.of)


@given(placed_pods())
def test_groups_are_what_counting_gives(pods: list[Pod]) -> None:
    check_groups(Cluster.of(pods).snapshot())


@given(placed_pods(), placed_pods(st.just("n1")))
def test_so_they_are_if_a_node_had_other_pods(pods: list[Pod], others: list[Pod]) -> None:
    snapshot = Cluster.of([make_node("n1"), *pods]).snapshot()
    info = snapshot.node_infos["n1"].clone()
    for other in others:
        if other.key in info.pods:
            info.remove_pod(other)
        else:
            info.add_pod(other)
    check_groups(snapshot.with_node(info))
    check_groups(snapshot)


@given(placed_pods(), placed_pods())
def test_a_copy_counts_for_itself(pods: list[Pod], others: list[Pod]) -> None:
    groups = PodGroups(AffinityGroup.of)
    for pod in pods:
        groups.add(pod)
    copy = groups.copy()
    for other in others:
        copy.add(other)
    for pod in pods:
        copy.remove(pod)
    groups._check(pods)
    copy._check(others)
