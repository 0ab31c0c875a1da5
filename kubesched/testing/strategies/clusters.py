"""Whole clusters, in which one thing fits the other."""

from attrs import evolve
from hypothesis import strategies as st

from kubesched.model import KubeObject, Node, Pod
from kubesched.state import Cluster
from kubesched.testing.strategies.arriving import arrivals
from kubesched.testing.strategies.companions import companions
from kubesched.testing.strategies.drawing import enough, refuse_odd_bounds
from kubesched.testing.strategies.growing import with_room_for
from kubesched.testing.strategies.nodes import nodes as usual_nodes
from kubesched.testing.strategies.placing import PENDING, PLACED, as_it_is, settled
from kubesched.testing.strategies.pods import all_pod_keys, pods as usual_pods
from kubesched.testing.strategies.selectors import HOST_NAME
from kubesched.testing.words import WORDS, Words


def clusters(  # noqa: PLR0913 - each keyword is a bound
    *,
    min_nodes: int = 1,
    max_nodes: int = 3,
    min_placed: int = 0,
    max_placed: int = 4,
    min_pending: int = 0,
    max_pending: int = 2,
    nodes: st.SearchStrategy[Node] | None = None,
    pods: st.SearchStrategy[Pod] | None = None,
    words: Words = WORDS,
) -> st.SearchStrategy[Cluster]:
    """Draw clusters whose parts fit together.

    Pods are on nodes that exist, mostly where there is room for them; most claims that they mount
    exist and have volumes and classes; services and controllers are in the namespaces of pods and
    find some. Shrinks to one node without pods.

    Args:
        min_nodes: how many nodes there are at least.
        max_nodes: how many nodes there are at most.
        min_placed: how many pods are on nodes at least; rarely one of them has ended.
        max_placed: how many pods are on nodes at most.
        min_pending: how many pods wait at least.
        max_pending: how many pods wait at most.
        nodes: what nodes are like; their names are drawn from the words. If nothing is said, they
            also grow where pods find no room.
        pods: what pods are like; their names and namespaces are drawn from the words.
        words: what everything else is drawn from.

    Raises:
        OptionError: a bound is below 0, or a minimum above its maximum.

    >>> from hypothesis import find
    >>> smallest = find(clusters(min_placed=1), lambda cluster: True)
    >>> list(smallest.nodes), [(pod.key, pod.node_name) for pod in smallest.pods.values()]
    (['n1'], [('default/p1', 'n1')])
    """
    return cluster_objects(
        min_nodes=min_nodes,
        max_nodes=max_nodes,
        min_placed=min_placed,
        max_placed=max_placed,
        min_pending=min_pending,
        max_pending=max_pending,
        nodes=nodes,
        pods=pods,
        words=words,
    ).map(Cluster.of)


def cluster_objects(  # noqa: PLR0913 - each keyword is a bound
    *,
    min_nodes: int = 1,
    max_nodes: int = 3,
    min_placed: int = 0,
    max_placed: int = 4,
    min_pending: int = 0,
    max_pending: int = 2,
    nodes: st.SearchStrategy[Node] | None = None,
    pods: st.SearchStrategy[Pod] | None = None,
    words: Words = WORDS,
) -> st.SearchStrategy[tuple[KubeObject, ...]]:
    """Draw what `clusters` are made of: nodes, then pods, then the rest.

    Raises:
        OptionError: a bound is below 0, or a minimum above its maximum.

    >>> from hypothesis import find
    >>> [str(each) for each in find(cluster_objects(min_placed=2), lambda objects: True)]
    ['n1', 'default/p1', 'default/p2']
    """
    refuse_odd_bounds(min_nodes=min_nodes, max_nodes=max_nodes)
    refuse_odd_bounds(min_placed=min_placed, max_placed=max_placed)
    refuse_odd_bounds(min_pending=min_pending, max_pending=max_pending)
    names = enough(words.node_names, max_nodes)
    keys = enough(all_pod_keys(words), max_placed + max_pending)
    some_nodes = st.dictionaries(
        st.sampled_from(names),
        usual_nodes(name=names[0], words=words) if nodes is None else nodes,
        min_size=min_nodes,
        max_size=max_nodes,
    )
    pod = usual_pods(name=keys[0], words=words) if pods is None else pods
    placed = arrivals(pod, states=PLACED, keys=keys, nodes=max_nodes)
    pending = arrivals(pod, states=PENDING, keys=keys, nodes=max_nodes)
    some_placed = st.lists(placed, min_size=min_placed, max_size=max_placed)
    some_pending = st.lists(pending, min_size=min_pending, max_size=max_pending)
    around = companions(words=words)
    make_room = with_room_for if nodes is None else as_it_is

    @st.composite
    def draw_objects(draw: st.DrawFn) -> tuple[KubeObject, ...]:
        named = [_renamed(node, name) for name, node in draw(some_nodes).items()]
        waiting = draw(some_pending)  # first, because examples shrink to what is drawn last
        there, come = settled(named, (*draw(some_placed), *waiting), keys, make_room)
        return (*there, *come, *draw(around(there, come)))

    return draw_objects()


def _renamed(node: Node, name: str) -> Node:
    """Call a node something else, also where its labels say what it is called."""
    labels = node.labels
    if labels.get(HOST_NAME) == node.name:
        labels = {**labels, HOST_NAME: name}
    return evolve(node, metadata=evolve(node.metadata, name=name, labels=labels))
