"""The sort of the original's language, for which of two equals comes first.

It is not stable: beyond a dozen items, equals come out in an order that follows from the algorithm,
a pattern-defeating quicksort. Where the original sorts and equals differ in what they mean, as with
victims of one priority, its answer can only be given by the same steps.

Source: Go 1.21, src/sort/zsortinterface.go, pdqsort, as it is in the scheduler whose answers were
recorded.
"""

from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import Generic, TypeVar

from attrs import define

T = TypeVar("T")

_INSERTION = 12
"""Up to so many items are sorted by insertion, which is stable."""

_NINTHER = 50
"""From so many items on a pivot is the median of three medians, and some are shifted."""

_SWAPS_OF_A_FALLING_ROW = 4 * 3
_SHIFTS = 5
_PATTERN = 8
_WORD = (1 << 64) - 1


def pattern_sorted(items: Iterable[T], comes_before: Callable[[T, T], bool]) -> list[T]:
    """Return items sorted as the original sorts them; O(n log n).

    Args:
        items: the items.
        comes_before: tells whether the one must come before the other; equals need not.

    >>> pattern_sorted([3, 1, 2], lambda one, other: one < other)
    [1, 2, 3]
    """
    row = _Row(list(items), comes_before)
    row.sort(0, len(row.items), len(row.items).bit_length())
    return row.items


class _Looks(Enum):
    """How a part of the row looks from three of its items, or nine."""

    RISING = auto()
    FALLING = auto()
    MIXED = auto()


@define(eq=False)
class _Row(Generic[T]):
    """Items that are being sorted; parts of it are given as `[start, end)`."""

    items: list[T]
    comes_before: Callable[[T, T], bool]

    def less(self, one: int, other: int) -> bool:
        return self.comes_before(self.items[one], self.items[other])

    def swap(self, one: int, other: int) -> None:
        items = self.items
        items[one], items[other] = items[other], items[one]

    def sort(self, start: int, end: int, bad_choices_left: int) -> None:
        was_balanced = was_partitioned = True
        while end - start > _INSERTION:
            if not bad_choices_left:
                self.sort_by_heap(start, end)
                return
            if not was_balanced:
                self.break_patterns(start, end)
                bad_choices_left -= 1
            pivot, looks = self.choose_pivot(start, end)
            if looks is _Looks.FALLING:
                self.items[start:end] = self.items[start:end][::-1]
                pivot, looks = end - 1 - (pivot - start), _Looks.RISING
            may_be_sorted = was_balanced and was_partitioned and looks is _Looks.RISING
            if may_be_sorted and self.sort_if_nearly_sorted(start, end):
                return
            if start > 0 and not self.less(start - 1, pivot):
                start = self.part_equals(start, end, pivot)
                continue
            middle, was_partitioned = self.part(start, end, pivot)
            left, right = middle - start, end - middle
            was_balanced = min(left, right) >= (end - start) // 8
            if left < right:
                self.sort(start, middle, bad_choices_left)
                start = middle + 1
            else:
                self.sort(middle + 1, end, bad_choices_left)
                end = middle
        self.sort_by_insertion(start, end)

    def sort_by_insertion(self, start: int, end: int) -> None:
        for index in range(start + 1, end):
            self.sink(index, start)

    def sink(self, index: int, start: int) -> None:
        """Move an item to the left as long as it comes before its neighbour."""
        while index > start and self.less(index, index - 1):
            self.swap(index, index - 1)
            index -= 1

    def sort_by_heap(self, start: int, end: int) -> None:
        size = end - start
        for root in reversed(range((size + 1) // 2)):
            self.sift_down(root, size, start)
        for last in reversed(range(size)):
            self.swap(start, start + last)
            self.sift_down(0, last, start)

    def sift_down(self, root: int, size: int, start: int) -> None:
        while (child := 2 * root + 1) < size:
            if child + 1 < size and self.less(start + child, start + child + 1):
                child += 1
            if not self.less(start + root, start + child):
                return
            self.swap(start + root, start + child)
            root = child

    def part(self, start: int, end: int, pivot: int) -> tuple[int, bool]:
        """Put what comes before the pivot to its left; tell where it is, and if that was so."""
        self.swap(start, pivot)
        left, right = self.close_in(start, start + 1, end - 1)
        was_so = left > right
        while left <= right:
            self.swap(left, right)
            left, right = self.close_in(start, left + 1, right - 1)
        self.swap(right, start)
        return right, was_so

    def close_in(self, pivot: int, left: int, right: int) -> tuple[int, int]:
        """Pass over what stands on the right side of the pivot already."""
        while left <= right and self.less(left, pivot):
            left += 1
        while left <= right and not self.less(right, pivot):
            right -= 1
        return left, right

    def part_equals(self, start: int, end: int, pivot: int) -> int:
        """Put what equals the pivot, before which nothing comes, to the left; tell its end."""
        self.swap(start, pivot)
        left, right = start + 1, end - 1
        while True:
            while left <= right and not self.less(start, left):
                left += 1
            while left <= right and self.less(start, right):
                right -= 1
            if left > right:
                return left
            self.swap(left, right)
            left, right = left + 1, right - 1

    def sort_if_nearly_sorted(self, start: int, end: int) -> bool:
        """Sort a part in which at most a few items stand wrong; tell whether it is sorted."""
        index = start + 1
        for _ in range(_SHIFTS):
            while index < end and not self.less(index, index - 1):
                index += 1
            if index == end:
                return True
            if end - start < _NINTHER:
                return False
            self.swap(index, index - 1)
            if index - start > 1:
                self.sink(index - 1, 0)
            if end - index > 1:
                self.rise(index + 1, end)
        return False

    def rise(self, index: int, end: int) -> None:
        """Move the item before this place to the right as long as its neighbour comes before it."""
        while index < end and self.less(index, index - 1):
            self.swap(index, index - 1)
            index += 1

    def break_patterns(self, start: int, end: int) -> None:
        """Exchange three items in the middle, so that the next pivot is another one."""
        size = end - start
        if size < _PATTERN:
            return
        number, mask = size, (1 << size.bit_length()) - 1
        for offset in range(3):
            number ^= number << 13 & _WORD
            number ^= number >> 7
            number ^= number << 17 & _WORD
            other = number & mask
            if other >= size:
                other -= size
            self.swap(start + size // 4 * 2 - 1 + offset, start + other)

    def choose_pivot(self, start: int, end: int) -> tuple[int, _Looks]:
        """Return the median of three places, each the median of its neighbours in a long part."""
        size = end - start
        places = [start + size // 4 * quarter for quarter in (1, 2, 3)]
        swaps = 0
        if size >= _NINTHER:
            for index, place in enumerate(places):
                places[index], more = self.median(place - 1, place, place + 1)
                swaps += more
        pivot, more = self.median(*places)
        swaps += more
        if not swaps:
            return pivot, _Looks.RISING
        return pivot, _Looks.FALLING if swaps == _SWAPS_OF_A_FALLING_ROW else _Looks.MIXED

    def median(self, first: int, second: int, third: int) -> tuple[int, int]:
        """Return the place of the median, and how many pairs had to be exchanged."""
        places, swaps = [first, second, third], 0
        for one in (0, 1, 0):
            if self.less(places[one + 1], places[one]):
                places[one], places[one + 1] = places[one + 1], places[one]
                swaps += 1
        return places[1], swaps
