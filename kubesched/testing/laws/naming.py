"""The same situation with plainer names."""

from collections.abc import Iterator
from typing import Any, Final, TypeVar

from attrs import evolve

from kubesched.model import KubeObject, Node, Pod
from kubesched.testing.situation import Situation
from kubesched.testing.strategies.selectors import HOST_NAME
from kubesched.testing.words import WORDS

K = TypeVar("K", bound=KubeObject)

_PLAIN_NODES: Final = WORDS.node_names
_PLAIN_NAMESPACES: Final = WORDS.namespaces


def plainer(situation: Situation) -> Iterator[Situation]:
    """Go over situations in which a node or a namespace has a plainer name that is not taken.

    >>> from kubesched.builders import node, pod
    >>> odd = Situation(pod("team/web"), [node("seven")])
    >>> [it.nodes[0].name for it in plainer(odd)], [it.pod.namespace for it in plainer(odd)]
    (['n1', 'seven'], ['team', 'default'])
    """
    taken = [node.name for node in situation.nodes]
    for old in taken:
        for new in _plainer(old, _PLAIN_NODES):
            if new not in taken:
                yield _with_node_called(situation, old, new)
                break
    everything = (situation.pod, *situation.objects)
    for old in dict.fromkeys(it.namespace for it in everything if it.namespace):
        for new in _plainer(old, _PLAIN_NAMESPACES)[:1]:
            moved = [_in_namespace(it, old, new) for it in situation.objects]
            pod = _in_namespace(situation.pod, old, new)
            if len({(it.kind, it.key) for it in (pod, *moved)}) == len(everything):
                yield Situation(pod, moved)


def under_names_of(it: K, own: KubeObject) -> K:
    """Return an object called as another one is, also where labels say what a node is called.

    >>> from kubesched.builders import node
    >>> under_names_of(node("n2", labels={"disk": "ssd"}), node("n1")) == node(
    ...     "n1", labels={"disk": "ssd"}
    ... )
    True
    """
    labels = {key: text for key, text in it.labels.items() if key != HOST_NAME}
    if HOST_NAME in own.labels:
        labels[HOST_NAME] = own.labels[HOST_NAME]
    meta = evolve(it.metadata, name=own.name, namespace=own.namespace, uid=own.metadata.uid)
    return evolve(it, metadata=evolve(meta, labels=labels))


def _plainer(name: str, plain: tuple[str, ...]) -> tuple[str, ...]:
    return plain[: plain.index(name)] if name in plain else plain


def _with_node_called(situation: Situation, old: str, new: str) -> Situation:
    pod = _on_node(situation.pod, old, new)
    return Situation(pod, [_on_node(it, old, new) for it in situation.objects])


def _on_node(it: Any, old: str, new: str) -> Any:
    match it:
        case Node() if it.name == old:
            labels = {k: new if k == HOST_NAME and v == old else v for k, v in it.labels.items()}
            return evolve(it, metadata=evolve(it.metadata, name=new, labels=labels))
        case Pod() if it.node_name == old:
            return evolve(it, spec=evolve(it.spec, node_name=new))
        case Pod() if it.status.nominated_node_name == old:
            return evolve(it, status=evolve(it.status, nominated_node_name=new))
        case _:
            return it


def _in_namespace(it: Any, old: str, new: str) -> Any:
    if it.namespace != old:
        return it
    return evolve(it, metadata=evolve(it.metadata, namespace=new))
