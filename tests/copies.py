"""Ways to get a value's equal."""

import pickle
from typing import TypeVar

T = TypeVar("T")

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def pickled(value: T, protocol: int = pickle.DEFAULT_PROTOCOL) -> T:
    """Return what comes back from a pickle."""
    back = pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - it is our own
    assert isinstance(back, type(value))
    return back
