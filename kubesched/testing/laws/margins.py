"""What is just too large, or too small: where a rule errs by a little, it shows there."""

from collections.abc import Callable
from typing import Any

from attrs import evolve

from kubesched.framework import PredicateSpec
from kubesched.model import Node, Pod
from kubesched.quantity import Quantity
from kubesched.testing.laws.curing import is_refusal
from kubesched.testing.laws.question import Answer, Question
from kubesched.testing.situation import Situation


def just_refused(
    rule: PredicateSpec[Any], situation: Situation, name: str, resource: str
) -> Quantity | None:
    """Return the least request for a resource with which a node refuses the pod.

    It is looked for by halves, between nothing and more than the node has: about 40 questions.

    Args:
        rule: the predicate.
        situation: the pod, which has a container, and the cluster.
        name: the node.
        resource: what the pod asks for.

    Returns:
        The amount; one of them if there are several, and None if nothing is refused, or nothing
        fits.
    """
    snapshot = situation.snapshot()

    def answer(number: int) -> Answer:
        pod = asking(situation.pod, resource, _amount(resource, number))
        return Question.of(rule, pod, snapshot).answer(snapshot.node_infos[name])

    there = _number(resource, _node_of(situation, name).status.allocatable.get(resource))
    number = _where_it_turns(answer, 0, there + 1)
    return None if number is None else _amount(resource, number)


def with_just_too_little(
    rule: PredicateSpec[Any], situation: Situation, name: str, resource: str
) -> Situation | None:
    """Return the situation with a node that has just too little of a resource for the pod.

    It is looked for in the same way. None if the pod fits a node that has nothing of it, or does
    not fit the node as it is.
    """
    there = _number(resource, _node_of(situation, name).status.allocatable.get(resource))

    def smaller(number: int) -> Situation:
        return _having(situation, name, resource, _amount(resource, there - number))

    def answer(number: int) -> Answer:
        snapshot = smaller(number).snapshot()
        return Question.of(rule, situation.pod, snapshot).answer(snapshot.node_infos[name])

    number = _where_it_turns(answer, 0, there)
    return None if number is None else smaller(number)


def _where_it_turns(answer: Callable[[int], Answer], fits: int, refused: int) -> int | None:
    """Return a number for which the pod is refused, while it fits for the one before."""
    if answer(fits) != () or not is_refusal(answer(refused)):
        return None
    while refused - fits > 1:
        middle = (fits + refused) // 2
        if answer(middle) == ():
            fits = middle
        else:
            refused = middle
    return refused


def _node_of(situation: Situation, name: str) -> Node:
    return next(each for each in situation.nodes if each.name == name)


def _having(situation: Situation, name: str, resource: str, amount: Quantity) -> Situation:
    node = _node_of(situation, name)
    there = {**node.status.allocatable, resource: amount}
    other = evolve(node, status=evolve(node.status, allocatable=there, capacity=there))
    return evolve(situation, objects=[other if it is node else it for it in situation.objects])


def asking(pod: Pod, resource: str, amount: Quantity) -> Pod:
    """Return the pod with its first container asking for an amount of a resource."""
    first, *others = pod.spec.containers
    requests = {**first.resources.requests, resource: amount}
    larger = evolve(first, resources=evolve(first.resources, requests=requests))
    return evolve(pod, spec=evolve(pod.spec, containers=[larger, *others]))


def _amount(resource: str, number: int) -> Quantity:
    """Return an amount in the units that a scheduler counts in: thousandths of a cpu, or whole."""
    return Quantity(f"{number}m" if resource == "cpu" else number)


def _number(resource: str, amount: Quantity | None) -> int:
    if amount is None:
        return 0
    return max(0, amount.milli_value() if resource == "cpu" else amount.value())
