"""What makes a pod easier, or harder, to place: one change of a situation at a time."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from attrs import evolve

from kubesched.model import Container, KubeObject, Node, Pod
from kubesched.quantity import Quantity
from kubesched.testing.laws.law import Draw
from kubesched.testing.situation import Situation
from kubesched.testing.strategies import tolerations

T = TypeVar("T")


def with_more_room(situation: Situation, name: str, draw: Draw) -> Situation:
    """Return what it is if a node has more of one of its resources."""
    node = next(each for each in situation.nodes if each.name == name)
    if not node.status.allocatable:
        return situation
    more = _with_more_of_one(node.status.allocatable, draw)
    larger = evolve(node, status=evolve(node.status, allocatable=more, capacity=more))
    return _with(situation, node, larger)


def with_larger_requests(situation: Situation, draw: Draw) -> Situation:
    """Return what it is if the pod asks for more of something that it asks for already.

    What it does not ask for may count for something in scores, so that to ask for a little would
    be less.
    """
    containers = situation.pod.spec.containers
    asking = [index for index, each in enumerate(containers) if each.resources.requests]
    if not asking:
        return situation
    index = draw.choose(asking)
    larger = _asking_for_more(containers[index], draw)
    spec = evolve(situation.pod.spec, containers=_replaced(containers, index, larger))
    return evolve(situation, pod=evolve(situation.pod, spec=spec))


def with_one_more_toleration(situation: Situation, draw: Draw) -> Situation:
    """Return what it is if the pod tolerates more."""
    spec = situation.pod.spec
    more = (*spec.tolerations, draw(tolerations(words=draw.words)))
    return evolve(situation, pod=evolve(situation.pod, spec=evolve(spec, tolerations=more)))


def without_a_pod(situation: Situation, name: str, draw: Draw) -> Situation:
    """Return what it is if one of a node's pods is gone."""
    there = [pod for pod in situation.pods if pod.node_name == name]
    return _with(situation, draw.choose(there), None) if there else situation


def _asking_for_more(container: Container, draw: Draw) -> Container:
    resources = container.resources
    more = _with_more_of_one(resources.requests, draw)
    return evolve(container, resources=evolve(resources, requests=more))


def _with_more_of_one(amounts: Mapping[str, Quantity], draw: Draw) -> Mapping[str, Quantity]:
    name = draw.choose([*amounts])
    numbers = [Quantity(number) for number in draw.words.numbers if number]
    more = draw.choose([amounts[name], *numbers, *_SOME_MORE])
    return {**amounts, name: amounts[name] + more}


_SOME_MORE: Final = (Quantity("1m"), Quantity("500m"), Quantity("1Gi"))


def _replaced(items: Sequence[T], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _with(situation: Situation, old: Node | Pod, new: KubeObject | None) -> Situation:
    after = (new if it is old else it for it in situation.objects)
    return evolve(situation, objects=[it for it in after if it is not None])
