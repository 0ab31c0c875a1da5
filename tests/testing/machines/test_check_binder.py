"""Binders with mistakes are found out; ours, and honest ones of others, are not accused."""

import re
from collections.abc import Mapping

import hypothesis
import pytest
from attrs import define
from hypothesis.stateful import run_state_machine_as_test

from kubesched.builders import node, pod
from kubesched.errors import ClusterError, UnknownNameError
from kubesched.model import Binding, Pod
from kubesched.runtime import Binder, InMemoryBinder
from kubesched.state import Cluster
from kubesched.testing.machines.binder_machine import BinderMachine
from kubesched.testing.machines.check_binder import check_binder
from kubesched.testing.machines.promises import PromiseBrokenError
from kubesched.testing.machines.running import default_settings
from tests.testing.machines import broken_binders as broken

SURE = hypothesis.settings(default_settings(), derandomize=True)
FEW = hypothesis.settings(SURE, max_examples=10)
UNSHRUNK = hypothesis.settings(SURE, phases=[hypothesis.Phase.generate])

MISTAKES = {
    broken.BindsTwice: {"refuses"},
    broken.SwallowsErrors: {"refuses"},
    broken.BindsToAnotherNode: {"binds"},
    broken.BindsBySheerName: {"refuses"},
    broken.BindsWhatIsGoing: {"refuses"},
    broken.ForgetsLabels: {"untouched"},
    broken.EvictsNeighbours: {"untouched"},
    broken.RaisesAfterwards: {"binds"},
    broken.DoesNothing: {"binds", "refuses"},
}
"""Mistakes, and the promises of which one is broken first."""


@define(eq=False)
class GivesInToAssumptions(InMemoryBinder):
    """A pod that is being deleted is passed over in silence where it is assumed."""

    def bind(self, binding: Binding, /) -> None:
        there = self.cluster.latest(binding.metadata)
        if there is None or not there.is_terminating or not self.cluster.is_assumed(there):
            super().bind(binding)


def test_an_assumed_pod_is_not_there_already() -> None:
    class Machine(BinderMachine):
        def make_binder(self, cluster: Cluster) -> Binder:
            return GivesInToAssumptions(cluster)

    machine = Machine()
    machine.create_pod("a", {})
    machine.begin_to_delete_pod("default/a")
    machine.assume_pod("default/a", "n1")
    with pytest.raises(PromiseBrokenError, match="though the pod is being deleted") as caught:
        machine.bind("a-1", "n1")
    assert caught.value.promise.name == "refuses"


@pytest.mark.parametrize(
    ("kind", "promises"), MISTAKES.items(), ids=[kind.__name__ for kind in MISTAKES]
)
def test_a_binder_with_a_mistake_is_found_out(
    kind: type[InMemoryBinder], promises: set[str]
) -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        check_binder(kind, settings=UNSHRUNK)
    assert caught.value.promise.name in promises
    assert caught.value.whose == kind.__name__


def test_one_that_two_may_ask_at_once_is_found_out() -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        check_binder(broken.LooksBeforeItLeaps, settings=FEW)
    assert caught.value.promise.name == "once"


@define(eq=False)
class Idempotent(InMemoryBinder):
    """A binder that takes it for success if somebody else has done what it should."""

    def bind(self, binding: Binding, /) -> None:
        try:
            super().bind(binding)
        except ClusterError:
            there = self.cluster.latest(binding.metadata)
            if there is None or there.node_name != binding.target.name:
                raise


@define(eq=False)
class GoesByUID(InMemoryBinder):
    """A binder that knows pods by their UIDs alone."""

    def bind(self, binding: Binding, /) -> None:
        if not binding.uid:
            raise ValueError(f"{binding.key} has no UID")
        super().bind(binding)


@pytest.mark.parametrize("kind", [InMemoryBinder, Idempotent, GoesByUID])
def test_an_honest_binder_is_not_accused(kind: type[InMemoryBinder]) -> None:
    check_binder(kind, settings=FEW)


def test_the_smallest_series_of_steps_is_told() -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        check_binder(broken.BindsTwice, settings=hypothesis.settings(SURE, stateful_step_count=12))
    assert re.fullmatch(
        r"Here binding default/a \(a-\d\) to n\d raised nothing, "
        r"though the pod is bound to n\d already\.",
        str(caught.value).splitlines()[-1],
    )
    steps = "\n".join(caught.value.__notes__).splitlines()
    assert len([step for step in steps if step.startswith("state.")]) <= 6


class Server:
    """What is outside: it knows pods and binds them, and the cluster hears of nothing."""

    def __init__(self) -> None:
        self.pods: dict[str, Pod] = {}

    def bind(self, binding: Binding, /) -> None:
        pod = self.pods.get(binding.key)
        if pod is None or pod.uid != binding.uid or pod.is_terminating or pod.node_name:
            raise LookupError(f"{binding.key} cannot be bound")
        self.pods[binding.key] = pod.bound_to(binding.target.name)


class BinderOfServer(BinderMachine):
    """A binder that works somewhere else than in the cluster."""

    def __init__(self) -> None:
        self.server = Server()
        super().__init__()

    def make_binder(self, cluster: Cluster) -> Binder:
        assert not cluster.pods
        return self.server

    def create(self, pod: Pod) -> None:
        self.server.pods[pod.key] = pod

    def change(self, pod: Pod) -> None:
        self.server.pods[pod.key] = pod

    def delete(self, pod: Pod) -> None:
        del self.server.pods[pod.key]

    def pods(self) -> Mapping[str, Pod]:
        return dict(self.server.pods)


class BinderOfSilentServer(BinderOfServer):
    """The same, and errors get lost on the way."""

    def make_binder(self, cluster: Cluster) -> Binder:  # noqa: ARG002
        return broken.SwallowsErrors(Cluster.of([node("n1"), pod("a")]))


def test_a_binder_that_works_elsewhere_can_be_checked() -> None:
    run_state_machine_as_test(BinderOfServer, settings=FEW)
    with pytest.raises(PromiseBrokenError, match="raised nothing, but the pod is not bound"):
        run_state_machine_as_test(BinderOfSilentServer, settings=FEW)


@define(eq=False)
class Refuses(InMemoryBinder):
    """A binder that binds no pods of one name."""

    def bind(self, binding: Binding, /) -> None:
        if binding.key == "default/web":
            raise TimeoutError("no answer")
        super().bind(binding)


def test_it_is_told_what_threads_were_answered() -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        check_binder(Refuses, settings=FEW)
    assert str(caught.value).endswith(
        "Here binding a pod to n1 raised TimeoutError('no answer'), to n2 raised TimeoutError('no "
        "answer'), to n3 raised TimeoutError('no answer'), and it is on no node."
    )


def test_what_is_not_asked_for_may_be_broken() -> None:
    check_binder(broken.ForgetsLabels, without=["untouched"], settings=FEW)
    check_binder(broken.LooksBeforeItLeaps, without=["once"], settings=FEW)


def test_only_promises_that_are_made_can_be_left_out() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'once'"):
        check_binder(InMemoryBinder, without=["onec"])


def test_a_machine_that_does_not_say_which_binder_says_what_is_missing() -> None:
    with pytest.raises(NotImplementedError, match="override make_binder"):
        BinderMachine()
