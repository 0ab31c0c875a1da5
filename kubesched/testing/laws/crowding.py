"""Situations with more of the same: pods alike, nodes alike, and a pod that asks for everything.

A rule that counts, adds up or compares may be right about one pod of a kind and wrong about four of
them, right about nodes that differ and wrong about equal ones, or right about one resource and
wrong about all at once.
"""

from collections.abc import Iterator, Mapping
from itertools import count, islice
from random import Random
from typing import Final

from attrs import evolve

from kubesched.model import Node, Pod
from kubesched.quantity import Quantity
from kubesched.testing.laws.easing import asking_for
from kubesched.testing.laws.naming import under_names_of
from kubesched.testing.laws.picking import Change, Picker
from kubesched.testing.situation import Situation
from kubesched.testing.strategies.quantities import usual_amounts
from kubesched.testing.words import Words

MOST_COPIES: Final = 5


def crowds_of(words: Words) -> list[Picker]:
    """Return what makes situations fuller.

    Args:
        words: what resources are called, and how much of them there is.
    """
    amounts = {name: usual_amounts(name, words.numbers) for name in words.resources}

    def pick_requests(chance: Random) -> Change:
        names, alike = chance.sample([*amounts], len(amounts)), chance.choice([True, False])
        place = chance.random()
        asked = {}
        for name in names:
            place = place if alike else chance.random()
            asked[name] = amounts[name][int(place * len(amounts[name]))]
        return lambda situation: evolve(situation, pod=_asking(situation.pod, asked))

    return [_pick_copies, _pick_copies, _pick_twins, pick_requests]


def _pick_copies(chance: Random) -> Change:
    which, where, number = chance.random(), chance.random(), chance.randint(1, MOST_COPIES)

    def change(situation: Situation) -> Situation:
        pods, nodes = (situation.pod, *situation.pods), situation.nodes
        if not nodes:
            return situation
        pod = pods[int(which * len(pods))].bound_to(nodes[int(where * len(nodes))].name)
        return with_copies(situation, pod, number)

    return change


def _pick_twins(chance: Random) -> Change:
    place = chance.random()

    def change(situation: Situation) -> Situation:
        nodes = situation.nodes
        return with_equal_nodes(situation, nodes[int(place * len(nodes))]) if nodes else situation

    return change


def with_equal_nodes(situation: Situation, like: Node) -> Situation:
    """Return a situation whose nodes are all like one of them, but for what they are called.

    >>> from kubesched.builders import node, pod
    >>> before = Situation(pod("web"), [node("n1", labels={"disk": "ssd"}), node("n2")])
    >>> equal = with_equal_nodes(before, before.nodes[0])
    >>> [(it.name, it.labels["disk"]) for it in equal.nodes]
    [('n1', 'ssd'), ('n2', 'ssd')]
    """
    objects = (under_names_of(like, it) if isinstance(it, Node) else it for it in situation.objects)
    return evolve(situation, objects=objects)


def with_copies(situation: Situation, pod: Pod, number: int) -> Situation:
    """Return a situation with some more pods like a pod, by names that are not taken.

    >>> from kubesched.builders import node, pod
    >>> before = Situation(pod("web"), [node("n1"), pod("db", node_name="n1")])
    >>> [it.name for it in with_copies(before, before.pods[0], 2).pods]
    ['db', 'db-1', 'db-2']
    """
    taken = {situation.pod.key, *(it.key for it in situation.pods)}
    free = (it for it in more_like(pod) if it.key not in taken)
    return evolve(situation, objects=[*situation.objects, *islice(free, number)])


def more_like(pod: Pod) -> Iterator[Pod]:
    """Go over pods, without end, that are like a pod but for their names and uids."""
    meta = pod.metadata
    for number in count(1):
        uid = f"{meta.uid}-{number}" if meta.uid else ""
        yield evolve(pod, metadata=evolve(meta, name=f"{meta.name}-{number}", uid=uid))


def _asking(pod: Pod, requests: Mapping[str, Quantity]) -> Pod:
    """Return a pod of which every container asks for the same."""
    containers = [asking_for(each, requests) for each in pod.spec.containers]
    return evolve(pod, spec=evolve(pod.spec, containers=containers))
