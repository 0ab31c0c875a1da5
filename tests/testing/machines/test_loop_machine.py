"""Parts with mistakes are found out in the whole loop, and honest ones are not accused."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import hypothesis
import pytest
from attrs import define, evolve
from hypothesis.stateful import run_state_machine_as_test

from kubesched.config import Profile
from kubesched.framework import Extender, PredicateSpec, RuleSet
from kubesched.model import Binding
from kubesched.runtime import Binder, Clock, SchedulingQueue
from kubesched.testing.broken import LawBrokenError
from kubesched.testing.machines.loop.loop_machine import LoopMachine
from kubesched.testing.machines.promises import PromiseBrokenError
from kubesched.testing.machines.running import default_settings
from tests.testing.machines import broken_queues, dishonest_rules as rules
from tests.testing.machines.honest_queues import Wrapper

SURE = hypothesis.settings(
    default_settings(), derandomize=True, max_examples=1000, stateful_step_count=60
)
FEW = hypothesis.settings(SURE, max_examples=5)
UNSHRUNK = hypothesis.settings(SURE, phases=[hypothesis.Phase.generate])


def with_rules(*specs: PredicateSpec[Any]) -> type[LoopMachine]:
    class WithRules(LoopMachine):
        def make_profile(self) -> RuleSet:
            return Profile([*Profile.default().predicates, *specs])

    return WithRules


def with_extender(extender: Extender) -> type[LoopMachine]:
    class WithExtender(LoopMachine):
        def make_profile(self) -> RuleSet:
            return Profile.default().with_extender(extender)

    return WithExtender


def with_queue(kind: Callable[[Clock], SchedulingQueue]) -> type[LoopMachine]:
    class WithQueue(LoopMachine):
        def make_queue(self, clock: Clock) -> SchedulingQueue:
            return kind(clock)

    return WithQueue


def with_binder(kind: type["Before"]) -> type[LoopMachine]:
    class WithBinder(LoopMachine):
        def make_binder(self, outside: Binder) -> Binder:
            return kind(outside)

    return WithBinder


@define(eq=False)
class Before:
    """A binder that stands before another one, and goes on to that."""

    inner: Binder

    def bind(self, binding: Binding, /) -> None:
        self.inner.bind(binding)


@define(eq=False)
class TriesAgain(Before):
    """A binder that tries once more if it fails."""

    def bind(self, binding: Binding, /) -> None:
        try:
            super().bind(binding)
        except Exception:  # noqa: BLE001 - whatever it was
            super().bind(binding)


@define(eq=False)
class SwallowsErrors(Before):
    """A binder that does not tell when it fails."""

    def bind(self, binding: Binding, /) -> None:
        with suppress(Exception):
            super().bind(binding)


@define(eq=False)
class MixesUpNodes(Before):
    """A binder that takes one node for another."""

    def bind(self, binding: Binding, /) -> None:
        name = {"n0": "n1"}.get(binding.target.name, "n0")
        super().bind(evolve(binding, target=evolve(binding.target, name=name)))


MISTAKES = [
    pytest.param(with_queue(broken_queues.LosesWhatChanges), {"one place"}, id="loses pods"),
    pytest.param(with_binder(SwallowsErrors), {"once"}, id="swallows errors"),
    pytest.param(with_binder(MixesUpNodes), {"once"}, id="binds to another node"),
]


@pytest.mark.parametrize(("machine", "promises"), MISTAKES)
def test_a_part_with_a_mistake_is_found_out(machine: type[LoopMachine], promises: set[str]) -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        run_state_machine_as_test(machine, settings=UNSHRUNK)
    assert caught.value.promise.name in promises


def test_reads_that_are_not_declared_show() -> None:
    with pytest.raises(LawBrokenError) as caught:
        run_state_machine_as_test(with_rules(rules.RACK_IS_OPEN), settings=UNSHRUNK)
    assert (caught.value.law, caught.value.rule) == ("remembered", "RackIsOpen")


@pytest.mark.parametrize(
    "machine",
    [
        with_rules(rules.HONEST_RACK, rules.HONEST_COMPANY, rules.HONEST_SERVICE),
        with_extender(Extender("licences", bind=print)),
        with_binder(TriesAgain),
        with_queue(Wrapper),
    ],
    ids=["rules", "an extender that binds", "a binder that tries again", "a queue"],
)
def test_an_honest_part_is_not_accused(machine: type[LoopMachine]) -> None:
    run_state_machine_as_test(machine, settings=FEW)
