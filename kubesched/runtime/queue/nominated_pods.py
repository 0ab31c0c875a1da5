"""Which pods have been promised which node.

Source: kubernetes v1.13.0, pkg/scheduler/internal/queue/scheduling_queue.go, nominatedPodMap.
"""

from attrs import define, field

from kubesched.model import Pod


@define(eq=False)
class NominatedPods:
    """Pods by the node that each has been promised, in the order of the promises.

    A pod is known by its key. What was noted here counts, and else what the pod's status says: for
    the promise is noted before the pod is told of it.
    """

    _on_node: dict[str, dict[str, Pod]] = field(factory=dict, init=False)
    _node_of: dict[str, str] = field(factory=dict, init=False)

    def add(self, pod: Pod, node_name: str = "") -> None:
        """Note the node of a pod, or else the one in its status, in place of any other; O(1)."""
        name = node_name or pod.status.nominated_node_name
        if name != self._node_of.get(pod.key):
            self.remove(pod)
        if name:
            self._node_of[pod.key] = name
            self._on_node.setdefault(name, {})[pod.key] = pod

    def remove(self, pod: Pod) -> None:
        """Strike out a pod, if it is there; O(1)."""
        name = self._node_of.pop(pod.key, None)
        if name is not None:
            pods = self._on_node[name]
            del pods[pod.key]
            if not pods:
                del self._on_node[name]

    def update(self, before: Pod, after: Pod) -> None:
        """Note that a pod has changed; O(1).

        Differs: as in later releases, a change of a pod that has not yet been told of its
        promise does not take the promise away.
        """
        untold = not (before.status.nominated_node_name or after.status.nominated_node_name)
        self.add(after, self._node_of.get(after.key, "") if untold else "")

    def on(self, node_name: str) -> tuple[Pod, ...]:
        """Return the pods that have been promised a node; O(these)."""
        return tuple(self._on_node.get(node_name, {}).values())

    def _check(self) -> None:
        """Assert that both ways to look at them agree."""
        seen = {key: name for name, pods in self._on_node.items() for key in pods}
        assert seen == self._node_of
        assert len(seen) == sum(map(len, self._on_node.values()))
        assert all(self._on_node.values())
        assert all(pod.key == key for pods in self._on_node.values() for key, pod in pods.items())
