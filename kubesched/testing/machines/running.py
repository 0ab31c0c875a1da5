"""Running machines outside of any test class."""

from typing import Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

EXAMPLES: Final = 200
"""Series of steps that are tried, if nothing else is said."""

STEPS: Final = 40
"""How long each is."""


def default_settings() -> settings:
    """Return how machines are run if nothing else is said: without a deadline or a database."""
    return settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=tuple(HealthCheck),
    )


def run(machine: type[RuleBasedStateMachine], how: settings | None = None) -> None:
    """Run a machine, and raise what it raises in the smallest series of steps that was found."""
    run_state_machine_as_test(machine, settings=how or default_settings())
