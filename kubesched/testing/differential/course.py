"""Going through a scenario: the pods come one by one, and each is put where it is said to go."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from kubesched.engine import GenericScheduler
from kubesched.errors import ClusterError, SchedulingError
from kubesched.framework import PredicateSpec
from kubesched.model import Pod
from kubesched.plugins.volume_binding import CHECK_VOLUME_BINDING
from kubesched.runtime import InMemoryVolumeBinder
from kubesched.state import Cluster, Snapshot
from kubesched.testing.differential.answering import answer_of, outcome_of, preemption_of
from kubesched.testing.differential.answers import Answer
from kubesched.testing.differential.decider import Decider


@frozen(eq=False)
class Course:
    """A cluster in which pods are being placed, and who decides about them.

    Attributes:
        cluster: the cluster as it is now; it is changed.
        decider: who decides.
        scheduler: decides.
        volumes: notes which volumes placed pods take, if the rules look at them.
    """

    cluster: Cluster
    decider: Decider
    scheduler: GenericScheduler
    volumes: InMemoryVolumeBinder | None

    @classmethod
    def of(cls, cluster: Cluster, pods: Iterable[Pod], decider: Decider) -> "Course":
        """Return the course of pods that all wait already when the first one is decided about.

        Raises:
            ClusterError: one of them is on a node already, or comes twice.
        """
        add_waiting(cluster, pods)
        looks_at_volumes = CHECK_VOLUME_BINDING in decider.rules.predicates
        volumes = InMemoryVolumeBinder(cluster) if looks_at_volumes else None
        return cls(cluster, decider, decider.scheduler(cluster), volumes)

    def answer(
        self, pod: Pod, alone: Mapping[str, PredicateSpec[Any]], snapshot: Snapshot
    ) -> Answer:
        """Return all that the scheduler says of a pod.

        Args:
            pod: the pod.
            alone: the predicates that are asked by themselves as well.
            snapshot: the cluster as it is now.

        Raises:
            SpecError: a rule broke the contract.
        """
        outcome = outcome_of(pod, self.scheduler, snapshot)
        answer = answer_of(pod, outcome, self.scheduler, snapshot, alone)
        preemption = preemption_of(pod, outcome, self.scheduler, snapshot)
        return evolve(answer, preemption=preemption)

    def place(self, pod: Pod, node_name: str | None) -> None:
        """Put a pod on a node, with its volumes as far as there are any for it, or leave it."""
        if node_name is None:
            return
        if self.volumes is not None:
            with suppress(SchedulingError):  # somebody else's choice may be none at all here
                self.volumes.assume_pod_volumes(pod, node_name)
        put = self.cluster.add_pod if pod.node_name else self.cluster.update_pod
        put(pod.bound_to(node_name))


def add_waiting(cluster: Cluster, pods: Iterable[Pod]) -> None:
    """Have pods wait in a cluster, unless they do so already.

    One that names its node is to be decided about as well, and is kept out until then: it would be
    taken for one that is there.

    Raises:
        ClusterError: a pod is on a node already, or comes twice.
    """
    come: set[str] = set()
    for pod in pods:
        if pod.key in come:
            raise ClusterError(pod.key, "the pod comes twice")
        come.add(pod.key)
        waits = pod.key in cluster.pending
        if not pod.node_name:
            (cluster.update_pod if waits else cluster.add_pod)(pod)
        elif waits:
            cluster.remove_pod(pod)
        elif pod.key in cluster.pods:
            raise ClusterError(pod.key, "the pod is on a node already")
