"""The loop around the algorithm: queue, binding, events, metrics, leader election, clock."""

from kubesched.model.pod import DEFAULT_SCHEDULER
from kubesched.runtime.binder import Binder, InMemoryBinder
from kubesched.runtime.bindings import BIND_TIMEOUT, BindingTimeoutError
from kubesched.runtime.clock import Clock, ManualClock, RealClock
from kubesched.runtime.conditions import (
    InMemoryPodConditionUpdater,
    PodConditionUpdater,
    not_scheduled,
)
from kubesched.runtime.events import Event, EventRecorder, InMemoryEventRecorder, RecordedEvent
from kubesched.runtime.feed import (
    MOST_GONE,
    ClusterFeed,
    FeedProblem,
    Report,
    WireFeed,
    log_problem,
)
from kubesched.runtime.health import Health, healthz
from kubesched.runtime.leader_election import (
    DeposedError,
    ElectionTiming,
    FencedBinder,
    FileLeaseLock,
    InMemoryLeaseLock,
    LeaderCallbacks,
    LeaderElector,
    LeaderHealth,
    LeaseConflictError,
    LeaseError,
    LeaseLock,
    LeaseOverdueError,
    LeaseRecord,
    StoredLease,
    Term,
)
from kubesched.runtime.metrics import Distribution, Metric, Metrics, MetricsSnapshot
from kubesched.runtime.ours import DeletedPodError, is_for
from kubesched.runtime.outcome import Outcome, Result
from kubesched.runtime.preemptor import InMemoryPodPreemptor, PodPreemptor
from kubesched.runtime.queue import (
    FIFO,
    HELPFUL_KINDS,
    Backoff,
    Part,
    PriorityQueue,
    QueuedPod,
    SchedulingQueue,
    tell_queue,
)
from kubesched.runtime.scheduler import Scheduler
from kubesched.runtime.volumes import InMemoryVolumeBinder, VolumeBinder, VolumeBindingError

__all__ = [
    "BIND_TIMEOUT",
    "DEFAULT_SCHEDULER",
    "FIFO",
    "HELPFUL_KINDS",
    "MOST_GONE",
    "Backoff",
    "Binder",
    "BindingTimeoutError",
    "Clock",
    "ClusterFeed",
    "DeletedPodError",
    "DeposedError",
    "Distribution",
    "ElectionTiming",
    "Event",
    "EventRecorder",
    "FeedProblem",
    "FencedBinder",
    "FileLeaseLock",
    "Health",
    "InMemoryBinder",
    "InMemoryEventRecorder",
    "InMemoryLeaseLock",
    "InMemoryPodConditionUpdater",
    "InMemoryPodPreemptor",
    "InMemoryVolumeBinder",
    "LeaderCallbacks",
    "LeaderElector",
    "LeaderHealth",
    "LeaseConflictError",
    "LeaseError",
    "LeaseLock",
    "LeaseOverdueError",
    "LeaseRecord",
    "ManualClock",
    "Metric",
    "Metrics",
    "MetricsSnapshot",
    "Outcome",
    "Part",
    "PodConditionUpdater",
    "PodPreemptor",
    "PriorityQueue",
    "QueuedPod",
    "RealClock",
    "RecordedEvent",
    "Report",
    "Result",
    "Scheduler",
    "SchedulingQueue",
    "StoredLease",
    "Term",
    "VolumeBinder",
    "VolumeBindingError",
    "WireFeed",
    "healthz",
    "is_for",
    "log_problem",
    "not_scheduled",
    "tell_queue",
]
