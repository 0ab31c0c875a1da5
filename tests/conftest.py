"""What holds for all tests."""

import os

from hypothesis import HealthCheck, settings

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
settings.load_profile("ci" if "CI" in os.environ else "default")
