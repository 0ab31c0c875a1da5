"""Nodes with pods on them."""

from hypothesis import strategies as st

from kubesched.model import Node, Pod
from kubesched.state import NodeInfo
from kubesched.testing.strategies.arriving import arrivals
from kubesched.testing.strategies.drawing import enough, refuse_odd_bounds
from kubesched.testing.strategies.growing import with_room_for
from kubesched.testing.strategies.nodes import nodes as usual_nodes
from kubesched.testing.strategies.placing import PLACED, as_it_is, settled
from kubesched.testing.strategies.pods import all_pod_keys, pods as usual_pods
from kubesched.testing.words import WORDS, Words


def node_infos(
    *,
    nodes: st.SearchStrategy[Node] | None = None,
    pods: st.SearchStrategy[Pod] | None = None,
    max_pods: int = 3,
    words: Words = WORDS,
) -> st.SearchStrategy[NodeInfo]:
    """Draw nodes with pods on them, as predicates and priorities see them.

    Each stands alone and belongs to no snapshot, so that it may be changed. There is mostly room
    for its pods.

    Args:
        nodes: what the node is like.
        pods: what its pods are like; their names are drawn from the words.
        max_pods: how many pods there are at most.
        words: what everything else is drawn from.

    Raises:
        OptionError: `max_pods` is below 0.

    >>> from hypothesis import find
    >>> find(node_infos(), lambda info: info.requested.milli_cpu > 0).requested.milli_cpu
    1000
    """
    refuse_odd_bounds(max_pods=max_pods)
    keys = enough(all_pod_keys(words), max_pods)
    pod = usual_pods(name=keys[0], words=words) if pods is None else pods
    node = usual_nodes(words=words) if nodes is None else nodes
    come = st.lists(arrivals(pod, states=PLACED[:-1], keys=keys, nodes=1), max_size=max_pods)
    make_room = with_room_for if nodes is None else as_it_is

    @st.composite
    def draw_node_and_pods(draw: st.DrawFn) -> tuple[Node, list[Pod]]:
        [there], pods = settled([draw(node)], draw(come), keys, make_room)
        return there, pods

    return draw_node_and_pods().map(node_info_of)


def node_info_of(node_and_pods: tuple[Node, list[Pod]]) -> NodeInfo:
    """Return a node with its pods; by this call examples are shown."""
    return NodeInfo.of(*node_and_pods)
