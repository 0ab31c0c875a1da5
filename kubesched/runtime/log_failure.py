"""Going on where something outside fails that nobody waits for."""

from collections.abc import Iterator
from contextlib import contextmanager
from logging import getLogger
from typing import Final

from kubesched.model import Pod

_LOGGER: Final = getLogger("kubesched.runtime")


@contextmanager
def log_failure(message: str, pod: Pod) -> Iterator[None]:
    """Write to the log what fails within, and go on after it.

    Args:
        message: what could not be done, with `%s` for the pod.
        pod: whom it was about.
    """
    try:
        yield
    except Exception:
        _LOGGER.exception(message, pod.key, extra={"pod": pod.key})
