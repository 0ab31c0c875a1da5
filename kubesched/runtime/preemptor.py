"""What preemption does to pods: evict the victims, nominate the one they make room for.

Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (podPreemptor).
"""

from typing import Protocol

from attrs import define, evolve

from kubesched.errors import ClusterError
from kubesched.model import Pod
from kubesched.state import Cluster


class PodPreemptor(Protocol):
    """Does to pods what preemption asks for; every method may raise what it likes."""

    def updated_pod(self, pod: Pod, /) -> Pod:
        """Return what has become of a pod.

        Raises:
            Exception: it is gone, or nobody knows.
        """
        ...

    def delete_pod(self, pod: Pod, /) -> None:
        """Evict a pod; that it is gone already is no error."""
        ...

    def set_nominated_node(self, pod: Pod, node_name: str, /) -> None:
        """Promise a node to a pod that waits."""
        ...

    def remove_nominated_node(self, pod: Pod, /) -> None:
        """Take back what was promised to a pod, if anything."""
        ...


@define(eq=False)
class InMemoryPodPreemptor:
    """Does it to the pods of a `Cluster`; it may be called from any thread.

    >>> from kubesched.builders import pod
    >>> cluster = Cluster.of([pod("web-1"), pod("batch-1", node_name="worker-1")])
    >>> web, batch = cluster.pods.values()
    >>> preemptor = InMemoryPodPreemptor(cluster)
    >>> preemptor.delete_pod(batch)
    >>> preemptor.set_nominated_node(web, "worker-1")
    >>> [(pod.name, pod.status.nominated_node_name) for pod in cluster.pods.values()]
    [('web-1', 'worker-1')]

    Differs: a victim is gone at once, while the original's is given time to end.
    """

    cluster: Cluster

    def updated_pod(self, pod: Pod, /) -> Pod:
        """Return the pod as it was last seen.

        Raises:
            ClusterError: it is gone.
        """
        latest = self.cluster.latest(pod.metadata)
        if latest is None:
            raise ClusterError(pod.key, "the pod is not there")
        return latest

    def delete_pod(self, pod: Pod, /) -> None:
        """Take the pod out of the cluster, if it is still there.

        The binding of one that is being bound then fails.
        """
        if self.cluster.latest(pod.metadata) is not None:
            self.cluster.delete_pod(pod)

    def set_nominated_node(self, pod: Pod, node_name: str, /) -> None:
        """Write the node's name into the status of the latest of the pod, if it is still there."""

        def nominated(latest: Pod) -> Pod:
            return evolve(latest, status=evolve(latest.status, nominated_node_name=node_name))

        self.cluster.change_pod(pod.metadata, nominated)

    def remove_nominated_node(self, pod: Pod, /) -> None:
        """Take the node's name out of the status of the latest of the pod, if it is there."""
        self.set_nominated_node(pod, "")
