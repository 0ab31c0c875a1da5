"""What holds for all tests."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

# Tests say nothing about time: a slow machine is no failure.
settings.register_profile("default", deadline=None)
# The same examples each time, so that a run tells about the change and not about chance.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# For the examples in docstrings and pages: the same each time, and nobody wants an explanation.
settings.register_profile(
    "examples",
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
)
_USUAL = "ci" if "CI" in os.environ else "default"
settings.load_profile(_USUAL)


@pytest.fixture
def without_chance() -> Iterator[None]:
    """Let Hypothesis make the same examples each time, wherever it is called."""
    settings.load_profile("examples")
    yield
    settings.load_profile(_USUAL)
