"""Pods of one service or controller had better not all be in one place."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.errors import SelectorError
from kubesched.model import (
    KubeObject,
    LabelSelectorRequirement,
    Node,
    Pod,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
)
from kubesched.plugins.spreading import (
    SELECTOR_SPREAD,
    SERVICE_SPREADING,
    service_anti_affinity,
)
from kubesched.selectors import label_selector
from kubesched.state import Facet
from tests.plugins.asking import nodes_of, ready, scores, scores_in, snapshot_of
from tests.plugins.services import (
    asked_pods,
    deleted,
    replica_set,
    replication_controller,
    selecting_objects,
    service,
    stateful_set,
    worlds,
)

WEB = pod("web-new", labels={"app": "web"})
BARE = pod("bare")
OVER_RACKS = service_anti_affinity("rack")
BAD = LabelSelectorRequirement(key="app", operator="Gt", values=("1",))
ANY_APP = LabelSelectorRequirement(key="app", operator="Exists")


def on(name: str, *labels: str, namespace: str = "default") -> list[Pod]:
    """Return a pod on a node for each of the labels `app`."""
    return [
        pod(f"{namespace}/{name}-{index}", labels={"app": app}, node_name=name)
        for index, app in enumerate(labels)
    ]


# -- what counts -----------------------------------------------------------------------------------

ALIKE = [
    pytest.param(WEB, [service("s", {"app": "web"})], 2, id="a service"),
    pytest.param(WEB, [replication_controller("c", {"app": "web"})], 2, id="a controller"),
    pytest.param(WEB, [replica_set("r", {"app": "web"})], 2, id="a replica set"),
    pytest.param(WEB, [replica_set("r", {}, ANY_APP)], 3, id="a replica set's expressions"),
    pytest.param(WEB, [stateful_set("x", {"app": "web"})], 2, id="a stateful set"),
    pytest.param(WEB, [service("s", {"app": "db"})], 0, id="a service of others"),
    pytest.param(WEB, [service("s", {"app": "web"}, namespace="shop")], 0, id="another namespace"),
    pytest.param(
        WEB,
        [service("s", {"app": "web"}), replica_set("r", {"app": "web"})],
        2,
        id="what two select counts once",
    ),
    pytest.param(
        WEB,
        [service("s", {"app": "web"}), service("t", {}), service("u", {"app": "db"})],
        4,
        id="any of several selectors that select the pod",
    ),
    pytest.param(WEB, [service("s", {})], 4, id="a service with an empty selector"),
    pytest.param(BARE, [service("s", {})], 4, id="the same and a pod without labels"),
    pytest.param(WEB, [service("s", None)], 0, id="a service without a selector"),
    pytest.param(WEB, [replication_controller("c", {})], 0, id="a controller without a selector"),
    pytest.param(WEB, [replica_set("r", {})], 0, id="a replica set with an empty selector"),
    pytest.param(WEB, [replica_set("r", None)], 0, id="a replica set without a selector"),
    pytest.param(WEB, [stateful_set("x", {})], 0, id="a stateful set with an empty selector"),
    pytest.param(
        BARE,
        [
            replica_set(
                "r", {}, LabelSelectorRequirement(key="app", operator="NotIn", values=("db",))
            )
        ],
        0,
        id="a replica set and a pod without labels",
    ),
    pytest.param(
        WEB,
        [replica_set("r", {"app": "web"}), replica_set("bad", {}, BAD)],
        0,
        id="a bad replica set spoils all replica sets",
    ),
    pytest.param(
        WEB,
        [stateful_set("x", {"app": "web"}), replica_set("bad", {}, BAD)],
        2,
        id="but no stateful set",
    ),
    pytest.param(
        WEB,
        [replica_set("r", {"app": "web"}), stateful_set("bad", {}, BAD)],
        2,
        id="and a bad stateful set no replica set",
    ),
    pytest.param(
        WEB,
        [replica_set("r", {"app": "web"}), replica_set("bad", {}, BAD, namespace="shop")],
        2,
        id="nor those of another namespace",
    ),
]


@pytest.mark.parametrize(("asked", "selecting", "expected"), ALIKE)
def test_pods_count_that_share_what_selects_the_pod(
    asked: Pod, selecting: list[KubeObject], expected: int
) -> None:
    placed = [*on("n1", "web", "web", "db"), pod("nameless", node_name="n1")]
    snapshot = snapshot_of([node("n1"), *placed, *selecting])
    (info,) = nodes_of(snapshot)
    for spec in (SELECTOR_SPREAD, SERVICE_SPREADING):
        assert spec.map(asked, ready(spec, asked, snapshot), info) == expected


def test_neither_pods_of_other_namespaces_count_nor_those_being_deleted() -> None:
    leaving = deleted(pod("web-9", labels={"app": "web"}, node_name="n1"))
    placed = [leaving, *on("n1", "web", namespace="shop"), *on("n2", "web")]
    for spec in (SELECTOR_SPREAD, OVER_RACKS):
        snapshot = snapshot_of([node("n1"), node("n2"), *placed, service("s", {"app": "web"})])
        meta = ready(spec, WEB, snapshot)
        assert [spec.map(WEB, meta, info) for info in nodes_of(snapshot)] == [0, 1]


# -- scores ----------------------------------------------------------------------------------------

WEBS = service("s", {"app": "web"})
THREE = [node("n1"), node("n2"), node("n3")]
ZONED = [node("n1", zone="a"), node("n2", zone="a"), node("n3", zone="b")]


def webs(*counts: int) -> list[Pod]:
    """Return so many pods on n1, n2, …"""
    return [
        each
        for index, count in enumerate(counts, start=1)
        for each in on(f"n{index}", *["web"] * count)
    ]


SPREADS = [
    pytest.param(THREE, (0, 0, 0), [10, 10, 10], id="there are none"),
    pytest.param(THREE, (0, 1, 2), [10, 5, 0], id="by proportion"),
    pytest.param(THREE, (3, 3, 3), [0, 0, 0], id="all are as full"),
    pytest.param(THREE, (1, 2, 3), [6, 3, 0], id="cut off, not rounded"),
    pytest.param(ZONED, (0, 0, 0), [10, 10, 10], id="zones without any"),
    pytest.param(ZONED, (1, 0, 0), [0, 3, 10], id="a neighbour in the zone"),
    pytest.param(ZONED, (1, 1, 1), [0, 0, 3], id="the zones differ, the nodes do not"),
    pytest.param(ZONED, (0, 1, 1), [3, 0, 0], id="the nodes differ, the zones do not"),
    pytest.param(
        [node("n1", zone="a"), node("n2"), node("n3", zone="b")],
        (1, 2, 0),
        [1, 0, 10],
        id="a node without a zone is scored for itself",
    ),
    pytest.param(
        [node("n1", zone="a"), node("n2")],
        (0, 2),
        [10, 0],
        id="all are on nodes without a zone",
    ),
    pytest.param(
        [node("n1", zone="a", region="r"), node("n2", zone="a", region="s"), node("n3")],
        (1, 0, 0),
        [0, 10, 10],
        id="zones of one name in two regions are two",
    ),
    pytest.param(
        [node("n1", region="r"), node("n2", region="r"), node("n3", region="s")],
        (1, 0, 0),
        [0, 3, 10],
        id="a region is a zone",
    ),
]


@pytest.mark.parametrize(("nodes", "counts", "expected"), SPREADS)
def test_the_emptier_the_better(
    nodes: list[Node], counts: tuple[int, ...], expected: list[int]
) -> None:
    assert scores(SELECTOR_SPREAD, WEB, *nodes, *webs(*counts), WEBS) == expected


def test_a_pod_that_nothing_selects_may_go_anywhere() -> None:
    assert scores(SELECTOR_SPREAD, WEB, *ZONED, *webs(1, 2, 3)) == [10, 10, 10]


def test_only_the_nodes_that_are_scored_make_up_a_zone() -> None:
    snapshot = snapshot_of([*ZONED, *webs(5, 0, 1), WEBS])
    meta, (_, *scored) = ready(SELECTOR_SPREAD, WEB, snapshot), nodes_of(snapshot)
    assert SELECTOR_SPREAD.reduce is not None
    assert [*SELECTOR_SPREAD.reduce(WEB, meta, scored, [0, 1])] == [10, 0]


RACKED = [node("n1", labels={"rack": "1"}), node("n2", labels={"rack": "1"}), node("n3")]
OVER = [
    pytest.param(RACKED, (0, 0, 0), [10, 10, 0], id="there are none"),
    pytest.param(RACKED, (1, 0, 0), [0, 0, 0], id="all are in the only rack"),
    pytest.param(RACKED, (1, 0, 2), [6, 6, 0], id="pods outside of any rack count"),
    pytest.param(
        [node("n1", labels={"rack": "1"}), node("n2", labels={"rack": ""})],
        (1, 3),
        [7, 2],
        id="an empty value is a value",
    ),
]


@pytest.mark.parametrize(("nodes", "counts", "expected"), OVER)
def test_the_fewer_with_the_same_label_the_better(
    nodes: list[Node], counts: tuple[int, ...], expected: list[int]
) -> None:
    assert scores(OVER_RACKS, WEB, *nodes, *webs(*counts), WEBS) == expected


def test_the_first_service_by_name_counts_and_no_controller() -> None:
    dbs = service("r", {"tier": "back"})
    asked = pod("new", labels={"app": "web", "tier": "back"})
    racks = [node("n1", labels={"rack": "1"}), node("n2", labels={"rack": "2"})]
    placed = pod("db", labels={"tier": "back"}, node_name="n2")
    objects = [*racks, *webs(1), placed, replica_set("a", {"app": "web"})]
    assert scores(OVER_RACKS, asked, *objects, WEBS, dbs) == [10, 0]
    assert scores(OVER_RACKS, asked, *objects, WEBS) == [0, 10]
    assert scores(OVER_RACKS, asked, *objects) == [10, 10]


def test_what_the_specs_say() -> None:
    named = service_anti_affinity("rack", name="OverRacks", weight=3)
    assert (named.name, named.weight) == ("OverRacks", 3)
    assert (OVER_RACKS.name, OVER_RACKS.weight) == ("ServiceAntiAffinityPriority", 1)
    assert OVER_RACKS.reads == {Facet.CLUSTER_PODS, Facet.SERVICES}
    assert (SELECTOR_SPREAD.name, SERVICE_SPREADING.name) == (
        "SelectorSpreadPriority",
        "ServiceSpreadingPriority",
    )


# -- the same by plain loops -----------------------------------------------------------------------

Selects = Callable[[Mapping[str, str]], bool]


def within(selector: Mapping[str, str]) -> Selects:
    return lambda labels: all(labels.get(key) == value for key, value in selector.items())


def naive_services(asked: Pod, objects: Sequence[KubeObject]) -> list[Selects]:
    services = [
        each
        for each in objects
        if isinstance(each, Service)
        and each.namespace == asked.namespace
        and each.spec.selector is not None
        and within(each.spec.selector)(asked.labels)
    ]
    services.sort(key=lambda each: each.name)
    return [within(each.spec.selector or {}) for each in services]


def naive_workloads(
    kind: type[ReplicaSet] | type[StatefulSet], asked: Pod, objects: Sequence[KubeObject]
) -> list[Selects]:
    selects: list[Selects] = []
    for each in objects:
        if not isinstance(each, kind) or each.namespace != asked.namespace:
            continue
        selector = each.spec.selector
        try:
            matches = label_selector(selector).matches
        except SelectorError:
            return []
        if selector and (selector.match_labels or selector.match_expressions):
            selects.append(matches)
    return [each for each in selects if each(asked.labels)]


def naive_selectors(asked: Pod, objects: Sequence[KubeObject]) -> list[Selects]:
    selects = naive_services(asked, objects)
    if not asked.labels:
        return selects
    for each in objects:
        if isinstance(each, ReplicationController) and each.namespace == asked.namespace:
            matches = within(each.spec.selector)
            if each.spec.selector and matches(asked.labels):
                selects.append(matches)
    selects += naive_workloads(ReplicaSet, asked, objects)
    selects += naive_workloads(StatefulSet, asked, objects)
    return selects


def naive_counts(
    asked: Pod, selects: Sequence[Selects], objects: Sequence[KubeObject]
) -> dict[str, int]:
    counts = {each.name: 0 for each in objects if isinstance(each, Node)}
    for each in objects:
        if isinstance(each, Pod) and each.node_name in counts:
            counts[each.node_name] += (
                each.namespace == asked.namespace
                and each.metadata.deletion_timestamp is None
                and any(matches(each.labels) for matches in selects)
            )
    return counts


def place_of(each: Node) -> tuple[str, ...]:
    place = [
        each.labels.get(f"failure-domain.beta.kubernetes.io/{what}", "")
        for what in ("region", "zone")
    ]
    return tuple(place) if any(place) else ()


def naive_spread(counts: Mapping[str, int], nodes: Sequence[Node]) -> list[int]:
    most, in_zone = max(counts.values()), dict[tuple[str, ...], int]()
    for each in nodes:
        if place_of(each):
            in_zone[place_of(each)] = in_zone.get(place_of(each), 0) + counts[each.name]
    most_in_zone = max(in_zone.values(), default=0)
    found = []
    for each in nodes:
        score = 10.0
        if most > 0:
            score = 10.0 * (float(most - counts[each.name]) / float(most))
        if place_of(each):
            zone_score = 10.0
            if most_in_zone > 0:
                apart = float(most_in_zone - in_zone[place_of(each)])
                zone_score = 10.0 * (apart / float(most_in_zone))
            score = score * (1.0 - 2.0 / 3.0) + 2.0 / 3.0 * zone_score
        found.append(int(score))
    return found


def naive_anti_affinity(counts: Mapping[str, int], nodes: Sequence[Node]) -> list[int]:
    total = sum(counts.values())
    found = []
    for each in nodes:
        rack = each.labels.get("rack")
        same = sum(counts[other.name] for other in nodes if other.labels.get("rack") == rack)
        score = 10.0 * (float(total - same) / float(total)) if total else 10.0
        found.append(0 if rack is None else int(score))
    return found


@given(worlds(), asked_pods)
def test_the_scores_are_those_of_plain_loops(objects: list[KubeObject], asked: Pod) -> None:
    snapshot, nodes = snapshot_of(objects), [each for each in objects if isinstance(each, Node)]
    counts = naive_counts(asked, naive_selectors(asked, objects), objects)
    meta = ready(SELECTOR_SPREAD, asked, snapshot)
    for info in nodes_of(snapshot):
        assert SELECTOR_SPREAD.map(asked, meta, info) == counts[info.name]
    assert scores_in(SELECTOR_SPREAD, asked, snapshot) == naive_spread(counts, nodes)
    of_service = naive_counts(asked, naive_services(asked, objects)[:1], objects)
    assert scores_in(OVER_RACKS, asked, snapshot) == naive_anti_affinity(of_service, nodes)


@given(st.lists(st.tuples(st.integers(0, 200), st.sampled_from(["", "a", "b"])), min_size=1))
def test_large_counts_are_rounded_as_by_plain_loops(drawn: list[tuple[int, str]]) -> None:
    nodes = [node(f"n{index}", zone=zone) for index, (_, zone) in enumerate(drawn)]
    infos = nodes_of(snapshot_of(nodes))
    counts = {each.name: count for each, (count, _) in zip(nodes, drawn, strict=True)}
    assert SELECTOR_SPREAD.reduce is not None
    found = SELECTOR_SPREAD.reduce(WEB, {}, infos, [*counts.values()])
    assert [*found] == naive_spread(counts, nodes)
    assert all(0 <= score <= 10 for score in found)


def test_a_score_is_rounded_as_doubles_are() -> None:
    counted, zones = [53, 3, 54, 54, 54, 54], "aabbbb"
    nodes = [node(f"n{index}", zone=zone) for index, zone in enumerate(zones)]
    assert SELECTOR_SPREAD.reduce is not None
    found = SELECTOR_SPREAD.reduce(WEB, {}, nodes_of(snapshot_of(nodes)), counted)
    # A third of 10/54 and two thirds of 200/27 are just 5, but not in binary.
    assert [*found] == [4, 8, 0, 0, 0, 0]


@given(st.integers(1, 500), st.integers(0, 500), st.integers(0, 500))
def test_the_reduce_does_not_mind_the_order_of_the_nodes(
    first: int, second: int, third: int
) -> None:
    infos, counted = nodes_of(snapshot_of(ZONED)), [first, second, third]
    assert SELECTOR_SPREAD.reduce is not None
    forth = SELECTOR_SPREAD.reduce(WEB, {}, infos, counted)
    back = SELECTOR_SPREAD.reduce(WEB, {}, infos[::-1], counted[::-1])
    assert [*forth] == [*back][::-1]


@given(worlds(), asked_pods, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(
    objects: list[KubeObject], asked: Pod, random: Random
) -> None:
    shuffled = random.sample(objects, len(objects))
    for spec in (SELECTOR_SPREAD, OVER_RACKS):
        before, after = snapshot_of(objects), snapshot_of(shuffled)
        assert ready(spec, asked, before) == ready(spec, asked, after)
        scored = dict(
            zip(
                [each.name for each in nodes_of(before)],
                scores_in(spec, asked, before),
                strict=True,
            )
        )
        again = dict(
            zip([each.name for each in nodes_of(after)], scores_in(spec, asked, after), strict=True)
        )
        assert scored == again


@given(worlds(), selecting_objects(), asked_pods)
def test_what_more_selectors_select_is_no_less(
    objects: list[KubeObject], more: list[KubeObject], asked: Pod
) -> None:
    there = {(type(each), each.key) for each in objects}
    services = [
        each for each in more if isinstance(each, Service) and (Service, each.key) not in there
    ]
    before, after = snapshot_of(objects), snapshot_of([*objects, *services])
    fewer, at_least = ready(SELECTOR_SPREAD, asked, before), ready(SELECTOR_SPREAD, asked, after)
    assert all(at_least.get(name, 0) >= count for name, count in fewer.items())
