"""Which of the best nodes it is to be.

Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go (selectHost).
"""

from collections.abc import Sequence
from random import Random as Generator
from typing import Protocol

from attrs import define, field


class HostSelector(Protocol):
    """Picks one of several nodes that are equally good.

    It is asked at every choice, even if there is one such node, and never with none.
    """

    def __call__(self, tied: Sequence[str], /) -> str: ...


@define(eq=False)
class RoundRobin:
    """Takes the tied nodes in turn, as the original does.

    Attributes:
        index: how many choices it has made; the next one is the tied node at this index, modulo
            their number.

    >>> choose = RoundRobin()
    >>> choose(["a", "b"]), choose(["a", "b"]), choose(["a", "b"])
    ('a', 'b', 'a')
    """

    index: int = 0

    def __call__(self, tied: Sequence[str], /) -> str:
        """Return the node whose turn it is."""
        chosen = tied[self.index % len(tied)]
        self.index += 1
        return chosen


@define(eq=False)
class Random:
    """Takes one of the tied nodes by chance, the same ones for the same seed.

    >>> Random(7)(["a", "b", "c"]) == Random(7)(["a", "b", "c"])
    True
    """

    seed: int
    _generator: Generator = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._generator = Generator(self.seed)  # noqa: S311 - nothing here is secret

    def __call__(self, tied: Sequence[str], /) -> str:
        """Return one of the nodes."""
        return self._generator.choice(tied)


@define(eq=False)
class FirstByName:
    """Takes the smallest name, so that the order of nodes does not matter.

    >>> FirstByName()(["b", "a"])
    'a'
    """

    def __call__(self, tied: Sequence[str], /) -> str:
        """Return the smallest name."""
        return min(tied)


def select_host(names: Sequence[str], totals: Sequence[int], choose: HostSelector) -> str:
    """Return a node with the highest total; O(nodes).

    Args:
        names: the nodes, at least one.
        totals: their totals, in the same order.
        choose: picks among those that share the highest.

    >>> select_host(["a", "b", "c"], [3, 9, 9], FirstByName())
    'b'
    """
    highest = max(totals)
    return choose([name for name, total in zip(names, totals, strict=True) if total == highest])
