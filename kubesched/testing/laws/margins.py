"""What is just too large, or too small: where a rule errs by a little, it shows there."""

from collections.abc import Callable
from typing import Any

from attrs import evolve

from kubesched.framework import PredicateSpec
from kubesched.quantity import Quantity
from kubesched.testing.laws.curing import is_refusal
from kubesched.testing.laws.easing import asking_for, node_of
from kubesched.testing.laws.law import Draw
from kubesched.testing.laws.question import Answer, Question
from kubesched.testing.situation import Situation


def at_the_margin(
    rule: PredicateSpec[Any], before: Situation, after: Situation, name: str, draw: Draw
) -> tuple[Situation, Situation] | None:
    """Return two situations with a pod that asks for just too much in the second of them.

    None if that cannot be found.

    Args:
        rule: the predicate.
        before: a situation.
        after: what became of it.
        name: the node that is to refuse the pod.
        draw: chooses what the pod asks for: what there is more of or less, or anything.
    """
    resources = _changed_resources(before, after, name)
    if not resources or not before.pod.spec.containers:
        return None
    resource = draw.choose(resources)
    amount = just_refused(rule, after, name, resource)
    if amount is None:
        return None
    return _asking(before, resource, amount), _asking(after, resource, amount)


def _changed_resources(before: Situation, after: Situation, name: str) -> list[str]:
    """Return the resources of which a node has another amount than before, or all that it has."""
    old, new = (node_of(each, name).status.allocatable for each in (before, after))
    return [resource for resource in new if new[resource] != old.get(resource)] or [*new]


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
        pod = _asking(situation, resource, _amount(resource, number)).pod
        return Question.of(rule, pod, snapshot).answer(snapshot.node_infos[name])

    there = _number(resource, node_of(situation, name).status.allocatable.get(resource))
    number = _where_it_turns(answer, 0, there + 1)
    return None if number is None else _amount(resource, number)


def with_just_too_little(
    rule: PredicateSpec[Any], situation: Situation, name: str, draw: Draw
) -> Situation:
    """Return the situation with a node that has just too little of something for the pod.

    That is looked for in the same way. It is the same situation if the pod fits a node that has
    nothing of it, or does not fit the node as it is.

    Args:
        rule: the predicate.
        situation: the pod and the cluster.
        name: the node.
        draw: chooses of what it has too little.
    """
    there = node_of(situation, name).status.allocatable
    if not there:
        return situation
    resource = draw.choose([*there])
    most = _number(resource, there[resource])

    def smaller(number: int) -> Situation:
        return _having(situation, name, resource, _amount(resource, most - number))

    def answer(number: int) -> Answer:
        snapshot = smaller(number).snapshot()
        return Question.of(rule, situation.pod, snapshot).answer(snapshot.node_infos[name])

    number = _where_it_turns(answer, 0, most)
    return situation if number is None else smaller(number)


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


def _having(situation: Situation, name: str, resource: str, amount: Quantity) -> Situation:
    node = node_of(situation, name)
    there = {**node.status.allocatable, resource: amount}
    other = evolve(node, status=evolve(node.status, allocatable=there, capacity=there))
    return evolve(situation, objects=[other if it is node else it for it in situation.objects])


def _asking(situation: Situation, resource: str, amount: Quantity) -> Situation:
    """Return the situation with the pod's first container asking for an amount of a resource."""
    pod = situation.pod
    first, *others = pod.spec.containers
    larger = asking_for(first, {**first.resources.requests, resource: amount})
    spec = evolve(pod.spec, containers=[larger, *others])
    return evolve(situation, pod=evolve(pod, spec=spec))


def _amount(resource: str, number: int) -> Quantity:
    """Return an amount in the units that a scheduler counts in: thousandths of a cpu, or whole."""
    return Quantity(f"{number}m" if resource == "cpu" else number)


def _number(resource: str, amount: Quantity | None) -> int:
    if amount is None:
        return 0
    return max(0, amount.milli_value() if resource == "cpu" else amount.value())
