"""Checking a binder of one's own."""

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import ClassVar, Final, TypeAlias

import hypothesis
from attrs import evolve

from kubesched.builders import node, pod
from kubesched.model import Binding
from kubesched.runtime import Binder
from kubesched.state import Cluster
from kubesched.testing.machines.binder_machine import NODES, BinderMachine
from kubesched.testing.machines.promises import Promise, PromiseBrokenError, asked_for, left_out
from kubesched.testing.machines.running import run

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

MakeBinder: TypeAlias = Callable[[Cluster], Binder]
"""Makes a binder that binds in a cluster."""

ONCE: Final = Promise("once", "Whoever asks at the same time, a pod is bound once.")

BINDER_PROMISES: Final = (*BinderMachine.promises, ONCE)

_ROUNDS: Final = 20


def check_binder(
    make_binder: MakeBinder,
    *,
    without: Collection[str] = (),
    settings: hypothesis.settings | None = None,
) -> None:
    """Check that a binder binds what can be bound, and that all else is an error.

    Pods are created, deleted and bound in arbitrary order; after each binding it is seen what has
    become of all pods. Then threads want to bind one pod to different nodes. If your binder does
    not bind in a `Cluster`, subclass `BinderMachine` instead.

    Args:
        make_binder: makes a binder that binds in the cluster which it is given.
        without: the names of promises that are not asked for.
        settings: Hypothesis' settings.

    Raises:
        PromiseBrokenError: the binder does not keep a promise; the notes tell the smallest series
            of steps in which it does not.
        UnknownNameError: `without` names a promise that no binder makes.

    >>> from kubesched.runtime import InMemoryBinder
    >>> check_binder(InMemoryBinder, settings=hypothesis.settings(max_examples=5, deadline=None))
    """
    asked = asked_for(BINDER_PROMISES, without)
    check_bindings(make_binder, asked, settings)


def check_bindings(
    make_binder: MakeBinder,
    asked: Collection[str],
    settings: hypothesis.settings | None,
    whose: str = "",
) -> None:
    """Check what is asked for of the promises that whatever binds makes.

    Raises:
        PromiseBrokenError: one is not kept.
    """
    run(_machine(make_binder, asked, whose), settings)
    if ONCE.name in asked:
        for _ in range(_ROUNDS):
            check_once(make_binder, whose)


def _machine(make: MakeBinder, asked: Collection[str], whose: str) -> type[BinderMachine]:
    class Binding(BinderMachine):
        without: ClassVar[Collection[str]] = left_out(BinderMachine.promises, asked)

        def __init__(self) -> None:
            super().__init__()
            self.whose = whose or self.whose

        def make_binder(self, cluster: Cluster) -> Binder:
            return make(cluster)

    return Binding


def check_once(make_binder: MakeBinder, whose: str = "") -> None:
    """Let threads bind one pod to different nodes at the same time."""
    web = pod("web")
    web = evolve(web, metadata=evolve(web.metadata, uid="web-1"))
    cluster = Cluster.of([*map(node, NODES), web])
    binder, start = make_binder(cluster), Barrier(len(NODES))

    def bind(node_name: str) -> Exception | None:
        start.wait()
        try:
            binder.bind(Binding.of(web, node_name))
        except Exception as error:  # noqa: BLE001 - a binder may raise what it likes
            return error
        return None

    with ThreadPoolExecutor(len(NODES)) as pool:
        raised = dict(zip(NODES, pool.map(bind, NODES), strict=True))
    there = cluster.pods.get(web.key)
    where = there.node_name if there is not None else ""
    if [name for name, error in raised.items() if error is None] != [where]:
        each = [
            f"to {name} raised {'nothing' if error is None else repr(error)}"
            for name, error in raised.items()
        ]
        seen = f"binding a pod {', '.join(each)}, and it is on {where or 'no node'}"
        raise PromiseBrokenError(ONCE, whose or type(binder).__name__, seen)
