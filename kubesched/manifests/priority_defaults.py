"""The priority of a pod, from the priority classes of its cluster."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen

from kubesched.manifests.fault import Fault
from kubesched.manifests.filling import filled, given
from kubesched.model import KubeObject, ObjectMeta, Pod, PriorityClass

SYSTEM_CLASSES: Final[Mapping[str, PriorityClass]] = MappingProxyType(
    {
        name: PriorityClass(metadata=ObjectMeta(name=name), value=value)
        for name, value in (
            ("system-cluster-critical", 2_000_000_000),
            ("system-node-critical", 2_000_001_000),
        )
    }
)
"""The priority classes that every cluster has."""

_NO_CLASS = PriorityClass()


@frozen
class PriorityClasses:
    """The priority classes of a cluster.

    Source: kubernetes v1.12.2, plugin/pkg/admission/priority/admission.go, admitPod,
    getDefaultPriorityClass (v1.34.1 for the preemption policy)

    Attributes:
        by_name: all of them.
        default: that of pods that name none: the one marked so, the lowest if several are, or one
            of priority 0.
    """

    by_name: Mapping[str, PriorityClass]
    default: PriorityClass

    @classmethod
    def among(cls, objects: Iterable[KubeObject]) -> "PriorityClasses":
        """Find the priority classes among some objects."""
        classes = [it for it in objects if isinstance(it, PriorityClass)]
        marked = [it for it in classes if it.global_default]
        default = min(marked, key=lambda it: it.value, default=_NO_CLASS)
        return cls({**{it.name: it for it in classes}, **SYSTEM_CLASSES}, default)

    def applied(self, pod: Pod, found: list[Fault]) -> Pod:
        """Set a pod's priority and preemption policy, or add what is wrong to what was found.

        Differs: what is set already stays, where admission refuses a pod that brings a priority. It
        comes from admission, after all, unless the pod was never in a cluster.
        """
        of_pod = self._class_of(pod)
        if of_pod is None:
            if pod.spec.priority is None:
                found.append(self._unknown(pod.spec.priority_class_name))
            return pod
        spec = filled(
            pod.spec,
            priority=given(pod.spec.priority, of_pod.value),
            preemption_policy=pod.spec.preemption_policy or of_pod.preemption_policy,
        )
        return filled(pod, spec=spec)

    def _class_of(self, pod: Pod) -> PriorityClass | None:
        name = pod.spec.priority_class_name
        return self.by_name.get(name) if name else self.default

    def _unknown(self, name: str) -> Fault:
        there = ", ".join(sorted(self.by_name))
        return Fault("spec.priorityClassName", name, f"is no priority class (there are: {there})")
