"""Numbers that grow: which side of the cluster changed when."""

from collections.abc import Callable
from itertools import count

from attrs import define, field

from kubesched.state.facets import Facet


def _count_up() -> Callable[[], int]:
    return count(1).__next__


@define(eq=False)
class Generations:
    """One number for each facet of the cluster; the newest change has the largest of all.

    Attributes:
        numbers: the numbers, by the facets' values; 0 where nothing has changed yet.
        tick: the next number; nodes count their own facets with it, so that a node that goes and
            comes back never has an old number again.
    """

    numbers: list[int] = field(factory=lambda: [0] * len(Facet))
    tick: Callable[[], int] = field(factory=_count_up)

    def moved(self, facet: Facet) -> None:
        """Note that a side has changed."""
        self.numbers[facet] = self.tick()

    def copy(self) -> "Generations":
        """Return numbers of their own, which go on from the same tick."""
        return Generations(self.numbers.copy(), self.tick)
