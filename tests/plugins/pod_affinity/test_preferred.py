"""Preferred affinity and anti-affinity to pods."""

from random import Random

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.errors import OptionError, SelectorError
from kubesched.framework import MAX_SCORE, SKIP
from kubesched.model import Affinity, KubeObject, LabelSelector, Pod
from kubesched.plugins.pod_affinity import INTER_POD_AFFINITY, inter_pod_affinity
from tests.plugins.asking import nodes_of, ready, scores, scores_in, snapshot_of
from tests.plugins.pod_affinity import naive
from tests.plugins.pod_affinity.saying import ODD, ODD_TEXT, odd, saying, term
from tests.plugins.pod_affinity.worlds import asked_pods, worlds

NODES = (
    node("a", labels={"zone": "a"}),
    node("b", labels={"zone": "b"}),
    node("c", labels={"zone": "c"}),
    node("nowhere"),
)
LIKES_DB, DISLIKES_DB = saying(likes=[(10, term("db"))]), saying(dislikes=[(10, term("db"))])
LIKES_WEB, DISLIKES_WEB = saying(likes=[(10, term("web"))]), saying(dislikes=[(10, term("web"))])


def web(affinity: Affinity | None = None) -> Pod:
    return pod("shop/web", labels={"app": "web"}, affinity=affinity)


def placed(name: str, node_name: str, affinity: Affinity | None = None, app: str = "db") -> Pod:
    return pod(name, labels={"app": app}, affinity=affinity, node_name=node_name)


@pytest.mark.parametrize(
    ("asked", "others", "expected"),
    [
        pytest.param(web(), [placed("shop/db", "a")], [0, 0, 0, 0], id="nobody says anything"),
        pytest.param(
            web(LIKES_DB), [placed("shop/db", "a")], [10, 0, 0, 0], id="near whom it likes"
        ),
        pytest.param(
            web(LIKES_DB),
            [placed("shop/d1", "a"), placed("shop/d2", "a"), placed("shop/d3", "b")],
            [10, 5, 0, 0],
            id="each of them counts",
        ),
        pytest.param(
            web(LIKES_DB),
            [placed(f"shop/d{i}", "a") for i in range(3)] + [placed("shop/d", "b")],
            [10, 3, 0, 0],
            id="a third of ten is cut off",
        ),
        pytest.param(
            web(DISLIKES_DB),
            [placed("shop/db", "a")],
            [0, 10, 10, 10],
            id="far from who it dislikes",
        ),
        pytest.param(
            web(saying(likes=[(10, term("db"))], dislikes=[(30, term("cache"))])),
            [placed("shop/db", "a"), placed("shop/cache", "b", app="cache")],
            [10, 0, 7, 7],
            id="from the most disliked place to the most liked one",
        ),
        pytest.param(
            web(), [placed("shop/db", "a", LIKES_WEB)], [10, 0, 0, 0], id="near who likes it"
        ),
        pytest.param(
            web(),
            [placed("shop/db", "a", DISLIKES_WEB)],
            [0, 10, 10, 10],
            id="far from who does not",
        ),
        pytest.param(
            web(),
            [placed("shop/db", "a", saying(near=[term("web")]))],
            [10, 0, 0, 0],
            id="near who must be near it",
        ),
        pytest.param(
            web(),
            [placed("shop/db", "a", saying(far=[term("web")]))],
            [0, 0, 0, 0],
            id="required anti-affinity has no weight",
        ),
        pytest.param(
            web(saying(near=[term("db")])),
            [placed("shop/db", "a")],
            [0, 0, 0, 0],
            id="nor has what the pod itself requires",
        ),
        pytest.param(
            web(LIKES_DB), [placed("batch/db", "a")], [0, 0, 0, 0], id="in its own namespace"
        ),
        pytest.param(
            web(),
            [placed("batch/db", "a", LIKES_WEB)],
            [0, 0, 0, 0],
            id="in the holder's namespace",
        ),
        pytest.param(
            web(saying(likes=[(1, term("db", ""))])),
            [placed("shop/db", "a")],
            [0, 0, 0, 0],
            id="no key is no place",
        ),
        pytest.param(
            web(LIKES_DB),
            [placed("shop/db", "nowhere")],
            [0, 0, 0, 0],
            id="nor is a node without it",
        ),
        pytest.param(
            web(LIKES_DB), [placed("shop/db", "gone")], [0, 0, 0, 0], id="or that is not there"
        ),
        pytest.param(
            web(saying(likes=[(1, term(LabelSelector(), by="kubernetes.io/hostname"))])),
            [placed("shop/x", "a", app="x"), placed("shop/db", "b")],
            [10, 10, 0, 0],
            id="anybody on the same node",
        ),
    ],
)
def test_a_node_scores_by_who_is_near(asked: Pod, others: list[Pod], expected: list[int]) -> None:
    assert scores(INTER_POD_AFFINITY, asked, *NODES, *others) == expected


def test_where_every_node_is_disliked_none_scores_10() -> None:
    a, b, *_ = NODES
    others = [placed(f"shop/db{i}", where) for i, where in enumerate(["a", "b", "b"])]
    assert scores(INTER_POD_AFFINITY, web(DISLIKES_DB), a, b, *others) == [5, 0]


