"""Changes of situations, and what chooses them by chance."""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from kubesched.testing.situation import Situation

Change: TypeAlias = Callable[[Situation], Situation]

Picker: TypeAlias = Callable[[Random], Change]
"""Chooses a change."""
