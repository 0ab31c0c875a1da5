"""Scenarios of whole attempts: a cluster, a configuration, pods that are placed one by one."""

from collections.abc import Iterator

from attrs import evolve

from kubesched.testing.differential import Comparison, as_configured
from kubesched.testing.differential.replaying import attempts
from tests.conformance.recordings import Recording
from tests.conformance.refusals import refusal
from tests.conformance.setting import Setting


def replay_attempts(recording: Recording, setting: Setting) -> Iterator[Comparison]:
    """Make a scenario's attempts and lay our answers beside the recorded ones."""
    recorded = recording.attempts
    assert recorded is not None, "the shape says so"
    if recorded.expected.error is not None:
        config = recording.data["scenario"]["config"]
        yield refusal(recording.name, config, recorded.expected.error)
        return
    decider = evolve(as_configured(recorded.scenario.config), make=setting.rehearsed)
    for attempt in attempts(recorded, decider):
        yield from attempt.comparisons
