"""Two situations in one: what one has, and what the other has, comes together."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from attrs import evolve, fields

from kubesched.model import KubeObject, Node, Pod
from kubesched.model.frozen import Model
from kubesched.testing.laws.emptiness import empty
from kubesched.testing.laws.naming import under_names_of
from kubesched.testing.situation import Situation


def crossed(one: Situation, other: Situation, chance: Random) -> Situation:
    """Return a situation whose pod and nodes have what they have in either of two.

    Names are those of the first one. Where both have something else, chance decides; pods are those
    of the first one, and all other objects are there.

    >>> from kubesched.builders import node, pod
    >>> one = Situation(pod("web", labels={"app": "web"}), [node("n1", taints=["gpu:NoSchedule"])])
    >>> other = Situation(pod("db", tolerations=["gpu"]), [node("n2", zone="east"), node("n3")])
    >>> both = crossed(one, other, Random(0))
    >>> both.pod.name, dict(both.pod.labels), [it.key for it in both.pod.spec.tolerations]
    ('web', {'app': 'web'}, ['gpu'])
    >>> [(it.name, len(it.spec.taints), "east" in it.labels.values()) for it in both.nodes]
    [('n1', 1, True)]
    """
    nodes = [_with_that_of(a, b, chance) for a, b in zip(one.nodes, other.nodes, strict=False)]
    left = one.nodes[len(nodes) :]
    pod = _with_that_of(one.pod, other.pod, chance)
    return Situation(pod, [*nodes, *left, *one.pods, *_rest(one, other)])


def _rest(one: Situation, other: Situation) -> Iterator[KubeObject]:
    """Go over what is no node and no pod, in either situation."""
    them = {(it.kind, it.key): it for it in (*other.objects, *one.objects)}
    return (it for it in them.values() if not isinstance(it, Node | Pod))


def _with_that_of(it: Any, other: Any, chance: Random) -> Any:
    """Return an object with what another one has, still under its own names."""
    return under_names_of(_both(it, other, chance), it)


def _both(it: Any, other: Any, chance: Random) -> Any:
    if isinstance(it, Mapping):
        return {**other, **it} if chance.randrange(2) else {**it, **other}
    if isinstance(it, Model) and type(it) is type(other):
        return _both_models(it, other, chance)
    return chance.choice((it, other))


def _both_models(it: Any, other: Any, chance: Random) -> Any:
    return evolve(it, **dict(_changed_fields(it, other, chance)))


def _changed_fields(it: Any, other: Any, chance: Random) -> Iterator[tuple[str, Any]]:
    kind: Any = type(it)
    unset = empty(kind)
    for each in fields(kind):
        mine, others = getattr(it, each.name), getattr(other, each.name)
        nothing = getattr(unset, each.name)
        if mine == nothing != others:
            yield each.name, others
        elif mine != others != nothing:
            yield each.name, _both(mine, others, chance)
