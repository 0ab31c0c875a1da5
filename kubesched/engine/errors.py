"""How an attempt to schedule a pod can end without a node."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from kubesched.errors import SchedulingError
from kubesched.framework import Reason
from kubesched.model import Pod


class FitError(SchedulingError):
    """No node fits.

    Its text is the original's: how many nodes there are, and how often each reason was given.

    Attributes:
        pod: the pod.
        num_all_nodes: how many nodes there are.
        refusals: the reasons of each node that refused, by node name.

    Source: kubernetes v1.12.2, pkg/scheduler/core/generic_scheduler.go, FitError.

    >>> from kubesched.builders import pod
    >>> cpu, port = Reason("Insufficient cpu"), Reason("node(s) didn't have free ports")
    >>> str(FitError(pod("web-1"), 2, {"a": (cpu,), "b": (cpu, port)}))
    "0/2 nodes are available: 1 node(s) didn't have free ports, 2 Insufficient cpu."
    """

    def __init__(
        self, pod: Pod, num_all_nodes: int, refusals: Mapping[str, tuple[Reason, ...]]
    ) -> None:
        self.pod = pod
        self.num_all_nodes = num_all_nodes
        self.refusals = refusals
        counts = Counter(reason.text for reasons in refusals.values() for reason in reasons)
        pieces = sorted(f"{count} {text}" for text, count in counts.items())
        super().__init__(f"0/{num_all_nodes} nodes are available: {', '.join(pieces)}.")


class NoNodesAvailable(SchedulingError):  # noqa: N818 - Kubernetes' own name for it
    """There is no node at all."""

    def __init__(self) -> None:
        super().__init__("no nodes available to schedule pods")


class ClaimError(SchedulingError):
    """A claim that the pod uses is missing or being deleted.

    Attributes:
        claim: the claim's name, in the pod's namespace.
    """

    def __init__(self, claim: str, what: str) -> None:
        super().__init__(f'persistentvolumeclaim "{claim}" {what}')
        self.claim = claim


class EvaluationError(SchedulingError):
    """Predicates or priorities could not answer; `__cause__` is the first of their errors.

    Attributes:
        errors: what was raised, in the order of the nodes.
    """

    def __init__(self, text: str, errors: Sequence[Exception]) -> None:
        super().__init__(text)
        self.errors = tuple(errors)
        self.__cause__ = self.errors[0]

    @classmethod
    def of_predicates(cls, errors: Sequence[Exception]) -> Self:
        """Gather what predicates raised: each text once, with how often it came.

        Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/util/errors/errors.go,
        CreateAggregateFromMessageCountMap.

        >>> str(EvaluationError.of_predicates([ValueError("odd"), ValueError("odd")]))
        'odd (repeated 2 times)'
        """
        counts = Counter(str(error) for error in errors)
        return cls(
            _joined(
                text if count == 1 else f"{text} (repeated {count} times)"
                for text, count in sorted(counts.items())
            ),
            errors,
        )

    @classmethod
    def of_priorities(cls, errors: Sequence[Exception]) -> Self:
        """Gather what priorities raised, one text a node and priority.

        Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/util/errors/errors.go, NewAggregate.

        >>> str(EvaluationError.of_priorities([ValueError("odd"), ValueError("odd")]))
        '[odd, odd]'
        """
        return cls(_joined(str(error) for error in errors), errors)


def _joined(texts: Iterable[str]) -> str:
    listed = list(texts)
    return listed[0] if len(listed) == 1 else f"[{', '.join(listed)}]"
