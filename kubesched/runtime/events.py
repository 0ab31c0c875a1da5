"""Telling users what happened to their pods.

Source: kubernetes v1.12.2, pkg/scheduler/scheduler.go, for the texts, and
staging/src/k8s.io/client-go/tools/record/events_cache.go (EventAggregator, eventLogger).
"""

from collections import OrderedDict
from threading import Lock
from typing import Final, Literal, Protocol, TypeAlias

from attrs import define, evolve, field, frozen

from kubesched.errors import OptionError
from kubesched.model import KubeObject, ObjectReference, Pod
from kubesched.runtime.clock import Clock

MAX_EVENTS: Final = 4096
"""Events that are kept, if nothing else is said."""

_MOST_SIMILAR: Final = 10
"""From how many different messages on similar events are told as one."""

_SIMILAR_FOR: Final = 600.0
"""Seconds without a similar event after which different messages are counted afresh."""


@frozen
class Event:
    """Something that happened to an object.

    Attributes:
        object: what it happened to.
        type: Normal, or Warning if somebody should look at it.
        reason: what happened, in one word.
        message: what happened, for people to read.
    """

    object: ObjectReference
    type: Literal["Normal", "Warning"]
    reason: str
    message: str

    @classmethod
    def normal(cls, what: KubeObject, reason: str, message: str) -> "Event":
        """Return an event about an object that nobody needs to look at."""
        return cls(_reference(what), "Normal", reason, message)

    @classmethod
    def warning(cls, what: KubeObject, reason: str, message: str) -> "Event":
        """Return an event about an object that somebody should look at."""
        return cls(_reference(what), "Warning", reason, message)

    @classmethod
    def scheduled(cls, pod: Pod, node_name: str) -> "Event":
        """Return the event that a pod was bound to a node.

        >>> from kubesched.builders import pod
        >>> Event.scheduled(pod("shop/web-1"), "worker-1").message
        'Successfully assigned shop/web-1 to worker-1'
        """
        message = f"Successfully assigned {pod.namespace}/{pod.name} to {node_name}"
        return cls.normal(pod, "Scheduled", message)

    @classmethod
    def failed_scheduling(cls, pod: Pod, message: str) -> "Event":
        """Return the event that an attempt to schedule a pod failed."""
        return cls.warning(pod, "FailedScheduling", message)

    @classmethod
    def preempted(cls, victim: Pod, preemptor: Pod, node_name: str) -> "Event":
        """Return the event that a pod was evicted to make room for another."""
        message = f"by {preemptor.namespace}/{preemptor.name} on node {node_name}"
        return cls.normal(victim, "Preempted", message)


def _reference(what: KubeObject) -> ObjectReference:
    return ObjectReference(kind=what.kind, namespace=what.namespace, name=what.name, uid=what.uid)


class EventRecorder(Protocol):
    """Takes note of events."""

    def record(self, event: Event, /) -> None:
        """Take note of an event, and do so quickly; whatever becomes of it, nothing is raised."""
        ...


@frozen
class RecordedEvent:
    """An event and how often it happened.

    Attributes:
        event: the event; of similar ones that are told as one, the last.
        count: how often.
        first_seen: when first, in seconds of the recorder's clock.
        last_seen: when last.
    """

    event: Event
    count: int
    first_seen: float
    last_seen: float


_Similar: TypeAlias = tuple[ObjectReference, str, str]
"""What similar events have in common: all but the message."""


@define
class _Messages:
    """The last messages of similar events, the oldest first, and when the last one came."""

    last_seen: float
    texts: dict[str, None] = field(factory=dict)

    def are_too_many_with(self, text: str) -> bool:
        """Take in another message; tell whether that is one too many, and drop the oldest then."""
        self.texts[text] = None
        if len(self.texts) < _MOST_SIMILAR:
            return False
        del self.texts[next(iter(self.texts))]
        return True


@define(eq=False)
class InMemoryEventRecorder:
    """Keeps events, counting those that repeat; it may be called from any thread, O(1).

    Events that differ in nothing are one event with a count. Of events that differ in the message
    alone, from the tenth message on all are one event, which says that it stands for several; after
    ten minutes without any they are told apart again.

    Args:
        clock: the time.
        max_events: how many are kept; the one not seen for longest goes first.

    Raises:
        OptionError: `max_events` is not an integer of 1 or more.

    >>> from kubesched.builders import pod
    >>> from kubesched.runtime.clock import ManualClock
    >>> clock = ManualClock()
    >>> recorder = InMemoryEventRecorder(clock)
    >>> for _ in range(3):
    ...     recorder.record(Event.failed_scheduling(pod("web-1"), "no nodes available"))
    ...     clock.advance(5)
    >>> [(each.count, each.first_seen, each.last_seen) for each in recorder.events]
    [(3, 0.0, 10.0)]

    Differs: no event is dropped. The original lets through no more than 25 events about an object
    at once, and one more every five minutes.
    """

    clock: Clock
    max_events: int = MAX_EVENTS
    _records: OrderedDict[Event | _Similar, RecordedEvent] = field(factory=OrderedDict, init=False)
    _messages: OrderedDict[_Similar, _Messages] = field(factory=OrderedDict, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    def __attrs_post_init__(self) -> None:
        if type(self.max_events) is not int or self.max_events < 1:
            raise OptionError(
                f"max_events is {self.max_events!r}, expected an integer of 1 or more"
            )

    @property
    def events(self) -> tuple[RecordedEvent, ...]:
        """What was recorded, the one not seen for longest first; O(events)."""
        with self._lock:
            return tuple(self._records.values())

    def about(self, what: KubeObject) -> tuple[RecordedEvent, ...]:
        """Return what was recorded about an object; O(events)."""
        reference = _reference(what)
        return tuple(each for each in self.events if each.event.object == reference)

    def record(self, event: Event, /) -> None:
        """Keep an event, or count it if it repeats one that is kept."""
        with self._lock:
            now = self.clock.now()
            key: Event | _Similar = event
            similar = (event.object, event.type, event.reason)
            if self._are_too_many(similar, event.message, now):
                key = similar
                event = evolve(event, message=f"(combined from similar events): {event.message}")
            self._keep(key, event, now)

    def _are_too_many(self, similar: _Similar, message: str, now: float) -> bool:
        messages = self._messages.pop(similar, None)
        if messages is None or now - messages.last_seen > _SIMILAR_FOR:
            messages = _Messages(now)
        messages.last_seen = now
        self._messages[similar] = messages
        if len(self._messages) > self.max_events:
            self._messages.popitem(last=False)
        return messages.are_too_many_with(message)

    def _keep(self, key: Event | _Similar, event: Event, now: float) -> None:
        before = self._records.pop(key, None)
        count, first_seen = (before.count, before.first_seen) if before is not None else (0, now)
        self._records[key] = RecordedEvent(event, count + 1, first_seen, now)
        if len(self._records) > self.max_events:
            self._records.popitem(last=False)
