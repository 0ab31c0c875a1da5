"""Of several variants that one is taken in which a rule goes the rarest way."""

import sys
from collections.abc import Callable
from random import Random
from typing import Any

from attrs import evolve

from kubesched import FITS, Fit, NodeInfo, Pod, PredicateSpec, Reason, node, pod
from kubesched.framework import fit_of
from kubesched.model import Toleration
from kubesched.testing import WORDS, Situation
from kubesched.testing.laws.picking import Change, Picker
from kubesched.testing.laws.varying import Explorer

NO = Fit(Reason("no"))
WEB = Situation(pod("web"), [node("n1")])


def refuses_three(pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
    return NO if "a" in pod.labels and "b" in pod.labels and "c" in pod.labels else FITS


def fails_without_containers(pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
    return NO if pod.spec.containers[0].image == "db" else FITS


def labelled(chance: Random) -> Change:
    key = chance.choice("abcdefghijklmnopqrstuvwxyz")

    def change(situation: Situation) -> Situation:
        meta = situation.pod.metadata
        more = evolve(meta, labels={**meta.labels, key: ""})
        return evolve(situation, pod=evolve(situation.pod, metadata=more))

    return change


def emptied(chance: Random) -> Change:
    containers = () if chance.random() < 0.05 else WEB.pod.spec.containers
    spec = evolve(WEB.pod.spec, containers=containers)
    return lambda situation: evolve(situation, pod=evolve(situation.pod, spec=spec))


def explored(check: Callable[..., Any], picker: Picker, times: int) -> list[Situation]:
    rule = PredicateSpec("Mine", check)
    explorer = Explorer(rule, WORDS, [picker], lambda ask: ask())
    return [explorer.rarest(WEB, seed) for seed in range(times)]


def number_of(situations: list[Situation], condition: Callable[[Situation], bool]) -> int:
    return sum(map(condition, situations))


def has_all(situation: Situation) -> bool:
    return {"a", "b", "c"} <= situation.pod.labels.keys()


def test_what_needs_three_things_comes_up_again_and_again() -> None:
    assert number_of(explored(refuses_three, labelled, 200), has_all) > 20


def test_what_ends_in_an_error_comes_up_more_often_than_by_chance() -> None:
    def has_none(situation: Situation) -> bool:
        return not situation.pod.spec.containers

    assert number_of(explored(fails_without_containers, emptied, 100), has_none) > 5


def either(chance: Random) -> Change:
    """Give the pod one of two things, and take the other one away."""
    has_taint = chance.choice([True, False])
    tolerations = [Toleration(key="gpu")] if has_taint else []
    spec = evolve(WEB.pod.spec, tolerations=tolerations, priority=0 if has_taint else 7)
    return lambda situation: evolve(situation, pod=evolve(situation.pod, spec=spec))


def test_what_comes_up_by_itself_also_comes_up_together() -> None:
    def asks(pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
        wants = [Reason("taint")] if pod.spec.tolerations else []
        wants += [Reason("room")] if pod.spec.priority else []
        return fit_of(wants)

    def has_both(it: Situation) -> bool:
        return bool(it.pod.spec.tolerations and it.pod.spec.priority)

    assert number_of(explored(asks, either, 200), has_both) > 0


def test_what_a_rule_asks_for_is_learned() -> None:
    def asks(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
        return NO if node.annotations.get("DRAIN".lower()) else FITS

    found = explored(asks, emptied, 50)
    assert number_of(found, lambda it: "drain" in it.nodes[0].annotations) > 10


def test_the_same_seeds_lead_to_the_same_situations() -> None:
    assert explored(refuses_three, labelled, 50) == explored(refuses_three, labelled, 50)


def test_whoever_traced_before_goes_on_tracing() -> None:
    before = sys.gettrace()

    def trace(*_: object) -> None:
        return None

    sys.settrace(trace)
    try:
        explored(refuses_three, labelled, 1)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)
