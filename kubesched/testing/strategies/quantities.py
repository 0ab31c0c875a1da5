"""Amounts of resources, on whose edges things often meet."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from hypothesis import strategies as st

from kubesched.builders import Amount
from kubesched.errors import OptionError
from kubesched.quantity import Quantity
from kubesched.testing.strategies.drawing import Drawn, drawn, mostly, refuse_odd_bounds, some
from kubesched.testing.words import WORDS, Words

_LARGEST: Final = 2**63 - 1
# 0.1 + 0.2 is not 0.3 to a float, and past 2^53 not every whole number is one.
_FRACTIONS: Final = ("500m", "100m", "200m", "300m", "1500m", "1n")
_HUGE: Final = (str(2**53 + 1), str(_LARGEST))
_HUGE_ONE_IN: Final = 2
_OF_BYTES: Final = ("memory", "ephemeral-storage", "storage")
_SIZES: Final = ("Gi", "Mi", "M", "")
_UNITS: Final = {"": 10**9, "m": 10**6, "n": 1}


def quantities(
    *,
    min_value: Amount = 0,
    max_value: Amount = _LARGEST,
    words: Words = WORDS,
) -> st.SearchStrategy[Quantity]:
    """Draw amounts of whatever: mostly few and plain ones, some not whole, some huge.

    The bounds are drawn often. Shrinks to 1, or to what is plain and within the bounds.

    Args:
        min_value: the smallest amount.
        max_value: the largest amount.
        words: whose numbers are drawn.

    Raises:
        OptionError: there is nothing within the bounds.

    >>> from hypothesis import find
    >>> find(quantities(), bool), find(quantities(min_value="2Gi"), bool)
    (Quantity('1'), Quantity('2Gi'))
    """
    return _between(Quantity.parse(min_value), Quantity.parse(max_value), words.numbers)


@lru_cache(maxsize=256)
def _between(
    least: Quantity, most: Quantity, numbers: tuple[int, ...]
) -> st.SearchStrategy[Quantity]:
    if least > most:
        raise OptionError(f"min_value is {least}, expected no more than max_value, {most}")
    texts = (*map(str, numbers), *_FRACTIONS, *_sized(numbers), *_HUGE)
    plain = dict.fromkeys([*map(Quantity, texts), least, most])
    within = [amount for amount in plain if least <= amount <= most]
    return mostly(st.sampled_from(within), _any_between(least, most), one_in=16)


def _sized(numbers: Iterable[int]) -> Iterator[str]:
    return (f"{number}{size}" for size in _SIZES for number in numbers)


def _any_between(least: Quantity, most: Quantity) -> st.SearchStrategy[Quantity]:
    """Draw whole units, or finer steps where there is no whole one between the bounds."""
    bounds = {unit: (-(-least.nano // nano), most.nano // nano) for unit, nano in _UNITS.items()}
    unit = next(unit for unit, (lowest, highest) in bounds.items() if lowest <= highest)
    return st.builds(_quantity, st.integers(*bounds[unit]), st.just(unit))


def _quantity(number: int, unit: str) -> Quantity:
    return Quantity(f"{number}{unit}")


def amounts_of(resource: str, *, words: Words = WORDS) -> st.SearchStrategy[Quantity]:
    """Draw amounts of one resource as people write them: `500m` of cpu, `2Gi` of memory.

    >>> from hypothesis import find
    >>> find(amounts_of("cpu"), bool), find(amounts_of("memory"), bool)
    (Quantity('1'), Quantity('1Gi'))
    """
    return _amounts_of(resource, words.numbers)


@lru_cache(maxsize=256)
def _amounts_of(resource: str, numbers: tuple[int, ...]) -> st.SearchStrategy[Quantity]:
    usual = usual_amounts(resource, numbers)
    return st.sampled_from([*usual * _HUGE_ONE_IN, *map(Quantity, _HUGE)])


@lru_cache(maxsize=256)
def usual_amounts(resource: str, numbers: tuple[int, ...]) -> tuple[Quantity, ...]:
    """Return the amounts of one resource that are drawn often, the plainest first.

    >>> usual_amounts("example.com/gpu", (1, 2))
    (Quantity('1'), Quantity('2'))
    """
    whole = map(str, numbers)
    if resource == "cpu":
        texts: Iterable[str] = (*whole, *_FRACTIONS, *(f"{number}m" for number in numbers))
    elif resource in _OF_BYTES or resource.startswith("hugepages-"):
        texts = _sized(numbers)
    else:
        texts = whole
    return tuple(dict.fromkeys(map(Quantity, texts)))


def resource_lists(
    *,
    resources: Iterable[str] | None = None,
    amounts: Drawn[Amount] = ...,
    max_size: int = 3,
    words: Words = WORDS,
) -> st.SearchStrategy[dict[str, Quantity]]:
    """Draw amounts by resource, such as requests or limits.

    Args:
        resources: their names; those of the words if nothing is said.
        amounts: what there is of each.
        max_size: how many there are at most.
        words: what names and amounts are drawn from.

    Raises:
        OptionError: `max_size` is below 0.

    >>> from hypothesis import find
    >>> find(resource_lists(), bool)
    {'cpu': Quantity('1')}
    """
    refuse_odd_bounds(max_size=max_size)
    names = words.resources if resources is None else tuple(resources)
    chosen = some(names, most=max_size)
    by_name = {name: drawn(amounts, amounts_of(name, words=words)) for name in names}

    @st.composite
    def draw_amounts(draw: st.DrawFn) -> dict[str, Quantity]:
        return {name: Quantity.parse(draw(by_name[name])) for name in draw(chosen)}

    return draw_amounts()
