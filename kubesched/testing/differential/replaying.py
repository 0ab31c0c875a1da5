"""Deciding again what was recorded, and telling what has changed."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from kubesched.errors import KubeschedError
from kubesched.testing.differential.attempts import Attempt, Tally, attempts_on
from kubesched.testing.differential.configuration import as_configured
from kubesched.testing.differential.course import Course
from kubesched.testing.differential.decider import Decider, DecidesBy
from kubesched.testing.differential.errors import DecisionsDifferError
from kubesched.testing.differential.recording import Recording, ScenarioConfig
from kubesched.testing.differential.report import ReplayReport
from kubesched.testing.differential.wire import RecordingSource, read_recordings

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

ByConfig: TypeAlias = Callable[[ScenarioConfig], DecidesBy]
"""Tells who decides, by how the scheduler was set up that was recorded."""

REFUSED: Final = "the configuration was refused"


def replay(source: RecordingSource, by: DecidesBy | ByConfig = as_configured) -> ReplayReport:
    """Decide about recorded pods again, and compare all that was recorded.

    After each decision the pod goes where the recording says, so that one that differs does not
    make all later ones differ as well.

    Args:
        source: a file or folder of recordings, an open stream, or recordings; as for
            `read_recordings`.
        by: who decides: rules, a registry or a scheduler, which is left as it is; or what tells
            that by a scenario's config. If nothing is given the config alone says it.

    Raises:
        RecordingError: a file that cannot be read, or a line that is no recording.
        PolicyError: a config that cannot be used; so do `UnknownNameError` and `OptionError`.
        SpecError: a rule broke the contract.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.config import Profile
    >>> from kubesched.state import Cluster
    >>> from kubesched.testing.differential import record
    >>> cluster = Cluster.of([node("n1", cpu=1), node("n2", cpu=4)])
    >>> pinned = record(Profile.default(), cluster, [pod("web", cpu=2)])
    >>> print(replay(pinned))
    1 of 1 decisions agree
    """
    tally = Tally()
    for recording in read_recordings(source):
        if recording.expected.error is not None:
            tally.leave_out(REFUSED)
        else:
            tally.note(attempts(recording, by))
    return tally.report()


def assert_as_recorded(source: RecordingSource, by: DecidesBy | ByConfig = as_configured) -> None:
    """Assert that recorded pods are decided about as they were; see `replay`.

    Raises:
        DecisionsDifferError: a decision differs, or there was nothing to compare.
        RecordingError: a file that cannot be read, or a line that is no recording.
        SpecError: a rule broke the contract.
    """
    report = replay(source, by)
    if not report.agrees:
        raise DecisionsDifferError(report)


def attempts(recording: Recording, by: DecidesBy | ByConfig = as_configured) -> Iterator[Attempt]:
    """Decide about the pods of a recording one after the other.

    Raises:
        KubeschedError: as for `replay`.
    """
    scenario = recording.scenario
    course = Course.of(scenario.cluster(), scenario.pending, _decider(recording, by))
    return attempts_on(course, scenario.pending, recording.expected.results, scenario.name)


def _decider(recording: Recording, by: DecidesBy | ByConfig) -> Decider:
    if not callable(by):
        return Decider.of(by)
    try:
        return Decider.of(by(recording.scenario.config))
    except KubeschedError as error:
        name = recording.scenario.name
        error.add_note(f"It is the config of the scenario {name}; tell who is to decide instead.")
        raise
