"""Drawing from what a machine's methods return, so that a subclass can say what is drawn.

A strategy is asked for once for each class of machines: to make one takes longer than to draw.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class DrawsFromMethods:
    """A machine whose rules draw from what its own methods return.

    Attributes:
        draws: the names of these methods.
    """

    draws: ClassVar[tuple[str, ...]] = ()
    _strategies: ClassVar[dict[str, st.SearchStrategy[Any]]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Let each class have strategies of its own."""
        super().__init_subclass__(**options)
        cls._strategies = {}

    def get_ready_to_draw(self) -> None:
        """Make all strategies, so that Hypothesis does not find the first draws slow."""
        for name in self.draws:
            self.drawn_from(name).validate()

    def drawn_from(self, name: str) -> st.SearchStrategy[Any]:
        """Return the strategy that a method returns."""
        if name not in self._strategies:
            self._strategies[name] = getattr(self, name)()
        return self._strategies[name]


def from_method(name: str) -> st.SearchStrategy[Any]:
    """Draw from the strategy that a method of the machine returns, in a rule."""
    return st.runner().flatmap(lambda machine: machine.drawn_from(name))


def often(known: Iterable[T], others: st.SearchStrategy[T]) -> st.SearchStrategy[T]:
    """Draw one of those that are known, or any other."""
    there = [*known]
    return st.sampled_from(there) | others if there else others
