"""What makes a pod easier, or harder, to place: one change of a situation at a time."""

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve

from kubesched.model import Container, KubeObject, Node, Pod
from kubesched.quantity import Quantity
from kubesched.testing.laws.law import Draw
from kubesched.testing.situation import Situation
from kubesched.testing.strategies import tolerations

TRIES: Final = 4
"""Changes that laws try, one after the other."""


def node_of(situation: Situation, name: str) -> Node:
    """Return the node of a name, which is there."""
    return next(each for each in situation.nodes if each.name == name)


def with_more_room(situation: Situation, name: str, draw: Draw) -> Situation:
    """Return what it is if a node has more of one of its resources."""
    node = node_of(situation, name)
    if not node.status.allocatable:
        return situation
    there = node.status.allocatable
    more = _with_more_of_one(there, [*there], draw)
    larger = evolve(node, status=evolve(node.status, allocatable=more, capacity=more))
    return _with(situation, node, larger)


def with_larger_requests(situation: Situation, draw: Draw) -> Situation:
    """Return what it is if the pod asks for more of something that it asks for already.

    What it does not ask for may count for something in scores, so that to ask for a little would
    be less.
    """
    asking = [each for each in situation.pod.spec.containers if each.resources.requests]
    if not asking:
        return situation
    chosen = draw.choose(asking)
    return _asking_for_more(situation, chosen, [*chosen.resources.requests], draw)


def with_more_requests(situation: Situation, name: str, draw: Draw) -> Situation:
    """Return what it is if the pod asks for more of something, or for something more."""
    node = node_of(situation, name)
    containers = situation.pod.spec.containers
    if not containers:
        return situation
    chosen = draw.choose(containers)
    there = dict.fromkeys([*chosen.resources.requests, *node.status.allocatable])
    return _asking_for_more(situation, chosen, [*there], draw) if there else situation


def with_one_more_toleration(situation: Situation, draw: Draw) -> Situation:
    """Return what it is if the pod tolerates more."""
    spec = situation.pod.spec
    more = (*spec.tolerations, draw(tolerations(words=draw.words)))
    return evolve(situation, pod=evolve(situation.pod, spec=evolve(spec, tolerations=more)))


def without_a_pod(situation: Situation, name: str, draw: Draw) -> Situation:
    """Return what it is if one of a node's pods is gone."""
    there = [pod for pod in situation.pods if pod.node_name == name]
    return _with(situation, draw.choose(there), None) if there else situation


def asking_for(container: Container, requests: Mapping[str, Quantity]) -> Container:
    """Return a container that asks for other amounts."""
    return evolve(container, resources=evolve(container.resources, requests=requests))


def _asking_for_more(
    situation: Situation, container: Container, resources: Sequence[str], draw: Draw
) -> Situation:
    """Return what it is if a container of the pod asks for more of one of some resources."""
    pod = situation.pod
    more = _with_more_of_one(container.resources.requests, resources, draw)
    larger = asking_for(container, more)
    containers = [larger if each is container else each for each in pod.spec.containers]
    return evolve(situation, pod=evolve(pod, spec=evolve(pod.spec, containers=containers)))


def _with_more_of_one(
    amounts: Mapping[str, Quantity], resources: Sequence[str], draw: Draw
) -> Mapping[str, Quantity]:
    name = draw.choose(resources)
    before = amounts.get(name, Quantity(0))
    numbers = [Quantity(number) for number in draw.words.numbers if number]
    more = draw.choose(draw.choose((_SOME_MORE, _SOME_MORE, [before or _A_LITTLE, *numbers])))
    return {**amounts, name: before + more}


_A_LITTLE: Final = Quantity("1m")
_SOME_MORE: Final = (_A_LITTLE, Quantity("500m"), Quantity("1Gi"))


def _with(situation: Situation, old: Node | Pod, new: KubeObject | None) -> Situation:
    after = (new if it is old else it for it in situation.objects)
    return evolve(situation, objects=[it for it in after if it is not None])
