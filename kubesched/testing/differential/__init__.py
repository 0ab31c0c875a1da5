"""One scheduler against another, or against what was recorded of it.

Somebody who has a scheduler of their own records what it decides, once, and has every later change
compared with that; or compares with what a real one was recorded to decide, in the same form. A
recording is one line of JSON: a cluster, pods, and all that was answered about them.
"""

from kubesched.testing.differential.answers import Answer, Candidate, PreemptionAnswer, Verdict
from kubesched.testing.differential.comparing import Comparison
from kubesched.testing.differential.configuration import as_configured
from kubesched.testing.differential.decider import Decider, DecidesBy, MakeScheduler
from kubesched.testing.differential.errors import DecisionsDifferError, RecordingError
from kubesched.testing.differential.recorder import record
from kubesched.testing.differential.recording import (
    RecordedAnswers,
    Recording,
    Scenario,
    ScenarioConfig,
    ScenarioObjects,
)
from kubesched.testing.differential.replaying import ByConfig, assert_as_recorded, replay
from kubesched.testing.differential.report import Difference, ReplayReport
from kubesched.testing.differential.same import assert_same_decisions
from kubesched.testing.differential.wire import (
    RecordingSource,
    read_recordings,
    write_recordings,
)

__all__ = [
    "Answer",
    "ByConfig",
    "Candidate",
    "Comparison",
    "Decider",
    "DecidesBy",
    "DecisionsDifferError",
    "Difference",
    "MakeScheduler",
    "PreemptionAnswer",
    "RecordedAnswers",
    "Recording",
    "RecordingError",
    "RecordingSource",
    "ReplayReport",
    "Scenario",
    "ScenarioConfig",
    "ScenarioObjects",
    "Verdict",
    "as_configured",
    "assert_as_recorded",
    "assert_same_decisions",
    "read_recordings",
    "record",
    "replay",
    "write_recordings",
]
