"""Checking an extender of one's own."""

from collections.abc import Callable, Collection
from typing import ClassVar, TypeAlias

import hypothesis
from attrs import define

from kubesched.errors import OptionError
from kubesched.framework import Extender
from kubesched.model import Binding
from kubesched.state import Cluster
from kubesched.testing.machines.check_binder import BINDER_PROMISES, check_bindings
from kubesched.testing.machines.extender_machine import ExtenderMachine
from kubesched.testing.machines.promises import asked_for, left_out
from kubesched.testing.machines.running import run

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

MakeExtender: TypeAlias = Callable[[Cluster], Extender]
"""Makes an extender of a cluster."""


def check_extender(
    make_extender: MakeExtender,
    *,
    without: Collection[str] = (),
    settings: hypothesis.settings | None = None,
) -> None:
    """Check that an extender answers as it should, whatever it is asked.

    It is asked about pods while nodes and other pods come, change and go; if it binds, it also has
    to do that as `check_binder` asks for. To add steps of your own, subclass `ExtenderMachine`
    instead.

    Args:
        make_extender: makes a new extender; it is given the cluster that it will be asked about,
            in which it has to bind, if it does.
        without: the names of promises that are not asked for. Two of them the scheduler does not
            insist on: `verdicts`, a reason for each node that is dropped, and `known`, to take back
            no node that was refused before.
        settings: Hypothesis' settings.

    Raises:
        PromiseBrokenError: the extender does not keep a promise; the notes tell the smallest series
            of steps in which it does not.
        UnknownNameError: `without` names a promise that no extender makes.
        OptionError: the extender does nothing at all.

    >>> from kubesched.framework import ExtenderFilterResult
    >>> def licensed(pod, nodes):
    ...     kept = [node.name for node in nodes if "licence" in node.labels]
    ...     failed = {node.name: "no licence" for node in nodes if node.name not in kept}
    ...     return ExtenderFilterResult(kept, failed)
    >>> licences = Extender("licences", filter=licensed)
    >>> few = hypothesis.settings(max_examples=5, deadline=None)
    >>> check_extender(lambda cluster: licences, settings=few)
    """
    asked = asked_for((*ExtenderMachine.promises, *BINDER_PROMISES), without)
    extender = make_extender(Cluster())
    whose = f"extender {extender.name!r}"
    is_asked = any((extender.filter, extender.prioritize, extender.preempt))
    if not is_asked and not extender.bind:
        raise OptionError(f"{whose} does nothing (expected filter, prioritize, preempt or bind)")
    if is_asked:
        run(_machine(make_extender, asked), settings)
    if extender.bind:
        check_bindings(lambda cluster: AsBinder(make_extender(cluster)), asked, settings, whose)


def _machine(make: MakeExtender, asked: Collection[str]) -> type[ExtenderMachine]:
    class Questions(ExtenderMachine):
        without: ClassVar[Collection[str]] = left_out(ExtenderMachine.promises, asked)

        def make_extender(self, cluster: Cluster) -> Extender:
            return make(cluster)

    return Questions


@define(eq=False)
class AsBinder:
    """Lets an extender do what a binder does.

    Attributes:
        extender: an extender that binds.
    """

    extender: Extender

    def bind(self, binding: Binding, /) -> None:
        """Bind the pod."""
        if self.extender.bind is not None:
            self.extender.bind(binding)
