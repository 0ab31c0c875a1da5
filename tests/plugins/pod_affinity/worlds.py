"""Small worlds in which pods often mean each other."""

from collections.abc import Iterable, Sequence
from itertools import product

from hypothesis import strategies as st

from kubesched import builders
from kubesched.model import Affinity, KubeObject, LabelSelector, Node, Pod, PodAffinityTerm
from tests.plugins.pod_affinity.saying import ODD, saying, term

KEYS = ("zone", "rack", "kubernetes.io/hostname")
NAMESPACES = ((), (), ("shop",), ("batch", "shop"))

Selectors = Iterable[str | LabelSelector | None]


def terms(selectors: Selectors, keys: Sequence[str]) -> st.SearchStrategy[PodAffinityTerm]:
    """Draw one of the terms that these make, all ready-made."""
    made = [term(*parts) for parts in product(selectors, keys, NAMESPACES)]
    return st.integers(0, len(made) - 1).map(lambda index: made[index])


usual_terms = terms(["a", "a", "b", "b", LabelSelector(), None], KEYS)
odd_terms = terms(["a", "a", "b", "b", LabelSelector(), None, ODD], [*KEYS, ""])
"""Terms of which some cannot be evaluated, or have no topology key."""


def affinities(a_term: st.SearchStrategy[PodAffinityTerm]) -> st.SearchStrategy[Affinity | None]:
    some = st.lists(a_term, max_size=2)
    liked = st.lists(st.tuples(st.sampled_from([1, 7, 100]), a_term), max_size=1)
    return st.none() | st.builds(saying, near=some, far=some, likes=liked, dislikes=liked)


nowhere = st.just("")


def pods(
    names: Iterable[str],
    a_term: st.SearchStrategy[PodAffinityTerm],
    *,
    on: st.SearchStrategy[str] = nowhere,
) -> st.SearchStrategy[Pod]:
    """Draw a pod of app a or b in the namespace shop or batch."""
    return pods_saying(affinities(a_term), names, on)


def pods_saying(
    said: st.SearchStrategy[Affinity | None], names: Iterable[str], on: st.SearchStrategy[str]
) -> st.SearchStrategy[Pod]:
    keys = [f"{namespace}/{name}" for name in names for namespace in ("shop", "batch")]
    return st.builds(
        builders.pod,
        st.sampled_from(keys),
        labels=st.sampled_from([{"app": "a"}, {"app": "b"}]),
        affinity=said,
        node_name=on,
    )


asked_pods = pods(["asked"], usual_terms)
places = st.sampled_from(
    [{}, {"zone": "a"}, {"rack": "1"}, *({"zone": z, "rack": r} for z in "ab" for r in "12")]
)
nodes = st.builds(builders.node, st.sampled_from(["n1", "n2", "n3"]), labels=places)


@st.composite
def worlds(
    draw: st.DrawFn,
    a_term: st.SearchStrategy[PodAffinityTerm] = usual_terms,
    *,
    ghosts: bool = False,
) -> list[KubeObject]:
    """Draw nodes and pods on them, some alike; with ghosts, also on a node that does not exist."""
    drawn: list[Node] = draw(
        st.lists(nodes, min_size=1, max_size=3, unique_by=lambda node: node.name)
    )
    on = st.sampled_from([node.name for node in drawn] + ["ghost"] * ghosts)
    said = st.sampled_from(draw(st.lists(affinities(a_term), min_size=1, max_size=3)))
    placed = pods_saying(said, ["p1", "p2", "p3"], on)
    return [*drawn, *draw(st.lists(placed, max_size=5, unique_by=lambda pod: pod.key))]
