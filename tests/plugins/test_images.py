"""Nodes that hold a pod's images already."""

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import container, node, pod
from kubesched.plugins.images import (
    IMAGE_LOCALITY,
    normalized_image_name,
)
from kubesched.state import Cluster
from tests.plugins.asking import scores, scores_in

MEBIBYTE = 2**20
MIN_THRESHOLD = 23 * MEBIBYTE
MAX_THRESHOLD = 1000 * MEBIBYTE

NAMES = [
    pytest.param("nginx", "nginx:latest", id="no tag is latest"),
    pytest.param("nginx:1.15", "nginx:1.15", id="a tag stays"),
    pytest.param("shop/nginx", "shop/nginx:latest", id="in a folder"),
    pytest.param("registry:5000/nginx", "registry:5000/nginx:latest", id="a port is no tag"),
    pytest.param("registry:5000/nginx:1", "registry:5000/nginx:1", id="a port and a tag"),
    pytest.param("nginx@sha256:abc", "nginx@sha256:abc", id="a digest passes for a tag"),
    pytest.param("", ":latest", id="no name at all"),
]


@pytest.mark.parametrize(("name", "normalized"), NAMES)
def test_a_name_gets_the_tag_latest_if_it_has_none(name: str, normalized: str) -> None:
    assert normalized_image_name(name) == normalized


def score_of(mebibytes: float, *, image: str = "web:1", held: str = "web:1") -> int:
    """Score the only node, which holds an image of this size."""
    (score,) = scores(
        IMAGE_LOCALITY,
        pod("web-1", image=image),
        node("n1", images={held: round(mebibytes * MEBIBYTE)}),
    )
    return score


SIZES = [
    pytest.param(0, 0, id="nothing"),
    pytest.param(23, 0, id="the lower threshold"),
    pytest.param(120, 0, id="just below a tenth of the way"),
    pytest.param(120.71, 1, id="a tenth of the way"),
    pytest.param(511.5, 5, id="half of the way"),
    pytest.param(511.4, 4, id="just below half of the way is cut off"),
    pytest.param(999.99, 9, id="just below the upper threshold"),
    pytest.param(1000, 10, id="the upper threshold"),
    pytest.param(5000, 10, id="more than that"),
]


@pytest.mark.parametrize(("mebibytes", "score"), SIZES)
def test_a_node_scores_by_the_bytes_that_it_holds(mebibytes: float, score: int) -> None:
    assert score_of(mebibytes) == score


def test_only_the_pods_name_gets_the_tag_latest() -> None:
    assert score_of(1000, image="web", held="web:latest") == 10
    assert score_of(1000, image="web", held="web") == 0
    assert score_of(1000, image="web:latest", held="web:latest") == 10


def test_an_image_that_the_pod_does_not_use_does_not_count() -> None:
    assert score_of(1000, image="web:1", held="web:2") == 0


def test_the_images_of_all_containers_add_up() -> None:
    asked = pod("web-1", containers=[container(image="a:1"), container(image="b:1")])
    half = 512 * MEBIBYTE
    nodes = [node("both", images={"a:1": half, "b:1": half}), node("none")]
    # Each image is on one node of two, so that half of its size counts.
    assert scores(IMAGE_LOCALITY, asked, *nodes) == [5, 0]


def test_an_image_counts_as_often_as_it_is_used() -> None:
    twice = pod("web-1", containers=[container(image="a:1")] * 2)
    holding = node("n1", images={"a:1": 500 * MEBIBYTE})
    assert scores(IMAGE_LOCALITY, twice, holding) == [10]


def test_images_of_init_containers_do_not_count() -> None:
    asked = pod("web-1", init_containers=[container(image="a:1")])
    assert scores(IMAGE_LOCALITY, asked, node("n1", images={"a:1": MAX_THRESHOLD})) == [0]


def test_an_image_that_more_nodes_hold_counts_for_more() -> None:
    holding = [node(f"n{index}", images={"web:1": MAX_THRESHOLD}) for index in range(4)]
    asked = pod("web-1", image="web:1")
    by_holders = [
        scores(IMAGE_LOCALITY, asked, *holding[:count], *map(node, "abcd"[count:]))[0]
        for count in range(1, 5)
    ]
    assert by_holders == [2, 4, 7, 10]


def test_a_node_knows_the_holders_of_when_it_was_last_heard_of() -> None:
    cluster = Cluster()
    nodes = [node(name, images={"web:1": MAX_THRESHOLD}) for name in "ab"]
    for each in nodes:
        cluster.add_node(each)
    asked = pod("web-1", image="web:1")
    assert scores_in(IMAGE_LOCALITY, asked, cluster.snapshot()) == [4, 10]
    cluster.update_node(nodes[0])
    assert scores_in(IMAGE_LOCALITY, asked, cluster.snapshot()) == [10, 10]


images = st.dictionaries(st.sampled_from(["a:1", "b:1", "c:1"]), st.integers(0, 2 * MAX_THRESHOLD))


@given(images, st.lists(st.sampled_from(["a:1", "b:1", "c:1"]), max_size=3), st.integers(1, 9))
def test_holding_one_more_image_never_hurts(
    held: dict[str, int], wanted: list[str], more: int
) -> None:
    asked = pod("web-1", containers=[container(image=image) for image in wanted])
    fewer = [node("n1", images=held), node("n2")]
    richer = [node("n1", images={"b:1": more * MIN_THRESHOLD, **held}), node("n2")]
    (before, none), (after, _) = (
        scores(IMAGE_LOCALITY, asked, *nodes) for nodes in (fewer, richer)
    )
    assert 0 == none <= before <= after <= 10
