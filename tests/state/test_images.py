from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import node as make_node
from kubesched.model import ContainerImage, Node
from kubesched.state import ImageState
from kubesched.state.images import Images
from tests.strategies import images

named = st.dictionaries(st.sampled_from(["n1", "n2", "n3"]), images(), max_size=3)


def holding(name: str, held: list[ContainerImage]) -> Node:
    node = make_node(name)
    return evolve(node, status=evolve(node.status, images=held))


def image_names(node: Node) -> set[str]:
    return {name for image in node.status.images for name in image.names}


def test_a_node_learns_how_many_hold_its_images_as_it_comes() -> None:
    images = Images()
    first, second = make_node("n1", images={"web": 10}), make_node("n2", images={"web": 10})
    assert images.add(first) == {"web": ImageState(10, 1)}
    assert images.add(second) == {"web": ImageState(10, 2)}
    images.remove(first)
    assert images.add(first) == {"web": ImageState(10, 2)}


def test_an_image_has_the_size_that_was_reported_first() -> None:
    images = Images()
    first = make_node("n1", images={"web": 10})
    images.add(first)
    assert images.add(make_node("n2", images={"web": 20})) == {"web": ImageState(10, 2)}
    images.remove(first)
    assert images.add(make_node("n3", images={"web": 30})) == {"web": ImageState(10, 2)}


def test_an_image_that_nobody_holds_is_forgotten_with_its_size() -> None:
    images = Images()
    node = make_node("n1", images={"web": 10})
    images.add(node)
    images.remove(node)
    assert images.holders() == {}
    assert images.add(make_node("n2", images={"web": 20})) == {"web": ImageState(20, 1)}


def test_an_image_is_known_by_each_of_its_names() -> None:
    node = holding("n1", [ContainerImage(names=["web:1", "web@sha256:1"], size_bytes=10)])
    assert Images().add(node) == {"web:1": ImageState(10, 1), "web@sha256:1": ImageState(10, 1)}


def test_a_name_that_a_node_gives_twice_counts_once() -> None:
    twice = [ContainerImage(names=["web", "web"], size_bytes=10)]
    node, images = holding("n1", [*twice, ContainerImage(names=["web"], size_bytes=20)]), Images()
    assert images.add(node) == {"web": ImageState(10, 1)}
    images.remove(node)
    assert images.holders() == {}


@given(named, st.sets(st.sampled_from(["n1", "n2", "n3"])))
def test_an_image_is_held_by_the_nodes_that_say_so(
    given: dict[str, list[ContainerImage]], gone: set[str]
) -> None:
    images, nodes = Images(), [holding(name, held) for name, held in given.items()]
    for number, node in enumerate(nodes, start=1):
        for name, state in images.add(node).items():
            assert state.num_nodes == sum(name in image_names(each) for each in nodes[:number])
    for node in nodes:
        if node.name in gone:
            images.remove(node)
    left = [node for node in nodes if node.name not in gone]
    assert images.holders() == {
        name: {node.name for node in left if name in image_names(node)}
        for node in left
        for name in image_names(node)
    }


@given(named, images())
def test_a_copy_has_images_of_its_own(
    given: dict[str, list[ContainerImage]], more: list[ContainerImage]
) -> None:
    images, nodes = Images(), [holding(name, held) for name, held in given.items()]
    for node in nodes:
        images.add(node)
    before, copy = images.holders(), images.copy()
    assert copy.holders() == before
    copy.add(holding("n9", more))
    for node in nodes:
        copy.remove(node)
    assert images.holders() == before
    assert copy.holders().keys() == image_names(holding("n9", more))
