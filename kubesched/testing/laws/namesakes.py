"""Other situations with nodes of the same names, for rules that remember things by names."""

from attrs import evolve

from kubesched.model import KubeObject, Node, Pod
from kubesched.testing.situation import Situation


def with_names_of(situation: Situation, other: Situation) -> Situation:
    """Return the other situation, its nodes called as those of the first as far as these go.

    >>> from kubesched.builders import node, pod
    >>> one = Situation(pod("web"), [node("n3")])
    >>> other = Situation(pod("db"), [node("n1"), pod("x", node_name="n1"), node("n2")])
    >>> [it.name for it in with_names_of(one, other).nodes]
    ['n3', 'n1']
    """
    known = [node.name for node in situation.nodes]
    old = [node.name for node in other.nodes]
    new = [*known, *(name for name in old if name not in known)]
    names = dict(zip(old, new, strict=False))
    return evolve(other, objects=[_renamed(it, names) for it in other.objects])


def _renamed(it: KubeObject, names: dict[str, str]) -> KubeObject:
    if isinstance(it, Node):
        return evolve(it, metadata=evolve(it.metadata, name=names[it.name]))
    if isinstance(it, Pod):
        return evolve(it, spec=evolve(it.spec, node_name=names.get(it.node_name, it.node_name)))
    return it
