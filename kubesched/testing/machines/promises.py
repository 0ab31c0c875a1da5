"""What implementations of a Protocol promise, and the error of one that does not keep it."""

from collections.abc import Collection, Iterable
from typing import ClassVar

from attrs import frozen
from hypothesis.stateful import RuleBasedStateMachine

from kubesched.errors import KubeschedError, UnknownNameError


@frozen
class Promise:
    """Something that every good implementation of a Protocol keeps, whatever happens.

    Attributes:
        name: what it is called in `without`.
        says: the promise in one sentence.
    """

    name: str
    says: str


class PromiseBrokenError(KubeschedError, AssertionError):
    """An implementation of a Protocol does not keep a promise.

    The smallest series of steps in which it does not is in the error's notes, which Python and
    pytest print below its text.

    Attributes:
        promise: the promise.
        whose: what does not keep it.
        seen: what was seen instead.

    >>> order = Promise("order", "Turns come in order.")
    >>> print(PromiseBrokenError(order, "MyQueue", "b was first"))
    MyQueue breaks the promise 'order': Turns come in order.
    Here b was first.
    """

    def __init__(self, promise: Promise, whose: str, seen: str) -> None:
        """Say which promise it is, who broke it, and what was seen."""
        super().__init__(
            f"{whose} breaks the promise {promise.name!r}: {promise.says}\nHere {seen}."
        )
        self.promise = promise
        self.whose = whose
        self.seen = seen


def asked_for(promises: Iterable[Promise], without: Iterable[str]) -> frozenset[str]:
    """Return the names of the promises that are asked for.

    Raises:
        UnknownNameError: `without` names a promise that nobody makes.

    >>> sorted(asked_for([Promise("order", "…"), Promise("time", "…")], without=["time"]))
    ['order']
    """
    known = frozenset(promise.name for promise in promises)
    for name in without:
        if name not in known:
            raise UnknownNameError("promise", name, known)
    return known.difference(without)


def left_out(promises: Iterable[Promise], asked: Collection[str]) -> frozenset[str]:
    """Return the names of those of these promises that are not asked for.

    >>> sorted(left_out([Promise("order", "…"), Promise("time", "…")], asked=["time", "once"]))
    ['order']
    """
    return frozenset(promise.name for promise in promises).difference(asked)


class PromiseMachine(RuleBasedStateMachine):
    """Steps in arbitrary order with something that makes promises.

    What a subclass overrides is called while a machine is made, so what that needs has to be there
    before: set it and then call `super().__init__()`.

    Attributes:
        promises: what it promises; a subclass may add some of its own.
        without: the names of those that are not asked for.
        whose: what it is called in errors.

    Raises:
        UnknownNameError: `without` names a promise that nobody makes.
    """

    promises: ClassVar[tuple[Promise, ...]] = ()
    without: ClassVar[Collection[str]] = ()
    whose: str = "it"

    def __init__(self) -> None:
        """Find out which promises are asked for."""
        super().__init__()
        self._asked_for = asked_for(self.promises, self.without)

    def asks_for(self, promise: Promise) -> bool:
        """Tell whether a promise is asked for."""
        return promise.name in self._asked_for

    def complain(self, promise: Promise, seen: str) -> None:
        """Say that a promise is broken, unless it is not asked for.

        Raises:
            PromiseBrokenError: it is asked for.
        """
        if self.asks_for(promise):
            raise PromiseBrokenError(promise, self.whose, seen)

    def compare(self, promise: Promise, what: str, seen: object, expected: object) -> None:
        """Complain if something is not what was expected.

        Raises:
            PromiseBrokenError: the promise is asked for, and it is not so.
        """
        if seen != expected:
            self.complain(promise, f"{what} is {seen!r}, expected {expected!r}")
