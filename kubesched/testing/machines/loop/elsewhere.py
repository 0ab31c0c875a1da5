"""A pool without threads."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from attrs import define, field

R = TypeVar("R")


@define(eq=False)
class Elsewhere(Executor):
    """A pool in which a task runs when somebody says so.

    Attributes:
        tasks: those that have not run.
    """

    tasks: list[tuple["Future[Any]", Callable[[], object]]] = field(factory=list, init=False)

    def submit(self, task: Callable[..., R], /, *args: Any, **options: Any) -> "Future[R]":
        """Take a task, and let it wait."""
        future: Future[R] = Future()
        self.tasks.append((future, lambda: task(*args, **options)))
        return future

    def run(self, at: int) -> None:
        """Run a task to its end, on this thread."""
        future, task = self.tasks.pop(at)
        if future.set_running_or_notify_cancel():
            future.set_result(task())

    def cancel_all(self) -> None:
        """Let none of the tasks begin."""
        while self.tasks:
            future, _ = self.tasks.pop()
            future.cancel()
            future.set_running_or_notify_cancel()