def test_a_label_without_a_key_is_no_place_either() -> None:
    odd = [node(name, labels={"": name}) for name in ("a", "b")]
    likes = web(saying(likes=[(1, term("db", ""))]))
    assert scores(INTER_POD_AFFINITY, likes, *odd, placed("shop/db", "a")) == [0, 0]


def test_required_affinity_of_placed_pods_counts_with_the_hard_weight() -> None:
    others = [
        placed("shop/d1", "a", saying(near=[term("web")])),
        placed("shop/d2", "b", saying(likes=[(20, term("web"))])),
    ]
    assert scores(inter_pod_affinity(1), web(), *NODES, *others) == [0, 10, 0, 0]
    assert scores(inter_pod_affinity(10), web(), *NODES, *others) == [5, 10, 0, 0]
    assert scores(inter_pod_affinity(100), web(), *NODES, *others) == [10, 2, 0, 0]


def test_where_nothing_is_worth_anything_there_is_nothing_to_ask() -> None:
    snapshot = snapshot_of([*NODES, placed("shop/db", "a")])
    assert ready(INTER_POD_AFFINITY, web(LIKES_WEB), snapshot) is SKIP


@pytest.mark.parametrize(
    ("asked", "others"),
    [
        pytest.param(web(saying(likes=[(1, term(ODD))])), [placed("shop/db", "a")], id="own"),
        pytest.param(
            web(saying(dislikes=[(1, term(ODD))])), [placed("shop/db", "a")], id="own anti-affinity"
        ),
        pytest.param(
            web(saying(likes=[(0, term(ODD))])), [placed("shop/db", "a")], id="even of weight 0"
        ),
        pytest.param(web(), [placed("shop/db", "a", saying(likes=[(1, term(ODD))]))], id="placed"),
        pytest.param(web(), [placed("shop/db", "a", saying(near=[term(ODD)]))], id="required"),
    ],
)
def test_a_term_that_cannot_be_evaluated_is_an_error(asked: Pod, others: list[Pod]) -> None:
    with pytest.raises(SelectorError, match=f"^{ODD_TEXT}$"):
        scores(INTER_POD_AFFINITY, asked, *NODES, *others)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(saying(near=[term(ODD)], likes=[(1, term(odd("Nearer")))]), id="required"),
        pytest.param(saying(dislikes=[(1, term(ODD))]), id="preferred"),
    ],
)
def test_the_error_is_about_the_first_pod_in_the_order_of_the_nodes(first: Affinity) -> None:
    lost = placed("shop/lost", "gone", saying(near=[term(odd("Nowhere"))]))
    late = placed("shop/late", "b", saying(near=[term(odd("Nearest"))]))
    with pytest.raises(SelectorError, match=f"^{ODD_TEXT}$"):
        scores(INTER_POD_AFFINITY, web(), *NODES, lost, late, placed("shop/db", "a", first))


@pytest.mark.parametrize(
    ("asked", "others"),
    [
        pytest.param(web(saying(likes=[(1, term(ODD))])), [], id="no pods"),
        pytest.param(web(saying(likes=[(1, term(ODD))])), [placed("s/x", "gone")], id="on no node"),
        pytest.param(web(), [placed("s/x", "gone", saying(near=[term(ODD)]))], id="holder on none"),
        pytest.param(web(), [placed("s/x", "a", saying(far=[term(ODD)]))], id="anti-affinity"),
        pytest.param(web(saying(near=[term(ODD)])), [placed("shop/db", "a")], id="own required"),
    ],
)
def test_a_term_that_is_not_asked_is_none(asked: Pod, others: list[Pod]) -> None:
    assert scores(INTER_POD_AFFINITY, asked, *NODES, *others) == [0, 0, 0, 0]


@pytest.mark.parametrize("weight", [0, 101, -1, True, 1.0])
def test_a_hard_weight_that_is_out_of_range_is_refused(weight: int) -> None:
    with pytest.raises(OptionError, match="expected an integer from 1 to 100"):
        inter_pod_affinity(weight)


def test_it_may_have_another_name_and_weight() -> None:
    spec = inter_pod_affinity(5, name="Nearness", weight=3)
    assert (spec.name, spec.weight) == ("Nearness", 3)


# -- laws --------------------------------------------------------------------------------------

hard_weights = st.sampled_from([1, 50, 100])


@given(worlds(ghosts=True), asked_pods, hard_weights)
def test_it_scores_as_if_every_pod_were_asked_at_every_node(
    objects: list[KubeObject], asked: Pod, hard: int
) -> None:
    snapshot = snapshot_of(objects)
    got = scores_in(inter_pod_affinity(hard), asked, snapshot)
    assert got == naive.scores(asked, snapshot, nodes_of(snapshot), hard)
    assert all(type(score) is int and 0 <= score <= MAX_SCORE for score in got)


@given(worlds(), asked_pods, st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_pods_does_not_matter(
    objects: list[KubeObject], asked: Pod, chance: Random
) -> None:
    shuffled = chance.sample(objects, len(objects))
    one, other = (
        dict(
            zip(
                [it.name for it in nodes_of(each)],
                scores_in(INTER_POD_AFFINITY, asked, each),
                strict=True,
            )
        )
        for each in map(snapshot_of, (objects, shuffled))
    )
    assert one == other
