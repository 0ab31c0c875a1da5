"""Telling the cluster that a pod goes to a node.

Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (binder.Bind) and
pkg/registry/core/pod/storage/storage.go (BindingREST.setPodHostAndAnnotations).
"""

from typing import Protocol

from attrs import define

from kubesched.errors import ClusterError
from kubesched.model import Binding, Pod, PodCondition
from kubesched.runtime.conditions import POD_SCHEDULED, with_condition
from kubesched.state import Cluster


class Binder(Protocol):
    """Binds pods to nodes."""

    def bind(self, binding: Binding, /) -> None:
        """Bind the pod that the binding names to its target; this may take its time.

        Raises:
            Exception: it cannot be bound; the error's text is told to the user.
        """
        ...


@define(eq=False)
class InMemoryBinder:
    """Binds pods in a `Cluster`, playing the part of the API server: the pod is seen bound at once.

    It may be called from any thread; O(1).

    >>> from kubesched.builders import node, pod
    >>> cluster = Cluster.of([node("worker-1"), pod("web-1")])
    >>> web = cluster.pods["default/web-1"]
    >>> assumed = cluster.assume(web, "worker-1")
    >>> InMemoryBinder(cluster).bind(Binding.of(web, "worker-1"))
    >>> cluster.is_assumed(web), cluster.pods["default/web-1"].node_name
    (False, 'worker-1')
    """

    cluster: Cluster

    def bind(self, binding: Binding, /) -> None:
        """Bind the pod that the binding names to its target, and note that it is scheduled.

        Raises:
            ClusterError: the pod is gone, is being deleted, or has a node already.
        """

        def bound(pod: Pod) -> Pod:
            _check_unbound(pod)
            scheduled = PodCondition(type=POD_SCHEDULED, status="True")
            return with_condition(pod.bound_to(binding.target.name), scheduled)

        if self.cluster.change_pod(binding.metadata, bound) is None:
            raise ClusterError(binding.key, "the pod is not there")


def _check_unbound(pod: Pod) -> None:
    if pod.is_terminating:
        raise ClusterError(pod.key, "the pod is being deleted and cannot be bound")
    if pod.node_name:
        raise ClusterError(pod.key, f"the pod is bound to {pod.node_name} already")
