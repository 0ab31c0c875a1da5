"""How the strategies are put together.

What is drawn is right from the start: nothing is thrown away. Strategies are made once and not
inside a draw, which would cost more than the draw itself.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from types import EllipsisType
from typing import Any, TypeAlias, TypeVar

from hypothesis import strategies as st

from kubesched.errors import OptionError

T = TypeVar("T")

Drawn: TypeAlias = st.SearchStrategy[T] | T | EllipsisType
"""A strategy, or a value that it always is; what is left out is drawn as usual."""


def refuse_odd_bounds(least: int = 0, **bounds: Any) -> None:
    """Refuse what cannot be a number of things, and a minimum above its maximum.

    Args:
        least: the smallest number that makes sense.
        bounds: numbers by their names; `min_nodes` belongs to `max_nodes`.

    Raises:
        OptionError: it is no such number, or there is nothing between the two.

    >>> refuse_odd_bounds(min_nodes=3, max_nodes=2)
    Traceback (most recent call last):
        ...
    kubesched.errors.OptionError: min_nodes is 3, expected no more than max_nodes, 2
    """
    for name, number in bounds.items():
        if not isinstance(number, int) or number < least:
            raise OptionError(f"{name} is {number!r}, expected {least} or more")
    for name, number in bounds.items():
        maximum = name.replace("min_", "max_", 1)
        if number > bounds.get(maximum, number):
            raise OptionError(
                f"{name} is {number}, expected no more than {maximum}, {bounds[maximum]}"
            )


def said(given: Drawn[Any], usual: st.SearchStrategy[Any]) -> Any:
    """Return what was given, be it a value or a strategy, or else the usual.

    >>> said("n1", st.text()), said(..., st.just("n2"))
    ('n1', just('n2'))
    """
    return usual if given is ... else given


def drawn(given: Drawn[Any], usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return the strategy for what was given, or else the usual.

    >>> drawn("n1", st.text())
    just('n1')
    """
    it = said(given, usual)
    return it if isinstance(it, st.SearchStrategy) else st.just(it)


def mostly(
    usual: st.SearchStrategy[T], rare: st.SearchStrategy[T], *, one_in: int = 8
) -> st.SearchStrategy[T]:
    """Draw the usual, and one time in `one_in` the rare; shrinks to the usual.

    The usual is drawn in any case: Hypothesis takes for simpler what takes fewer draws.
    """
    dice = st.integers(0, one_in - 1)

    @st.composite
    def draw_either(draw: st.DrawFn) -> T:
        value = draw(usual)
        return draw(rare) if draw(dice) == one_in - 1 else value

    return draw_either()


def some(names: Iterable[T], *, most: int, least: int = 0) -> st.SearchStrategy[list[T]]:
    """Draw a few of the names, each at most once; shrinks to the first of them."""
    names = tuple(names)
    if not names:
        return st.builds(list)
    return st.lists(
        st.sampled_from(names), min_size=least, max_size=min(most, len(names)), unique=True
    )


def made(
    make: Callable[..., T],
    always: Mapping[str, Any],
    given: Mapping[str, Drawn[Any]],
    usual: Mapping[str, st.SearchStrategy[Any]],
    *,
    most: int = 4,
) -> st.SearchStrategy[T]:
    """Call `make` with the parts that there always are, those that were given, and a few others.

    What has every feature at once tells its reader nothing, and takes long to draw.

    Args:
        make: makes it, from keywords.
        always: the parts that there are in any case, each a value or a strategy.
        given: what somebody said of further parts; `...` where nothing.
        usual: how these are drawn where nothing was said.
        most: how many of those of which nothing was said are drawn at most.
    """
    known = {**always, **{key: it for key, it in given.items() if it is not ...}}
    parts = {key: it for key, it in known.items() if isinstance(it, st.SearchStrategy)}
    constant = {key: it for key, it in known.items() if key not in parts}
    chosen = some([key for key, it in given.items() if it is ...], most=most)

    @st.composite
    def draw_made(draw: st.DrawFn) -> T:
        values = {**constant, **{key: draw(part) for key, part in parts.items()}}
        for key in draw(chosen):
            values[key] = draw(usual[key])
        return make(**values)

    return draw_made()


def enough(names: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Return at least so many names.

    >>> enough(("n1", "n2"), 4)
    ('n1', 'n2', 'n3', 'n4')
    """
    if len(names) >= number:
        return names
    stem = names[0].rstrip("0123456789") if names else "x"
    further = (f"{stem}{each}" for each in count(1))
    missing = (each for each in further if each not in names)
    return (*names, *(next(missing) for _ in range(number - len(names))))
