"""What became of one attempt to schedule a pod, as data."""

from enum import StrEnum, unique

from attrs import frozen

from kubesched.engine import Decision, Preemption
from kubesched.model import Pod


@unique
class Result(StrEnum):
    """How an attempt ended, or how far it has come.

    The values of those that failed after a node was found are the reasons that the pod's condition
    gets, as in the original.
    """

    BOUND = "Bound"
    """The pod is bound, as far as the binder says."""
    BINDING = "Binding"
    """The pod has been assumed on its node, and is being bound elsewhere."""
    UNSCHEDULABLE = "Unschedulable"
    """No node, or no answer; the pod waits again."""
    SCHEDULER_ERROR = "SchedulerError"
    """The pod, or its volumes, could not be assumed on the node; the pod waits again."""
    VOLUME_BINDING_FAILED = "VolumeBindingFailed"
    """The pod's volumes could not be bound; it waits again."""
    BINDING_REJECTED = "BindingRejected"
    """The binder did not bind the pod, or not in time; it waits again."""
    SKIPPED = "Skipped"
    """Nothing was to be done, for the pod is gone, being deleted, or has a node already."""


@frozen(eq=False)
class Outcome:
    """What became of one attempt.

    Attributes:
        pod: the pod, as it was tried.
        result: how the attempt ended.
        node: the node that it is bound to or being bound to; None if it has none.
        decision: the decision, if there was one.
        error: what went wrong, if something did.
        preemption: who was made to leave for it, if it fitted nowhere and that was tried.
    """

    pod: Pod
    result: Result
    node: str | None = None
    decision: Decision | None = None
    error: Exception | None = None
    preemption: Preemption | None = None

    @property
    def message(self) -> str:
        """What went wrong, in words; empty if nothing did."""
        return "" if self.error is None else str(self.error)
