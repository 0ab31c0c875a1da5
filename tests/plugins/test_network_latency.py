"""Nearness to the pods that a pod talks to."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.errors import KubeschedError, OptionError, SelectorError, SpecError
from kubesched.model import KubeObject, LabelSelector, LabelSelectorRequirement, Node, Pod
from kubesched.plugins.network_latency import (
    Peer,
    network_latency,
    peers_by_label,
    peers_in_annotation,
)
from tests.plugins.asking import nodes_of, ready, scores, scores_in, snapshot_of

ZONE = "topology.kubernetes.io/zone"
Matrix = Mapping[str, Mapping[str, Any]]

MATRIX: Matrix = {
    "a": {"a": 1, "b": 3, "c": 9},
    "b": {"a": 5, "b": 1, "c": 7},
    "c": {"a": 9, "b": 2, "c": 1},
}
NODES = [node(f"in-{zone}", zone=zone) for zone in "abc"]
ASKED = pod("asked")
DB, CACHE = Peer({"app": "db"}), Peer({"app": "cache"})


def placed(name: str, app: str, zone: str) -> Pod:
    return pod(name, labels={"app": app}, node_name=f"in-{zone}")


def scored(
    *objects: KubeObject,
    peers: Iterable[Peer] = (DB,),
    latency: Any = MATRIX,
    asked: Pod = ASKED,
    **options: Any,
) -> list[int]:
    """Score the three nodes, and others among the objects."""
    given_peers = tuple(peers)
    spec = network_latency(latency, topology_key=ZONE, peers=lambda _: given_peers, **options)
    return scores(spec, asked, *NODES, *objects)


# -- the formula -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("apps", "peers", "expected"),
    [
        pytest.param({"db": "a"}, [DB], [10, 5, 0], id="nearest 10, farthest 0, others between"),
        pytest.param({"db": "b"}, [DB], [0, 10, 5], id="from the node to the peer, not back"),
        pytest.param({"db": "aaa"}, [DB], [10, 5, 0], id="many pods in one place are as one"),
        # a: (1 + 9) / 2 = 5, b: (5 + 7) / 2 = 6, c: (9 + 1) / 2 = 5
        pytest.param({"db": "ac"}, [DB], [10, 0, 10], id="the mean over a peer's pods"),
        # a: (1 + 1 + 9) / 3, b: (5 + 5 + 7) / 3, c: (9 + 9 + 1) / 3: 11, 17, 19
        pytest.param({"db": "aac"}, [DB], [10, 2, 0], id="each pod of a peer counts"),
        # The cache has as many pods as it likes, its weight is for all of them.
        pytest.param(
            {"db": "a", "cache": "cc"}, [DB, CACHE], [10, 0, 10], id="the mean over the peers"
        ),
        # a: (1 + 3 * 9) / 4, b: (5 + 3 * 7) / 4, c: (9 + 3 * 1) / 4: 28, 26, 12
        pytest.param(
            {"db": "a", "cache": "c"},
            [DB, Peer({"app": "cache"}, 3)],
            [0, 1, 10],
            id="the mean over the peers, weighted",
        ),
        pytest.param(
            {"db": "a", "cache": "c"},
            [DB, Peer({"app": "cache"}, 0)],
            [10, 5, 0],
            id="a peer without weight does not count",
        ),
        pytest.param({"db": "a"}, [DB, CACHE], [10, 5, 0], id="a peer without pods does not count"),
        pytest.param({"db": "a", "cache": "c"}, [DB] * 2, [10, 5, 0], id="a peer named twice"),
        pytest.param({"db": "a"}, [Peer({})], [10, 5, 0], id="everybody in the namespace"),
        pytest.param({"db": "a"}, [], [10, 10, 10], id="nobody to talk to"),
        pytest.param({"db": "a"}, [CACHE], [10, 10, 10], id="nobody there to talk to"),
    ],
)
def test_a_node_scores_by_the_mean_latency_to_the_peers(
    apps: Mapping[str, str], peers: Sequence[Peer], expected: list[int]
) -> None:
    there = [
        placed(f"{app}-{number}", app, zone)
        for app, zones in apps.items()
        for number, zone in enumerate(zones)
    ]
    assert scored(*there, peers=peers) == expected


@pytest.mark.parametrize(
    ("max_latency", "expected"),
    [
        pytest.param(10, [9, 5, 1], id="proportional"),
        pytest.param(5, [8, 0, 0], id="0 from the limit on"),
        pytest.param(Fraction(9, 2), [7, 0, 0], id="a fraction"),
        pytest.param(0.5, [0, 0, 0], id="all too far"),
        pytest.param(1000, [9, 9, 9], id="cut off"),
    ],
)
def test_with_a_limit_each_node_is_scored_for_itself(max_latency: Any, expected: list[int]) -> None:
    assert scored(placed("db-1", "db", "a"), max_latency=max_latency) == expected


def test_with_a_limit_no_latency_at_all_scores_10() -> None:
    nowhere_far = {zone: dict.fromkeys("abc", 0) for zone in "abc"}
    there = placed("db-1", "db", "a")
    assert scored(there, latency=nowhere_far, max_latency=1) == [10, 10, 10]


def test_floats_are_the_decimals_that_they_are_written_as() -> None:
    tenths = {
        "a": {"a": 0.1, "b": 0, "c": 0},
        "b": {"a": 0.2, "b": 0, "c": 0},
        "c": {"a": 0.3, "b": 0, "c": 0},
    }
    there = placed("db-1", "db", "a")
    assert scored(there, latency=tenths) == [10, 5, 0]
    assert scored(there, latency=tenths, max_latency=0.4) == [7, 5, 2]


# -- who counts as where ---------------------------------------------------------------------------


def test_a_node_in_no_place_scores_0_and_is_no_measure_for_others() -> None:
    there = placed("db-1", "db", "a")
    assert scored(there, node("bare"), node("odd", labels={ZONE: ""})) == [10, 5, 0, 0, 0]
    assert scored(there, node("bare"), max_latency=10) == [9, 5, 1, 0]


def test_with_nobody_to_talk_to_a_node_in_no_place_is_as_good_as_any() -> None:
    assert scored(node("bare")) == [10, 10, 10, 10]
    assert scored(node("bare"), max_latency=10) == [10, 10, 10, 10]


def test_nodes_that_are_all_in_no_place_score_0() -> None:
    spec = network_latency(MATRIX, topology_key=ZONE, peers=lambda _: [DB])
    snapshot = snapshot_of([*NODES, node("bare"), placed("db-1", "db", "a")])
    bare = [info for info in nodes_of(snapshot) if info.name == "bare"]
    meta = ready(spec, ASKED, snapshot)
    assert spec.reduce is not None
    assert spec.reduce(ASKED, meta, bare, [spec.map(ASKED, meta, bare[0])]) == [0]


@pytest.mark.parametrize(
    "stranger",
    [
        pytest.param(
            pod("db-2", labels={"app": "db"}, node_name="bare"), id="on a node in no place"
        ),
        pytest.param(
            pod("db-2", labels={"app": "db"}, node_name="gone"), id="on a node that is not there"
        ),
        pytest.param(pod("db-2", labels={"app": "db"}), id="on no node yet"),
        pytest.param(
            pod("other/db-2", labels={"app": "db"}, node_name="in-c"), id="in another namespace"
        ),
        pytest.param(pod("db-2", labels={"app": "web"}, node_name="in-c"), id="of another app"),
        pytest.param(pod("db-2", node_name="in-c"), id="without labels"),
    ],
)
def test_a_pod_that_is_no_peer_in_a_place_does_not_count(stranger: Pod) -> None:
    there = placed("db-1", "db", "a")
    assert scored(there, stranger, node("bare"))[:3] == [10, 5, 0]
    assert scored(stranger, node("bare")) == [10, 10, 10, 10]


def test_a_pod_that_is_being_deleted_does_not_count() -> None:
    leaving = placed("db-2", "db", "c")
    metadata = evolve(leaving.metadata, deletion_timestamp=datetime(2018, 11, 29, tzinfo=UTC))
    there = placed("db-1", "db", "a")
    assert scored(there, evolve(leaving, metadata=metadata)) == [10, 5, 0]


def test_a_peer_may_be_in_a_namespace_of_its_own() -> None:
    other = pod("data/db-1", labels={"app": "db"}, node_name="in-a")
    assert scored(other, peers=[Peer({"app": "db"}, namespace="data")]) == [10, 5, 0]
    assert scored(other, peers=[DB], asked=pod("data/asked")) == [10, 5, 0]


def test_a_peer_may_be_selected_by_expressions() -> None:
    is_db = LabelSelectorRequirement(key="app", operator="NotIn", values=("web",))
    selector = LabelSelector(match_expressions=(is_db,))
    there = [placed("db-1", "db", "a"), placed("web-1", "web", "c")]
    assert scored(*there, peers=[Peer(selector)]) == [10, 5, 0]


def test_of_a_node_nothing_but_its_labels_matters() -> None:
    there = placed("db-1", "db", "a")
    spec = network_latency(MATRIX, topology_key=ZONE, peers=lambda _: [DB])
    others = [
        node(each.name, labels=each.labels, cpu=1, taints=["x:NoSchedule"], unschedulable=True)
        for each in NODES
    ]
    assert scores(spec, ASKED, *others, there) == scores(spec, ASKED, *NODES, there)


# -- a callable ------------------------------------------------------------------------------------


def test_a_callable_is_asked_once_a_pair_and_only_while_preparing() -> None:
    asked: list[tuple[str, str]] = []

    def latency(from_place: str, to_place: str, /) -> int:
        asked.append((from_place, to_place))
        return int(MATRIX[from_place][to_place])

    spec = network_latency(latency, topology_key=ZONE, peers=lambda _: [DB, CACHE])
    there = [placed("db-1", "db", "a"), placed("db-2", "db", "a"), placed("cache-1", "cache", "a")]
    twins = [node(f"twin-{zone}", zone=zone) for zone in "abc"]
    snapshot = snapshot_of([*NODES, *twins, *there])
    meta = ready(spec, ASKED, snapshot)
    assert asked == [("a", "a"), ("b", "a"), ("c", "a")]
    for info in nodes_of(snapshot):
        spec.map(ASKED, meta, info)
    assert len(asked) == 3
    assert scores_in(spec, ASKED, snapshot) == [10, 5, 0] * 2


def test_a_callable_is_not_asked_for_a_pod_that_talks_to_nobody() -> None:
    def never(_from: str, _to: str, /) -> float:
        raise AssertionError

    assert scored(placed("db-1", "db", "a"), latency=never, peers=[CACHE]) == [10, 10, 10]


# -- who talks to whom -----------------------------------------------------------------------------


def test_a_graph_of_labels_tells_the_peers() -> None:
    peers_of = peers_by_label("app", {"web": {"db": 1, "cache": 3}, "cron": {}})
    assert [*peers_of(pod("w", labels={"app": "web"}))] == [DB, Peer({"app": "cache"}, 3)]
    for silent in (pod("c", labels={"app": "cron"}), pod("x", labels={"app": "x"}), pod("y")):
        assert not [*peers_of(silent)]


def test_an_annotation_tells_the_peers() -> None:
    told = """[{"labelSelector": {"matchLabels": {"app": "db"}}},
               {"labelSelector": {}, "namespace": "data", "weight": 0.5}]"""
    peers_of = peers_in_annotation("talks-to")
    assert [*peers_of(pod("w", annotations={"talks-to": told}))] == [
        DB,
        Peer({}, 0.5, namespace="data"),
    ]
    assert not [*peers_of(pod("w", annotations={"talks-to": "[]"}))]
    assert not [*peers_of(pod("w"))]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("", "Expecting value", id="empty"),
        pytest.param("[" * 100_000, "recursion", id="too deep"),
        pytest.param("{}", "{} is not a list of peers", id="no list"),
        pytest.param("[7]", "[0] is 7, expected labelSelector", id="no object"),
        pytest.param('[{"weight": 1}]', "[0] is {'weight': 1}, expected", id="no selector"),
        pytest.param('[{"labelSelector": {}, "wieght": 1}]', "[0] is", id="an unknown member"),
        pytest.param('[{"labelSelector": 7}]', "[0].labelSelector", id="a selector that is none"),
        pytest.param(
            '[{"labelSelector": {"matchLabels": {"app": "a b"}}}]',
            "invalid label value",
            id="a label that is none",
        ),
        pytest.param(
            '[{"labelSelector": {}, "weight": -1}]',
            "[0].weight is -1, expected a number of 0 or more",
            id="a weight below 0",
        ),
        pytest.param('[{"labelSelector": {}, "weight": "1"}]', "[0].weight is '1'", id="a text"),
        pytest.param('[{"labelSelector": {}, "weight": NaN}]', "[0].weight is nan", id="no number"),
        pytest.param(
            '[{"labelSelector": {}, "namespace": 7}]', "[0].namespace is 7", id="no namespace"
        ),
    ],
)
def test_an_annotation_of_another_form_is_an_error_that_names_the_pod(text: str, told: str) -> None:
    asked = pod("shop/web-1", annotations={"talks-to": text})
    with pytest.raises(OptionError) as raised:
        peers_in_annotation("talks-to")(asked)
    assert str(raised.value).startswith("annotation 'talks-to' of pod shop/web-1: ")
    assert told in str(raised.value)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("latency", "told"),
    [
        pytest.param(7, "latency of 'Near' is 7, expected a mapping of mappings", id="a number"),
        pytest.param([[1]], "latency of 'Near' is [[1]], expected", id="a list of lists"),
        pytest.param({"a": 7}, "latency['a'] of 'Near' is 7, expected a mapping", id="no row"),
        pytest.param(
            {"a": {"a": 1}, "b": {"a": 1, "b": 1}},
            "latency['a'] of 'Near' has no 'b', expected every place",
            id="a pair that is missing",
        ),
        pytest.param(
            {"a": {"a": 1, "b": 1}},
            "latency['a'] of 'Near' has 'b', expected only places with a row",
            id="a row that is missing",
        ),
        pytest.param({"a": {}}, "latency['a'] of 'Near' has no 'a'", id="no way to itself"),
        *(
            pytest.param(
                {"a": {"a": value}},
                f"latency['a']['a'] of 'Near' is {value!r}, expected a number of 0 or more",
                id=f"a latency of {value!r}",
            )
            for value in (-1, -0.5, "1", None, True, float("inf"), float("nan"), 1j)
        ),
    ],
)
def test_a_matrix_of_another_form_is_refused_where_it_is_given(latency: Any, told: str) -> None:
    with pytest.raises(OptionError) as raised:
        network_latency(latency, topology_key=ZONE, peers=lambda _: [], name="Near")
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        pytest.param(
            {"max_latency": 0}, OptionError, "max_latency of 'Near' is 0, expected more", id="0"
        ),
        pytest.param({"max_latency": -1}, OptionError, "max_latency of 'Near' is -1", id="below 0"),
        pytest.param({"topology_key": ""}, OptionError, "topology_key of 'Near' is ''", id="key"),
        pytest.param({"peers": {"a": 1}}, SpecError, "peers of 'Near' is {'a': 1}", id="peers"),
        pytest.param({"weight": 0}, OptionError, "weight of priority 'Near' is 0", id="weight"),
        pytest.param({"name": ""}, SpecError, "the name of a rule is ''", id="name"),
    ],
)
def test_an_option_out_of_its_range_is_refused(
    options: dict[str, Any], error: type[KubeschedError], told: str
) -> None:
    usual: dict[str, Any] = {"topology_key": ZONE, "peers": lambda _: [], "name": "Near"}
    with pytest.raises(error) as raised:
        network_latency(MATRIX, **(usual | options))
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("latency", "peers", "error", "told"),
    [
        pytest.param(
            {"a": {"a": 1}},
            lambda _: [DB],
            OptionError,
            "latency of 'Near' has no row 'b', which nodes are in",
            id="a place that the matrix does not have",
        ),
        pytest.param(
            lambda _from, _to: None,
            lambda _: [DB],
            OptionError,
            "latency('a', 'a') of 'Near' is None, expected a number of 0 or more",
            id="a callable that does not know",
        ),
        pytest.param(
            MATRIX,
            lambda _: None,
            SpecError,
            "peers of 'Near' returned None for default/asked, expected Peers",
            id="peers that are none",
        ),
        pytest.param(
            MATRIX,
            lambda _: [DB, "db"],
            SpecError,
            "peers of 'Near' returned 'db' for default/asked, expected a Peer",
            id="a peer that is none",
        ),
    ],
)
def test_what_turns_out_wrong_while_scheduling_is_named(
    latency: Any, peers: Any, error: type[KubeschedError], told: str
) -> None:
    spec = network_latency(latency, topology_key=ZONE, peers=peers, name="Near")
    with pytest.raises(error) as raised:
        scores(spec, ASKED, *NODES, placed("db-1", "db", "a"))
    assert str(raised.value) == told


@pytest.mark.parametrize(
    ("make", "error", "told"),
    [
        pytest.param(
            lambda: Peer({}, -1), OptionError, "weight of a peer is -1", id="a weight below 0"
        ),
        pytest.param(
            lambda: Peer({"app": "a b"}), SelectorError, "invalid label value", id="no label"
        ),
        pytest.param(
            lambda: peers_by_label("app", {"web": 7}),  # type: ignore[dict-item]
            OptionError,
            "traffic['web'] is 7, expected a mapping",
            id="no row of traffic",
        ),
        pytest.param(
            lambda: peers_by_label("app", {"web": {"db": -1}}),
            OptionError,
            "traffic['web']['db'] is -1, expected a number of 0 or more",
            id="traffic below 0",
        ),
    ],
)
def test_a_peer_that_makes_no_sense_is_refused(
    make: Any, error: type[KubeschedError], told: str
) -> None:
    with pytest.raises(error) as raised:
        make()
    assert told in str(raised.value)


# -- laws ------------------------------------------------------------------------------------------

ZONES = "abcd"
numbers = st.integers(0, 6) | st.sampled_from([0.1, 0.2, 0.25, 2.5])
apps = st.sampled_from(["db", "cache", "web"])


@frozen
class Case:
    """Latencies, nodes in places or in none, pods on them, peers with weights, a limit or none."""

    latency: Any
    nodes: list[Node]
    placed: list[Pod]
    traffic: dict[str, Any]
    max_latency: Any

    def scores(self) -> dict[str, int]:
        spec = network_latency(
            self.latency,
            topology_key=ZONE,
            peers=peers_by_label("app", {"asked": self.traffic}),
            max_latency=self.max_latency,
        )
        asked = pod("asked", labels={"app": "asked"})
        found = scores(spec, asked, *self.nodes, *self.placed)
        return dict(zip([each.name for each in self.nodes], found, strict=True))

    @property
    def places(self) -> dict[str, str]:
        return {each.name: each.labels[ZONE] for each in self.nodes if ZONE in each.labels}

    @property
    def places_of_peers(self) -> set[str]:
        """Where the pods are that the pod talks to."""
        return {
            self.places[each.node_name]
            for each in self.placed
            if each.node_name in self.places and self.traffic.get(each.labels["app"])
        }


@st.composite
def cases(draw: st.DrawFn) -> Case:
    zones = draw(st.lists(st.sampled_from(["", *ZONES]), min_size=1, max_size=6))
    nodes = [node(f"n{number}", zone=zone) for number, zone in enumerate(zones)]
    names = st.sampled_from([each.name for each in nodes])
    where = draw(st.lists(st.tuples(apps, names), max_size=6))
    return Case(
        {zone: {other: draw(numbers) for other in ZONES} for zone in ZONES},
        nodes,
        [
            pod(f"p{number}", labels={"app": app}, node_name=name)
            for number, (app, name) in enumerate(where)
        ],
        draw(st.dictionaries(apps, numbers, max_size=3)),
        draw(st.none() | st.sampled_from([1, 2.5, 7])),
    )


@given(cases())
def test_a_score_is_a_whole_number_from_0_to_10(case: Case) -> None:
    assert all(type(score) is int and 0 <= score <= 10 for score in case.scores().values())


@given(cases())
def test_closer_to_every_peer_never_scores_less(case: Case) -> None:
    found, peers = case.scores(), case.places_of_peers
    for near, near_place in case.places.items():
        for far, far_place in case.places.items():
            rows = case.latency[near_place], case.latency[far_place]
            if all(rows[0][peer] <= rows[1][peer] for peer in peers):
                assert found[near] >= found[far]


@given(cases(), st.sampled_from(ZONES), st.sampled_from(ZONES), st.sampled_from([1, 0.5, 3]))
def test_a_shorter_way_never_makes_a_place_worse(
    case: Case, from_place: str, to_place: str, by: float
) -> None:
    row = case.latency[from_place]
    shorter = {**row, to_place: max(row[to_place] - by, 0)}
    better = evolve(case, latency={**case.latency, from_place: shorter})
    before, after = case.scores(), better.scores()
    assert all(after[name] >= before[name] for name, at in case.places.items() if at == from_place)


@given(cases())
def test_with_nobody_to_talk_to_all_nodes_are_equally_good(case: Case) -> None:
    for silent in (evolve(case, traffic={}), evolve(case, placed=[])):
        assert set(silent.scores().values()) == {10}
    if not case.places_of_peers:
        assert set(case.scores().values()) == {10}


@given(cases(), st.randoms(use_true_random=False))
def test_no_order_matters(case: Case, random: Random) -> None:
    def shuffled(them: list[Any]) -> list[Any]:
        return random.sample(them, len(them))

    other = Case(
        {zone: dict(shuffled([*row.items()])) for zone, row in shuffled([*case.latency.items()])},
        shuffled(case.nodes),
        shuffled(case.placed),
        dict(shuffled([*case.traffic.items()])),
        case.max_latency,
    )
    assert other.scores() == case.scores()


factors = st.sampled_from([2, 3, 10, 0.5, Fraction(1, 3)])


def times(value: Any, factor: Any) -> Fraction:
    return Fraction(str(value)) * Fraction(str(factor))


@given(cases(), factors)
def test_the_unit_of_weights_does_not_matter(case: Case, factor: Any) -> None:
    traffic = {app: times(weight, factor) for app, weight in case.traffic.items()}
    assert evolve(case, traffic=traffic).scores() == case.scores()


@given(cases(), factors)
def test_the_unit_of_latencies_does_not_matter(case: Case, factor: Any) -> None:
    latency = {
        zone: {other: times(value, factor) for other, value in row.items()}
        for zone, row in case.latency.items()
    }
    limit = None if case.max_latency is None else times(case.max_latency, factor)
    assert evolve(case, latency=latency, max_latency=limit).scores() == case.scores()


@given(cases(), numbers)
def test_without_a_limit_a_latency_that_every_way_has_does_not_matter(
    case: Case, more: Any
) -> None:
    compared = evolve(case, max_latency=None)
    latency = {
        zone: {other: times(value, 1) + times(more, 1) for other, value in row.items()}
        for zone, row in case.latency.items()
    }
    assert evolve(compared, latency=latency).scores() == compared.scores()


@given(cases())
def test_a_callable_answers_as_the_matrix_of_its_answers(case: Case) -> None:
    def latency(from_place: str, to_place: str, /) -> Any:
        return case.latency[from_place][to_place]

    assert evolve(case, latency=latency).scores() == case.scores()


@given(cases(), st.sampled_from([2, 3]))
def test_a_peer_that_is_scaled_out_evenly_stays_as_near(case: Case, by: int) -> None:
    copies = [
        pod(f"{each.name}-{copy}", labels=each.labels, node_name=each.node_name)
        for each in case.placed
        for copy in range(by)
    ]
    assert evolve(case, placed=copies).scores() == case.scores()
