"""Telling the outside what happens to pods, whatever the outside makes of it."""

from collections.abc import Callable
from logging import getLogger
from typing import Final

from attrs import frozen

from kubesched.model import Pod
from kubesched.runtime.conditions import PodConditionUpdater, not_scheduled
from kubesched.runtime.events import Event, EventRecorder
from kubesched.runtime.log_failure import log_failure
from kubesched.runtime.outcome import Outcome

_LOGGER: Final = getLogger("kubesched.runtime")


@frozen(eq=False)
class Reports:
    """Tells everybody who is to be told; what fails there is written to the log and no further.

    Attributes:
        recorder: takes note of events.
        conditions: writes into a pod's status.
        observer: is called with outcomes, if there is one.
    """

    recorder: EventRecorder
    conditions: PodConditionUpdater
    observer: Callable[[Outcome], object] | None

    def event(self, event: Event) -> None:
        """Record an event."""
        try:
            self.recorder.record(event)
        except Exception:
            _LOGGER.exception("an event could not be recorded: %s", event.message)

    def condition(self, pod: Pod, reason: str, message: str) -> None:
        """Write into a pod's status why it has no node."""
        with log_failure("the condition of pod %s could not be updated", pod):
            self.conditions.update_condition(pod, not_scheduled(reason, message))

    def outcome(self, outcome: Outcome) -> None:
        """Show an outcome to the observer."""
        if self.observer is not None:
            with log_failure("the observer failed on pod %s", outcome.pod):
                self.observer(outcome)
