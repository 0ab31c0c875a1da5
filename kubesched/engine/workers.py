"""Who does the work: the calling thread, or a pool where that can help."""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final, TypeVar

from attrs import define, field

from kubesched.errors import OptionError

T = TypeVar("T")
R = TypeVar("R")

WORKERS: Final = 16
"""How many workers the original has."""


def threads_run_python_at_once() -> bool:
    """Tell whether this Python has no global lock, so that threads share out plain computing."""
    has_lock: Callable[[], bool] = getattr(sys, "_is_gil_enabled", lambda: True)
    return not has_lock()


@define(eq=False)
class Workers:
    """Up to `count` threads that work off chunks; the answer is that of one thread.

    Threads are started when they are first needed, and only for work that waits for something
    outside or on a Python without a global lock: elsewhere they would cost and not help.

    >>> Workers(4).map(sum, [[1, 2], [3]], blocks=True)
    [3, 3]
    """

    count: int = WORKERS
    _pool: ThreadPoolExecutor | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        if type(self.count) is not int or self.count < 1:
            raise OptionError(f"workers is {self.count!r}, expected an integer of 1 or more")

    def map(
        self, work: Callable[[Sequence[T]], R], chunks: Sequence[Sequence[T]], *, blocks: bool
    ) -> list[R]:
        """Return what the work makes of each chunk, in their order.

        All chunks have ended when it returns or raises, and what it raises is the error of the
        first chunk that failed.
        """
        if len(chunks) < 2 or not self.can_help(blocks=blocks):  # noqa: PLR2004
            return [work(chunk) for chunk in chunks]
        futures = [self._threads().submit(work, chunk) for chunk in chunks]
        wait(futures)
        return [future.result() for future in futures]

    def spread(
        self, work: Callable[[Sequence[T]], Sequence[R]], items: Sequence[T], *, blocks: bool
    ) -> Sequence[R]:
        """Return what the work makes of items, one result each, cut up among the workers."""
        worked = self.map(work, self.chunks(items, blocks=blocks), blocks=blocks)
        return worked[0] if len(worked) == 1 else [each for chunk in worked for each in chunk]

    def can_help(self, *, blocks: bool) -> bool:
        """Tell whether threads would make such work faster."""
        return self.count > 1 and (blocks or threads_run_python_at_once())

    def chunks(self, items: Sequence[T], *, blocks: bool) -> list[Sequence[T]]:
        """Cut items into pieces: one for each worker where threads help, else one."""
        if not self.can_help(blocks=blocks):
            return [items]
        size = -(-len(items) // self.count) or 1
        return [items[start : start + size] for start in range(0, len(items), size)]

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.count, thread_name_prefix="kubesched")
        return self._pool
