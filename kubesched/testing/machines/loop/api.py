"""The API server that the loop's world has: it says all that happens to whoever watches."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from attrs import define, evolve, field

from kubesched.model import Binding, KubeObject, ObjectMeta, Pod
from kubesched.testing.machines.loop.api_model import ApiModel, Listed, Told
from kubesched.testing.machines.loop.faults import OutsideError

SINCE: Final = datetime(2024, 1, 1, tzinfo=UTC)
"""When the deletion of a pod begins."""


@define(eq=False)
class Api:
    """An API server: it binds a pod once, and tells all that happens to whoever watches.

    Attributes:
        tell: tells what happens, as a line of text.
        model: what there is.
        under_way: news that nobody has heard yet.
        bound: the node to which each pod was bound, by UID.
        broken: what should never have happened.
    """

    tell: Callable[[str], None]
    model: ApiModel = field(factory=ApiModel, init=False)
    under_way: list[Told] = field(factory=list, init=False)
    bound: dict[str, str] = field(factory=dict, init=False)
    broken: list[str] = field(factory=list, init=False)

    def put(self, it: KubeObject) -> None:
        """Create an object, or change it."""
        self._say(self.model.put(it))

    def remove(self, it: KubeObject, *, tells_first_state: bool) -> None:
        """Delete an object."""
        self._say(self.model.delete(type(it), it.key, tells_first_state=tells_first_state))

    def list_all(self, kind: type[KubeObject]) -> Listed:
        """List all objects of a kind."""
        return self.model.list(kind)

    def pods(self) -> list[Pod]:
        """Return all pods."""
        return [it for it in self.model.of(Pod) if isinstance(it, Pod)]

    def latest(self, metadata: ObjectMeta) -> Pod | None:
        """Return a pod as it is now, unless another one has its name."""
        pod = self.model.objects.get((Pod, metadata.key))
        return pod if isinstance(pod, Pod) and pod.uid == metadata.uid else None

    def change(self, metadata: ObjectMeta, change: Callable[[Pod], Pod]) -> None:
        """Change a pod, if it is there."""
        pod = self.latest(metadata)
        if pod is not None and change(pod) != pod:
            self.put(change(pod))

    def bind(self, binding: Binding) -> None:
        """Bind a pod to a node, once and for all."""
        pod = self.latest(binding.metadata)
        if pod is None:
            raise OutsideError(f"{binding.key} is not there")
        if pod.is_terminating or pod.node_name:
            raise OutsideError(f"{binding.key} is being deleted or on {pod.node_name} already")
        if pod.uid in self.bound:
            self.broken.append(f"{pod.key} is bound twice")
        self.bound[pod.uid] = binding.target.name
        self.put(pod.bound_to(binding.target.name))

    def begin_deletion(self, metadata: ObjectMeta) -> None:
        """Begin to delete a pod."""
        self.change(metadata, _terminating)

    def _say(self, told: Told) -> None:
        it = told.it
        where = it.node_name if isinstance(it, Pod) else ""
        self.tell(f"{told.type} {it.key} {it.uid} v{it.metadata.resource_version} {where}")
        self.under_way.append(told)


def _terminating(pod: Pod) -> Pod:
    since = pod.metadata.deletion_timestamp or SINCE
    return evolve(pod, metadata=evolve(pod.metadata, deletion_timestamp=since))
