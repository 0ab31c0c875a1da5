"""What is wrong with a value, before it is known where in which source it stands."""

from typing import NamedTuple


class Fault(NamedTuple):
    """What is wrong with the value at a path."""

    path: str
    value: object
    why: str
