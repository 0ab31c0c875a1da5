"""What one scheduler of the loop's world asks, and how it answers."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from attrs import define, evolve, field

from kubesched.framework import Extender, ExtenderBind, ExtenderFilterResult, Victims
from kubesched.model import Binding, Pod, PodCondition
from kubesched.runtime import Event, Outcome, Result
from kubesched.runtime.conditions import with_condition
from kubesched.state import NodeInfo
from kubesched.testing.machines.loop.api import Api
from kubesched.testing.machines.loop.faults import Faults, OutsideError


@define(eq=False)
class Outside:
    """Everything that one scheduler asks, over one API server.

    Attributes:
        api: the API server.
        faults: what is planned to go wrong.
        tell: tells what is recorded.
        assumed_volumes: for which pods, by UID, volumes are assumed on which node.
        outcomes: how many attempts have ended how, as the scheduler has told.
    """

    api: Api
    faults: Faults
    tell: Callable[[str], None]
    assumed_volumes: dict[str, str] = field(factory=dict, init=False)
    outcomes: Counter[Result] = field(factory=Counter, init=False)

    # -- binder --------------------------------------------------------------------------------

    def bind(self, binding: Binding, /) -> None:
        """Bind a pod."""
        with self.faults.at("bind"):
            self.api.bind(binding)

    # -- volume binder -------------------------------------------------------------------------

    def assume_pod_volumes(self, pod: Pod, node_name: str, /) -> bool:
        """Assume that a pod's volumes are on a node; tell if nothing is left to be done."""
        if "volumes" not in pod.labels:
            return True
        with self.faults.at("assume volumes"):
            if pod.uid in self.assumed_volumes:
                raise OutsideError(f"volumes of {pod.key} are assumed already")
        self.assumed_volumes[pod.uid] = node_name  # whole, or not at all
        return False

    def bind_pod_volumes(self, pod: Pod, node_name: str, /) -> None:
        """Bind the volumes that were assumed."""
        with self.faults.at("bind volumes"):
            if self.assumed_volumes.pop(pod.uid, None) != node_name:
                raise OutsideError(f"volumes of {pod.key} are not assumed on {node_name}")

    def forget_pod_volumes(self, pod: Pod, /) -> None:
        """Assume nothing about a pod's volumes any more."""
        self.assumed_volumes.pop(pod.uid, None)
        with self.faults.at("forget volumes"):
            pass

    # -- events and conditions -----------------------------------------------------------------

    def record(self, event: Event, /) -> None:
        """Take note of an event."""
        with self.faults.at("record"):
            self.tell(f"{event.type} {event.reason} {event.object.name}: {event.message}")

    def update_condition(self, pod: Pod, condition: PodCondition, /) -> None:
        """Write into a pod's status."""
        with self.faults.at("update condition"):
            self.api.change(pod.metadata, lambda latest: with_condition(latest, condition))

    def observe(self, outcome: Outcome, /) -> None:
        """Count how attempts end."""
        self.outcomes[outcome.result] += 1
        with self.faults.at("observe"):
            pass

    # -- preemptor -----------------------------------------------------------------------------

    def updated_pod(self, pod: Pod, /) -> Pod:
        """Return a pod as it is now."""
        with self.faults.at("updated pod"):
            latest = self.api.latest(pod.metadata)
            if latest is None:
                raise OutsideError(f"{pod.key} is not there")
        return latest

    def delete_pod(self, pod: Pod, /) -> None:
        """Evict a pod."""
        with self.faults.at("delete victim"):
            self.api.begin_deletion(pod.metadata)

    def set_nominated_node(self, pod: Pod, node_name: str, /) -> None:
        """Write into a pod's status which node it has been promised."""
        with self.faults.at("set nominated" if node_name else "remove nominated"):
            self.api.change(
                pod.metadata,
                lambda latest: evolve(
                    latest, status=evolve(latest.status, nominated_node_name=node_name)
                ),
            )

    def remove_nominated_node(self, pod: Pod, /) -> None:
        """Take that back."""
        self.set_nominated_node(pod, "")

    # -- extenders -----------------------------------------------------------------------------

    def extenders(self, bind: ExtenderBind | None) -> tuple[Extender, ...]:
        """Return one that has a say about all pods, and one that binds some in this way."""
        return (
            Extender(
                "opinion", filter=self.filter, prioritize=self.prioritize, preempt=self.preempt
            ),
            Extender("gpus", bind=bind, managed_resources={"example.com/gpu"}),
        )

    def filter(self, _pod: Pod, nodes: Sequence[NodeInfo], /) -> ExtenderFilterResult:
        """Keep all nodes."""
        with self.faults.at("filter"):
            return ExtenderFilterResult(node.name for node in nodes)

    def prioritize(self, _pod: Pod, nodes: Sequence[NodeInfo], /) -> Mapping[str, int]:
        """Score nodes by their names."""
        with self.faults.at("prioritize"):
            return {node.name: ord(node.name[-1]) % 3 for node in nodes}

    def preempt(
        self, _pod: Pod, victims: Mapping[str, Victims], _nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        """Agree to all that is planned."""
        with self.faults.at("preempt"):
            return victims

    def bind_by_extender(self, binding: Binding, /) -> None:
        """Bind a pod, as an extender does."""
        with self.faults.at("bind by extender"):
            self.api.bind(binding)
