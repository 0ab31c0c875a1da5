"""Changing frozen objects only where there is something to change."""

from typing import Any, TypeVar

from attrs import evolve

T = TypeVar("T")


def filled(it: T, **values: Any) -> T:
    """Set fields of an object, or give it back if they are set like that already.

    >>> from kubesched.model import ServiceSpec
    >>> spec = ServiceSpec(type="ClusterIP")
    >>> filled(spec, type="ClusterIP") is spec
    True
    """
    changed = {name: value for name, value in values.items() if getattr(it, name) != value}
    return evolve(it, **changed) if changed else it  # type: ignore[misc] # it is always a model


def given(value: T | None, default: T) -> T:
    """Take a default only for what is absent: zero and false are as good as any other value.

    >>> given(None, 1), given(0, 1)
    (1, 0)
    """
    return default if value is None else value
