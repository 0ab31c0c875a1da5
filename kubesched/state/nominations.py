"""Which waiting pods have been promised which node."""

from attrs import define, field

from kubesched.model import Pod
from kubesched.state.table import Table, TableView


@define(eq=False)
class Nominations:
    """The pods that wait and have a nominated node, by its name, in order of arrival."""

    _pods: Table[str, tuple[Pod, ...]] = field(factory=Table[str, tuple[Pod, ...]])

    def add(self, pod: Pod) -> None:
        """Note a pod, if it is nominated to a node; O(pods nominated to it)."""
        name = pod.status.nominated_node_name
        if name:
            self._pods[name] = (*self._pods.get(name, ()), pod)

    def remove(self, pod: Pod) -> None:
        """Strike out a pod, if it is there; O(pods nominated to its node)."""
        name = pod.status.nominated_node_name
        left = tuple(each for each in self._pods.get(name, ()) if each.key != pod.key)
        if left:
            self._pods[name] = left
        elif name in self._pods:
            del self._pods[name]

    def view(self) -> TableView[str, tuple[Pod, ...]]:
        """Return them as they are now; O(changes since the last view)."""
        return self._pods.view()

    def copy(self) -> "Nominations":
        """Return nominations of their own."""
        return Nominations(self._pods.copy())

    def _check(self) -> None:
        """Assert that every pod stands under the node to which it is nominated."""
        self._pods._check()  # noqa: SLF001
        for name, pods in self.view().items():
            assert pods
            assert all(pod.status.nominated_node_name == name for pod in pods)
