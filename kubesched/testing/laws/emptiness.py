"""What a model is when nothing is set."""

from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def empty(kind: Callable[[], Any]) -> Any:
    """Return the model of a class of which every field has its default.

    >>> from kubesched.model import Pod
    >>> empty(Pod) == Pod()
    True
    """
    return kind()
