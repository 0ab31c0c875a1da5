"""Prefers nodes that cost little, which an annotation tells; remembers what it has read."""

from fractions import Fraction
from functools import lru_cache
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE

PRICE: Final = "example.com/price-per-hour"
DEAR: Final = Fraction(5, 2)


@lru_cache(maxsize=256)
def price(text: str) -> Fraction:
    """Read a price; what is none, or below 0, is as dear as can be."""
    try:
        read = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return DEAR
    return read if 0 <= read < DEAR else DEAR


def cheapness(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Score 10 for nothing at all, 0 from 2.50 an hour on or where nothing is said."""
    return int(MAX_SCORE * (1 - price(node.annotations.get(PRICE, "")) / DEAR))


RULE: Final = PrioritySpec("PreferCheap", cheapness, reads={Facet.ANNOTATIONS})
